"""`init`, `doctor`, `clean`: before the first run, and after many."""
