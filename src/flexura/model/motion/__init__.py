"""Models that move: what resists their motion, and what is tracked of it."""
