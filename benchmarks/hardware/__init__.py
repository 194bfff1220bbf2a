"""Robots that others built and measured; their data are not part of flexura."""
