"""Motions: published ones, and what must hold for any of them."""
