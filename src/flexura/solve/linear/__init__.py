"""Small motions about an equilibrium: vibration modes, linear models."""
