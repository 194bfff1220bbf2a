"""Geometry of contact: how far points are from solids, in which direction, and how that turns."""
