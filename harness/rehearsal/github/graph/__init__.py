"""The GraphQL half of the rehearsal forge, executed on GitHub's own schema."""
