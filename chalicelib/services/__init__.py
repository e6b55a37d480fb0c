"""What people do: each use case is rules + store + clock, called by api, workers and the command line."""
