"""Sections 7.1 to 7.3 of the paper on the Lie-group framework."""
