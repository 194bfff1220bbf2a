"""Calibrate a measured robot: ``python -m benchmarks.hardware.opencr TRAIN.csv VAL.csv``.

Three segments and nine tendons that are driven by their length; the tip by motion capture. The
README tells where the files are and what comes out.
"""

import argparse
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

import flexura as fx
from benchmarks.machine import describe
from benchmarks.table import Table
from flexura import lie

RODS = ("one", "two", "three")
LENGTHS = (0.06, 0.0625, 0.064)  # [m]
YOUNG, STIFFNESS, RADIUS = 50e9, 7000.0, 4.5e-3  # [Pa], [N/m], [m], the authors' configuration
ANGLES = [s * np.pi / 6 + n * 2 * np.pi / 3 for s in range(3) for n in range(3)]
TURN = -3.1  # of the tendons about the axis, as the pulls of single tendons show, roughly [rad]
TENDONS = [f"t{i}" for i in range(9)]
UPRIGHT = np.eye(4)[[1, 2, 0, 3]]  # rods run along z of the motion capture
CONSTANT = fx.VariableStrain(orders=(1,) * 6)  # nothing but tendons: strain is constant
Cases = dict[str, Callable[[Sequence[fx.Observation]], fx.Calibration]]


def robot(
    stiffness: float = STIFFNESS, radius: float = RADIUS, young: float = YOUNG, turn: float = TURN
) -> fx.Robot:
    """The robot; stiffness of all tendons [N/m], their distance from the axis [m]."""
    steel = fx.Material(young=young, poisson=0.3)
    reach = np.cumsum(LENGTHS)
    tendons = [
        fx.Tendon(
            name,
            rod=RODS[: i // 3 + 1],
            routing=fx.Parallel(radius * np.cos(angle + turn), radius * np.sin(angle + turn)),
            drive="length",
            stiffness=stiffness * float(reach[i // 3]),
        )
        for i, (name, angle) in enumerate(zip(TENDONS, ANGLES, strict=True))
    ]
    rods = [
        fx.Rod(name, length, fx.Circle(radius=5e-4), steel)
        for name, length in zip(RODS, LENGTHS, strict=True)
    ]
    joints = [
        fx.Weld("world", "one.base", offset=UPRIGHT),
        fx.Weld("one.tip", "two.base"),
        fx.Weld("two.tip", "three.base"),
    ]
    return fx.Robot("opencr v4", rods=rods, joints=joints, tendons=tendons)


def read(path: Path) -> list[fx.Observation]:
    """Observations of a file; its last twelve columns are nine commands and the tip [mm]."""
    lines = path.read_text().splitlines()[1:]
    rows = np.array([[float(x) for x in line.split(",")[-12:]] for line in lines]) * 1e-3
    return [
        fx.Observation(dict(zip(TENDONS, row[:9], strict=True)), {"three.tip": row[9:]})
        for row in rows
    ]


def cases() -> Cases:
    """What is unknown in each fit, from little to much."""

    def fit(**unknown: object) -> Callable[[Sequence[fx.Observation]], fx.Calibration]:
        names = {"parameters": {"turn": TURN}, "registration": "translation", **unknown}
        return lambda seen: fx.calibrate(robot, seen, rods=CONSTANT, **names)  # type: ignore[arg-type]

    turn = {"turn": TURN}
    stiff, wide = {"stiffness": STIFFNESS}, {"radius": RADIUS}
    return {
        "place alone": fit(),
        "place with tilt": fit(registration="pose", parameters={}),
        "stiffness, common offset": fit(parameters=turn | stiff, offsets=[TENDONS]),
        "radius, common offset": fit(parameters=turn | wide, offsets=[TENDONS]),
        "stiffness, radius, common offset": fit(parameters=turn | stiff | wide, offsets=[TENDONS]),
        "stiffness, radius, nine offsets": fit(parameters=turn | stiff | wide, offsets=TENDONS),
        "the same with tilt": fit(parameters=stiff | wide, offsets=TENDONS, registration="pose"),
    }


def aligned(compared: fx.Comparison | fx.Calibration) -> np.ndarray:
    """Distances of the tip [mm] after the mean of the file is taken away, as the authors do."""
    error = np.array(compared.residuals)
    return 1e3 * np.linalg.norm(error - error.mean(axis=0), axis=1)


def run(train: Path, val: Path, every: int = 4) -> Table:
    """Fit on some samples of one file; errors on all of both."""
    seen, other = read(train), read(val)
    rows, data = [], {}
    for name, fit in cases().items():
        fitted = data[name] = fit(seen[::every])
        cells = [name, str(len(fitted.labels)), str(fitted.iterations)]
        for one in (fitted.check(seen), fitted.check(other)):
            distance = 1e3 * one.distances("three.tip")
            cells += [f"{x:.2f}" for x in (aligned(one).mean(), distance.mean(), distance.max())]
        rows.append(cells)
        print(f"{name}: {fitted}\n", flush=True)
    header = ["unknown", "numbers", "steps"]
    for part in ("train", "val"):
        header += [f"{part} aligned [mm]", f"{part} [mm]", f"{part} max [mm]"]
    title = f"tip errors after fits to every {every}th of {len(seen)} samples"
    return Table(title, header, rows, data=data)


def drift(train: Path, val: Path, every: int = 4) -> Table:
    """What stays the same while time goes by: tilt of the robot, zeros of the tendons."""
    seen, other = read(train), read(val)
    half = len(seen) // 2
    parts = {"train, first half": seen[:half], "second half": seen[half:], "val": other}
    rows, data = [], {}
    for name, part in parts.items():
        some = part[::every]
        tilt = fx.calibrate(robot, some, {}, registration="pose", rods=CONSTANT)
        zeros = fx.calibrate(
            robot, some, {"turn": TURN}, offsets=TENDONS, registration="translation", rods=CONSTANT
        )
        turned = 1e3 * (lie.so3.log(tilt.registration[:3, :3]))[:2]
        offsets = [1e3 * zeros.offsets[tendon] for tendon in TENDONS]
        data[name] = tilt, zeros
        cells = [f"{x:.0f}" for x in turned] + [f"{x:.2f}" for x in offsets]
        errors = [
            f"{aligned(fitted.check(part[::every])).mean():.2f}"
            for fitted in (tilt, zeros)
            for part in parts.values()
        ]
        rows.append([name, *cells, *errors])
    header = ["fitted to", "tilt x [mrad]", "tilt y [mrad]", *(f"{x} [mm]" for x in TENDONS)]
    header += [f"{kind}: {name} [mm]" for kind in ("tilt", "zeros") for name in parts]
    return Table(
        "the same fits to three parts, one after the other in time", header, rows, data=data
    )


def main() -> None:
    """Read the names of the files and print the table."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hardware.opencr")
    parser.add_argument("train", type=Path, help="..._train.csv of the authors")
    parser.add_argument("val", type=Path, help="..._val.csv of the authors")
    parser.add_argument("--every", type=int, default=4, help="fit to every n-th sample")
    options = parser.parse_args()
    print(describe())
    print(run(options.train, options.val, options.every), flush=True)
    print(drift(options.train, options.val, options.every))


if __name__ == "__main__":
    main()
