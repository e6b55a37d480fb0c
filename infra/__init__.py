"""Everything around the program: templates, packaging, the local stack, commands."""
