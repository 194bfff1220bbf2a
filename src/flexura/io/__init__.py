"""Files: robots as TOML, results as NumPy archives."""

from flexura.io.result_file import load_result, save_result
from flexura.io.robot_file import load, save

__all__ = ["load", "load_result", "save", "save_result"]
