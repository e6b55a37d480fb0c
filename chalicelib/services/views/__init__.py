"""What use cases answer: frozen dataclasses, the shapes of the API replies (and of `web/openapi.json`)."""
