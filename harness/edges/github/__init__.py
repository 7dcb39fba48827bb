"""GitHub through PyGithub: reading one repository and writing to it."""
