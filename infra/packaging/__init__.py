"""From the working copy to what AWS runs: one zip, named by its SHA-256, and one template."""
