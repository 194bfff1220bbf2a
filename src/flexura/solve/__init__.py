"""Numerics: from models and inputs to results."""
