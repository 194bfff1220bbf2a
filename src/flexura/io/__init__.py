"""Files: robots as TOML."""

from flexura.io.robot_file import load, save

__all__ = ["load", "save"]
