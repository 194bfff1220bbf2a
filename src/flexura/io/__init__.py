"""Files: robots as TOML, results as NumPy archives."""

from flexura.io.result_file import save_result
from flexura.io.robot_file import load, save

__all__ = ["load", "save", "save_result"]
