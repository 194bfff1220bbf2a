"""Compiled functions of the groups, for other kernels.

Those that write fill their first argument, a small C-contiguous array that aliases no other. The
functions of ``flexura.lie`` itself take stacks and check them.
"""
