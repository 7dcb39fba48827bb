"""The REST operations of the rehearsal forge, a module per family."""
