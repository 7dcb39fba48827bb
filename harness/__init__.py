"""Maintains GitHub repositories with two LLM agents of different families."""

__version__ = "0.1.0"
