"""Files: robots as TOML, results as NumPy archives and for ParaView."""

from flexura.io.result_file import load_result, save_result
from flexura.io.robot_file import load, save
from flexura.io.vtk_file import save_vtk

__all__ = ["load", "load_result", "save", "save_result", "save_vtk"]
