"""Derivatives of equilibria: by inputs, by parameters of the description, and of any answer."""
