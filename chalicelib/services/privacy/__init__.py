"""隐私: encrypted events (是否加密), and what becomes of people's data: export, erasure, purge at its date."""
