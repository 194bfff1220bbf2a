"""Concentric tubes against independent solutions, and legs that are fed through a plate."""
