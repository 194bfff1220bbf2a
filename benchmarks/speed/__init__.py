"""How long things take, on one core."""
