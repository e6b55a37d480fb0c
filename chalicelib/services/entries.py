"""entries"""
