"""The command line: ``flexura solve | show``."""
