"""The discretized model: built once from a description, immutable."""
