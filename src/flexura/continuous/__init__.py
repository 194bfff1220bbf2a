"""The continuous equations of rods: what acts along them, and a step of their integration."""
