"""Inverse problems: random targets that can be reached, and some that cannot."""
