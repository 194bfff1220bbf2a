"""The command line: ``flexura solve | compare | show``."""
