"""Physics: what acts at the points and nodes of a model."""
