"""The outside world: SMS, files, secrets, spreadsheets, QR codes."""
