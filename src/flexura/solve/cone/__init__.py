"""Complementarity and friction: small cone problems, which know nothing of robots."""
