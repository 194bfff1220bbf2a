"""Section V of the paper that compares strain models of a rod held at both ends."""
