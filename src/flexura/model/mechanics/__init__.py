"""What a robot has, made into laws, terms, constraints and inputs: one file for each concept."""
