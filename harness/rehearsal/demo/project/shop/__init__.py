"""What a basket costs."""
