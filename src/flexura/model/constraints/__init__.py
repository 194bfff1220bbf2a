"""Constraints with multipliers in a cone, one file each."""
