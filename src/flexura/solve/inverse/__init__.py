"""Inverse problems: which inputs bring frames to their targets."""
