"""``flexura inverse``."""

from pathlib import Path

import numpy as np
import pytest

import flexura as fx
from flexura.cli.main import main

ARM = str(Path(__file__).parents[2] / "examples" / "arm.toml")


def reached(numbers):
    return ["inverse", ARM, "--target", f"backbone.tip={numbers}"]


def test_finds_what_to_pull(tmp_path, capsys):
    model = fx.build(fx.load(ARM))
    there = fx.statics(model, {"right": 3.0, "front": 1.0}).unwrap().pose("backbone.tip")[:3, 3]
    saved = str(tmp_path / "arm.npz")
    text = ",".join(repr(float(x)) for x in there)
    assert main([*reached(text), "--bounds", "right=0:20", "--save", saved]) == 0
    printed = capsys.readouterr().out
    assert "reached" in printed
    found = fx.load_result(saved)
    assert np.allclose(found.pose("backbone.tip")[:3, 3], there, atol=1e-9)
    assert found.inputs["right"] > 0.0


def test_out_of_reach_is_said(capsys):
    code = main([*reached("0.5,0,0"), "--using", "right,back", "--bounds", "right=:3"])
    assert code == 1
    printed = capsys.readouterr().out
    assert "out of reach" in printed
    assert "upper" in printed
    assert "front" not in printed


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--bounds", "right=3"], "name=least:most"),
        (["--bounds", "right=a:3"], "not numbers"),
        (["--using", "rigth"], "right"),
        (["--target", "backbone.tip"], "frame=numbers"),
        (["--target", "backbone.base=0,0"], "pose"),
        (["--rods", "shooting"], "shooting"),
    ],
)
def test_bad_options(more, words, capsys):
    assert main([*reached("0.05,0,0.2"), *more]) == 2
    assert words in capsys.readouterr().err
