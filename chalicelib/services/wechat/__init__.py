"""Signing in by WeChat, and whether somebody follows the official account."""
