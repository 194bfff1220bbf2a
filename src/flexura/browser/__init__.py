"""The studio: robots in the browser."""
