"""``flexura modes``."""

import re
from pathlib import Path

import pytest
from PIL import Image

import flexura as fx
from flexura.cli.main import main

EXAMPLES = Path(__file__).parents[2] / "examples"
ARM = str(EXAMPLES / "arm.toml")


def test_frequencies_are_told(capsys):
    assert main(["modes", ARM, "--input", "right=3", "--count", "4"]) == 0
    out = capsys.readouterr().out
    told = [float(x) for x in re.findall(r"(?m)^ *\d  +([\d.]+)", out)]
    result = fx.statics(fx.build(fx.load(ARM)), {"right": 3.0})
    assert told == pytest.approx(fx.modes(result, 4).frequency.tolist(), rel=1e-5)
    assert "stable   yes" in out
    assert re.search(r"to [\d.e-]+ %", out)  # how well they are known


def test_the_picture(tmp_path, capsys):
    pytest.importorskip("pyvista")
    file = tmp_path / "modes.png"
    assert main(["modes", ARM, "--count", "3", "--plot", str(file), "--background", "white"]) == 0
    assert f"wrote {file}" in capsys.readouterr().out
    with Image.open(file) as image:
        assert image.size == (1920, 1200)


def test_what_is_refused(capsys, tmp_path):
    assert main(["modes", ARM, "--count", "0"]) == 2
    assert "whole number from 1" in capsys.readouterr().err
    assert main(["modes", ARM, "--rods", "shooting"]) == 2
    assert "shooting" in capsys.readouterr().err
    light = tmp_path / "light.toml"
    light.write_text(Path(ARM).read_text().replace(", density = 95e3", ""))
    assert main(["modes", str(light)]) == 2
    assert "has no mass" in capsys.readouterr().err
    assert main(["modes", ARM, "--plot", str(tmp_path / "modes.txt")]) == 2
    assert ".png" in capsys.readouterr().err


def test_no_equilibrium_has_no_modes(capsys):
    assert main(["modes", ARM, "--input", "right=1e9"]) == 1
    assert "not converged" in capsys.readouterr().out


def test_help_has_an_example(capsys):
    with pytest.raises(SystemExit):
        main(["modes", "--help"])
    assert "flexura modes examples/arm.toml" in capsys.readouterr().out
