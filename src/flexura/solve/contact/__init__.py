"""Equilibria and steps with contacts: what touches, what holds, what is in the way."""
