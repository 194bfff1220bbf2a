"""The program for measured robots, with files of a robot that was not measured."""

import numpy as np

import flexura as fx
from benchmarks.hardware import opencr


def test_a_file_is_read_and_fitted(tmp_path, rng):
    commands = 1e-3 * rng.uniform(-1.0, 4.0, size=(12, 9)).round(3)
    model = fx.build(opencr.robot(radius=4.3e-3, turn=-3.0), opencr.CONSTANT)
    tips = fx.statics_many(model, commands + 2e-4).unwrap().pose("three.tip")[:, :3, 3]
    moved = tips + np.array([0.0, 1e-3, 2e-3])
    rows = np.column_stack([np.zeros(12), 1e3 * commands, 1e3 * moved])
    path = tmp_path / "train.csv"
    np.savetxt(path, rows, delimiter=",", header="timestamp,servos,tip", fmt="%.9f")
    observations = opencr.read(path)
    fitted = opencr.cases()["radius, common offset"](observations).unwrap()
    # the file has nine digits behind the comma, in mm
    assert abs(fitted.values["radius"] - 4.3e-3) < 1e-9
    assert abs(fitted.values["turn"] + 3.0) < 1e-6
    assert opencr.aligned(fitted).max() < 1e-5
    np.testing.assert_allclose(fitted.registration[:3, 3], (0.0, 1e-3, 2e-3), atol=1e-8)
