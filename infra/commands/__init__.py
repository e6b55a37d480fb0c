"""The commands of ./guanjun, one file each."""
