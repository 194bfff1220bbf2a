"""Volumes in numbers: elements, their quadrature, laws of material; no model, no solver."""
