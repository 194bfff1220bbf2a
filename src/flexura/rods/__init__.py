"""Discretization: finitely many coordinates ↦ pose and strain along the rods."""
