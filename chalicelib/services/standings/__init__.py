"""Standings: computed one way, published under rising versions, never stale."""
