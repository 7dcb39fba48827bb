"""The demo story: a small shop, four issues, two scripted models."""
