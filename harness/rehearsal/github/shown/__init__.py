"""Rows as GitHub shows them: payloads by its own description of its API."""
