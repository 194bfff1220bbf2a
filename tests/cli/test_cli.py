import os
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from support import RUBBER

import flexura as fx
from flexura.cli.main import main
from flexura.cli.option import CHOICES
from flexura.cli.show import contents

EXAMPLES = Path(__file__).parents[2] / "examples"
FLIES = EXAMPLES / "dropped.toml"
HELD = str(EXAMPLES / "held_rod.toml")
TENDONS = str(EXAMPLES / "arm.toml")
ARM = """
name = "arm"

[[rods]]
name = "arm"
length = 1.0
section = { type = "Circle", radius = 0.02 }
material = { young = 1e6, poisson = 0.45, density = 1000.0 }

[[joints]]
type = "Weld"
a = "world"
b = "arm.base"

[[loads]]
type = "Gravity"
acceleration = [0.0, 0.0, -1.0]

[[loads]]
type = "PointLoad"
name = "pull"
at = "arm.tip"
force = [0.0, 0.0, 0.1]
"""

MECHANISM = """
name = "mechanism"

[[rods]]
name = "left"
length = 0.3
section = { type = "Circle", radius = 0.003 }
material = { young = 2e9, poisson = 0.3, density = 1200.0 }

[[rods]]
name = "right"
length = 0.3
section = { type = "Circle", radius = 0.003 }
material = { young = 2e9, poisson = 0.3, density = 1200.0 }

[[bodies]]
name = "cart"
mass = 0.2
inertia = [1e-5, 2e-5, 2e-5]
center = [0.0, 0.0, 0.01]
shape = { type = "Plate", points = [[-0.02, -0.01], [0.02, -0.01], [0.0, 0.03]], thickness = 0.05 }

[[bodies]]
name = "weight"
mass = 0.05

[[joints]]
type = "Motor"
name = "motor"
axis = [0.0, 1.0, 0.0]
[joints.drives]
"left.base" = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]

[[joints]]
type = "Hinge"
name = "knee"
a = "left.tip"
b = "right.base"
axis = [0.0, 1.0, 0.0]
offset = [[0, 0, 1, 0], [0, 1, 0, 0], [-1, 0, 0, 0], [0, 0, 0, 1]]

[[joints]]
type = "Slider"
name = "rail"
a = "world"
b = "cart"
axis = [1.0, 0.0, 0.0]
offset = [[1, 0, 0, 0.3], [0, 1, 0, 0], [0, 0, 1, -0.2], [0, 0, 0, 1]]

[[joints]]
type = "Ball"
name = "socket"
a = "cart"
b = "right.tip"

[[joints]]
type = "Slider"
name = "lift"
a = "left.tip"
b = "weight"
axis = [0.0, 0.0, 1.0]
driven = true

[[loads]]
type = "Gravity"

[[loads]]
type = "Pulley"
name = "cable"
at = "cart"
point = [0.8, 0.0, 0.0]
force = 0.5
"""


@pytest.fixture
def mechanism(tmp_path, monkeypatch):
    """The path of a robot file with bodies, joints, a motor and a pulley."""
    monkeypatch.chdir(tmp_path)
    Path("mechanism.toml").write_text(MECHANISM)
    return "mechanism.toml"


@pytest.fixture
def arm(tmp_path, monkeypatch):
    """The path of a robot file in an empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    Path("arm.toml").write_text(ARM)
    return "arm.toml"


def solved(**inputs):
    return fx.statics(fx.build(fx.load("arm.toml")), inputs)


def row(text, name):
    """The numbers behind a name in a table."""
    (line,) = [line for line in text.splitlines() if line.startswith(name)]
    return np.array([float(word) for word in line.removeprefix(name).split()])


def section(text, head):
    """The table whose first column has that heading."""
    (found,) = [part for part in text.split("\n\n") if part.startswith(f"{head} ")]
    return found


def test_solve_prints_the_equilibrium(arm, capsys):
    result = solved()  # before the command, for kernels to be compiled: that is announced
    capsys.readouterr()
    assert main(["solve", arm]) == 0
    out, err = capsys.readouterr()
    assert str(result.status) in out
    assert f"energy        {result.energy:.6g} J" in out
    assert "stable        yes" in out
    assert "% of the length, by the discretization" in out
    tip = result.pose("arm.tip")
    expected = [*tip[:3, 3], *fx.lie.so3.log(tip[:3, :3])]
    np.testing.assert_allclose(row(out, "arm.tip"), expected, rtol=1e-5, atol=1e-9)
    reaction = result.reaction("world-arm.base")
    np.testing.assert_allclose(row(out, "world-arm.base"), reaction, rtol=1e-5, atol=1e-9)
    assert err == ""


def test_inputs_replace_loads(arm, capsys):
    arguments = ["--input", "pull=0,0,0,0,0.05,-0.1", "--input", "gravity=0,0,0"]
    assert main(["solve", arm, *arguments]) == 0
    result = solved(pull=(0, 0, 0, 0, 0.05, -0.1), gravity=(0, 0, 0))
    printed = row(capsys.readouterr().out, "arm.tip")
    np.testing.assert_allclose(printed[:3], result.pose("arm.tip")[:3, 3], rtol=1e-5)


@pytest.mark.parametrize(
    ("arguments", "rods"),
    [
        ("spline --degree 2 --spans 5", fx.Spline(degree=2, spans=5)),
        ("linear-strain --elements 3", fx.LinearStrain(elements=3)),
        (
            "variable-strain --orders 2,4,4,1,1,1 --basis bspline",
            fx.VariableStrain(orders=(2, 4, 4, 1, 1, 1), basis="bspline"),
        ),
        ("constant-strain --sections 5", fx.ConstantStrain(sections=5)),
        ("rotation-interpolation --elements 2", fx.RotationInterpolation(elements=2)),
        ("hermite --elements 3", fx.Hermite(elements=3)),
        ("power --degree 3 --elements 2", fx.Power(degree=3, elements=2)),
    ],
)
def test_discretization_is_chosen(arm, arguments, rods, capsys):
    assert main(["solve", arm, "--rods", *arguments.split()]) == 0
    result = fx.statics(fx.build(fx.load(arm), rods=rods))
    out = capsys.readouterr().out
    assert f"{result.model.n_dof} degrees of freedom" in out
    tip = result.pose("arm.tip")[:3, 3]
    np.testing.assert_allclose(row(out, "arm.tip")[:3], tip, rtol=1e-5, atol=1e-9)


def test_continuous_equations_are_solved(arm, capsys):
    assert main(["solve", arm, "--rods", "shooting", "--save", "arm.npz"]) == 0
    out = capsys.readouterr().out
    assert "robot         arm, continuous equations" in out
    tip = solved().pose("arm.tip")[:3, 3]
    # the error of twelve cubic spans on a slender arm
    np.testing.assert_allclose(row(out, "arm.tip")[:3], tip, atol=1e-4)
    assert np.load("arm.npz")["converged"]


@pytest.mark.parametrize("form", ["vector", "matrix"])
def test_a_named_weld_takes_a_pose(form, tmp_path, capsys):
    pose = fx.lie.se3.pose((0.5, 0.3, 0.0), (0.0, 1.2, 0.1))
    matrix = ",".join(repr(float(x)) for x in pose.ravel())
    value = {"vector": "0.5,0.3,0,0,1.2,0.1", "matrix": matrix}[form]
    file = str(tmp_path / "held.npz")
    assert main(["solve", HELD, "--input", f"grip={value}", "--save", file]) == 0
    out = capsys.readouterr().out
    assert "grip   0.5 0.3 0 0 1.2 0.1  the pose of rod.tip in world: position [m]" in out
    np.testing.assert_allclose(row(out, "rod.tip"), [0.5, 0.3, 0, 0, 1.2, 0.1], atol=1e-6)
    np.testing.assert_allclose(np.load(file)["input/grip"], pose, atol=1e-15)  # rounding


def test_solve_tells_of_the_tendons(capsys):
    assert main(["solve", TENDONS, "--input", "right=3", "--input", "front=0.5"]) == 0
    out = capsys.readouterr().out
    values, tendons = (section(out, head) for head in ("input", "tendon"))
    assert "right    3          a tension [N]" in values
    result = fx.statics(fx.build(fx.load(TENDONS)), {"right": 3.0, "front": 0.5})
    for name, tension in (("right", 3.0), ("back", 0.0), ("front", 0.5)):
        length = result.tendon_length(name)
        printed = row(tendons, f"{name:<6}  tension")
        np.testing.assert_allclose(printed, [tension, length, 0.242 - length], rtol=1e-5)
    assert "slack" not in tendons


def test_slack_tendons_are_called_so(arm, capsys):
    routing = 'rod = "arm"\nrouting = {type = "Parallel", y = 0.0, z = 0.03}\ndrive = "length"\n'
    more = "".join(f'\n[[tendons]]\nname = "{name}"\n{routing}' for name in ("taut", "loose"))
    Path(arm).write_text(ARM + more)
    assert main(["solve", arm, "--input", "taut=0.01", "--input", "loose=-0.3"]) == 0
    out = capsys.readouterr().out
    _, taut, loose = section(out, "tendon").splitlines()
    assert taut.split()[1] == loose.split()[1] == "length"
    assert taut.split()[-1] == "0.01"
    assert loose.split()[2] == "0"
    assert loose.endswith("  slack")


def test_solve_tells_of_bodies_and_joints(mechanism, capsys):
    given = {"motor": 0.3, "lift": 0.01, "cable": 0.2}
    options = [text for name, x in given.items() for text in ("--input", f"{name}={x}")]
    assert main(["solve", mechanism, *options, "--plot", "m.png", "--save", "m.npz"]) == 0
    out = capsys.readouterr().out
    result = fx.statics(fx.build(fx.load(mechanism)), given).unwrap()
    values, bodies, driven, free, reactions = (
        section(out, head) for head in ("input", "body", "driven", "free", "reaction")
    )
    assert "motor    0.3        an angle [rad]" in values
    assert "lift     0.01       a displacement [m]" in values
    pose = result.pose("cart")
    expected = [*pose[:3, 3], *fx.lie.so3.log(pose[:3, :3])]
    np.testing.assert_allclose(row(bodies, "cart"), expected, rtol=1e-5, atol=1e-9)
    table = {line.split()[0]: line.split()[1:] for line in driven.splitlines()[1:]}
    for name, kind, units in (("motor", "Motor", ["rad", "N·m"]), ("lift", "Slider", ["m", "N"])):
        assert table[name][0] == kind
        assert [table[name][2], table[name][4]] == units
        numbers = [float(table[name][i]) for i in (1, 3)]
        np.testing.assert_allclose(numbers, [given[name], result.torque(name)], rtol=1e-5)
    table = {line.split()[0]: line.split()[1:] for line in free.splitlines()[1:]}
    assert float(table["knee"][1]) == pytest.approx(result.coordinate("knee"), rel=1e-5)
    assert float(table["rail"][1]) == pytest.approx(result.coordinate("rail"), rel=1e-5)
    assert (table["knee"][2], table["rail"][2], table["socket"]) == ("rad", "m", ["Ball", "-"])
    np.testing.assert_allclose(
        row(reactions, "knee"), result.reaction("knee"), rtol=1e-5, atol=1e-9
    )
    assert Path("m.png").stat().st_size > 10_000
    assert np.load("m.npz")["torque/motor"] == result.torque("motor")


def test_a_robot_without_rods_is_solved_but_not_compared(tmp_path, capsys):
    file = str(tmp_path / "pendulum.toml")
    hang = fx.Hinge("pin", "world", "bob", axis=(0, 1, 0))
    bob = fx.Body("bob", mass=1.0, center=(0.1, 0.0, -0.3))
    fx.save(fx.Robot("pendulum", joints=[hang], loads=[fx.Gravity()], bodies=[bob]), file)
    assert main(["solve", file]) == 0
    out = capsys.readouterr().out
    # the centre of mass hangs below the pin
    assert float(section(out, "free").split()[-2]) == pytest.approx(np.arctan2(0.1, 0.3), rel=1e-5)
    assert main(["show", file, "--plot", str(tmp_path / "pendulum.png")]) == 0
    assert "stiffness" not in capsys.readouterr().out
    assert main(["compare", file]) == 2
    assert "'pendulum' has no rods" in capsys.readouterr().err


def test_files_are_written_and_announced(arm, capsys):
    files = ["--plot", "arm.png", "--profiles", "lines.pdf", "--save", "arm.npz"]
    assert main(["solve", arm, "--color", "moment_y", *files]) == 0
    out = capsys.readouterr().out
    for name in ("arm.png", "lines.pdf", "arm.npz"):
        assert f"wrote {name}\n" in out
        assert Path(name).stat().st_size > 5_000
    pose = np.load("arm.npz")["rod/arm/pose"][-1]
    np.testing.assert_array_equal(pose, solved().pose("arm", 1.0))


def test_no_equilibrium_exits_with_one_and_still_writes(arm, capsys, monkeypatch):
    monkeypatch.setattr("flexura.cli.solve.statics", partial(fx.statics, iterations=1))
    assert main(["solve", arm, "--plot", "arm.png", "--save", "arm.npz"]) == 1
    out, err = capsys.readouterr()
    assert "status        not converged: " in out
    assert err == ""
    assert Path("arm.png").exists()
    assert not np.load("arm.npz")["converged"]


def test_a_column_that_buckles_is_found_bent(arm, capsys):
    assert main(["solve", arm, "--input", "gravity=-20,0,0", "--input", "pull=0,0,0,0,0,0"]) == 0
    told = capsys.readouterr().out
    assert "moving downhill" in told
    assert "stable        yes" in told


def test_unstable_equilibria_are_called_so(arm, capsys, monkeypatch):
    """The first line of the report says so, and so does the exit code."""
    monkeypatch.setattr("flexura.cli.solve.statics", partial(fx.statics, iterations=2))
    assert main(["solve", arm, "--input", "gravity=-20,0,0", "--input", "pull=0,0,0,0,0,0"]) == 1
    told = capsys.readouterr().out
    assert "status        unstable: " in told
    assert "stable        no" in told


def test_unstable_equilibria_may_be_asked_for(arm, capsys, monkeypatch):
    """A straight column beyond its load is one; advice to ask for it is in options."""
    load = ["--input", "gravity=-20,0,0", "--input", "pull=0,0,0,0,0,0"]
    main(["solve", arm, *load, "--seek-stable", "no", "--save", "arm.npz"])
    found = fx.load_result("arm.npz")
    assert found.status is fx.Status.CONVERGED
    assert found.stable is False
    assert np.abs(found.pose("arm.tip")[1:3, 3]).max() < 1e-6
    assert f"status        UNSTABLE: {fx.Status.CONVERGED}" in capsys.readouterr().out
    monkeypatch.setattr("flexura.cli.solve.statics", partial(fx.statics, iterations=2))
    assert main(["solve", arm, *load]) == 1
    told = capsys.readouterr().out
    assert "--seek-stable no" in told
    assert "seek_stable" not in told


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve", "nothing.toml"], "nothing.toml: there is no such file"),
        (["show", "nothing.toml"], "nothing.toml: there is no such file"),
        (["solve", "arm.toml", "--input", "pul=1,2,3"], "Did you mean 'pull'?"),
        (["solve", "arm.toml", "--input", "pull=1,2,3"], "input 'pull' takes 6 finite numbers"),
        (["solve", "arm.toml", "--input", "pull=1"], "input 'pull' takes 6 finite numbers"),
        (["solve", "arm.toml", "--input", "pull=0,0,0,0,0,nan"], "takes 6 finite numbers"),
        (["solve", "arm.toml", "--input", "pull"], "not of the form name=numbers"),
        (["solve", "arm.toml", "--input", "=1"], "not of the form name=numbers"),
        (["solve", "arm.toml", "--input", "pull=1,,2"], "'1,,2' are not numbers"),
        (["solve", "arm.toml", "--input", "pull=x"], "write --input gravity=... with numbers"),
        (["solve", "arm.toml", *(2 * ["--input", "pull=0,0,0,0,0,1"])], "is given twice"),
        (["solve", "arm.toml", "--degree", "9"], "Spline degree must be"),
        (["solve", "arm.toml", "--spans", "0"], "Spline spans must be"),
        (["solve", "arm.toml", "--elements", "3"], "--elements belongs to --rods linear-strain or"),
        (["solve", "arm.toml", "--sections", "3"], "--rods spline takes --degree and --spans"),
        (
            ["solve", "arm.toml", "--rods", "shooting", "--spans", "4"],
            "--spans belongs to --rods spline; --rods shooting takes no such option",
        ),
        (
            ["solve", "arm.toml", "--rods", "linear-strain", "--basis", "legendre"],
            "--basis belongs to --rods variable-strain; --rods linear-strain takes --elements",
        ),
        (
            ["solve", "arm.toml", "--rods", "variable-strain", "--basis", "legend"],
            "Did you mean 'legendre'?",
        ),
        (["solve", "arm.toml", "--rods", "variable-strain", "--orders", "1,2"], "VariableStrain"),
        (["solve", HELD, "--input", "grip=1,2,3"], "takes a pose: six finite numbers x,y,z,rx,ry"),
        (["solve", HELD, "--input", "grip=1"], "takes a pose: six finite numbers"),
        (["solve", HELD, "--input", "grip=0.5,0,0,0,0,nan"], "takes a pose: six finite numbers"),
        (["solve", HELD, "--input", f"grip={','.join('1' * 16)}"], "input 'grip' takes a pose"),
        (["solve", TENDONS, "--input", "right=1,2"], "input 'right' takes a finite number"),
        (["solve", TENDONS, "--input", "right=-1"], "input 'right' takes a number >= 0"),
        (
            ["solve", "mechanism.toml", "--input", "motor=1,2"],
            "input 'motor' takes a finite number",
        ),
        (["solve", "mechanism.toml", "--input", "cable=-1"], "input 'cable' takes a number >= 0"),
        (["solve", TENDONS, "--input", "rigt=1"], "Did you mean 'right'?"),
        (["compare", "nothing.toml"], "nothing.toml: there is no such file"),
        (["compare", "arm.toml", "--input", "pul=1,2,3"], "Did you mean 'pull'?"),
        (["compare", "arm.toml", "--input", "pull=1,2,3"], "input 'pull' takes 6 finite numbers"),
        (["compare", "arm.toml", "--fine", "0"], "--fine takes a whole number from 1 to"),
        (["solve", "arm.toml", "--plot", "arm.xyz"], "a picture is written as .png"),
        (["solve", "arm.toml", "--plot", "no/arm.png"], "there is no folder 'no'"),
        (["solve", "arm.toml", "--profiles", "arm.xyz"], "a plot is written as .png"),
        (["solve", "arm.toml", "--save", "arm.mat"], "a result is written as .npz"),
        (["solve", "arm.toml", "--plot", "arm.png", "--color", "red"], "no component 'red'"),
        (["show", "arm.toml", "--plot", "arm.xyz"], "a picture is written as .png"),
    ],
    ids=lambda x: " ".join(x) if isinstance(x, list) else "",
)
def test_wrong_input_exits_with_two_and_one_line(arm, mechanism, arguments, message, capsys):
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert err.startswith("flexura: ")
    assert message in err
    assert err.count("\n") == 1
    assert out == ""
    assert {path.name for path in Path().iterdir()} == {"arm.toml", "mechanism.toml"}


def test_a_broken_robot_file_is_explained(arm, capsys):
    Path(arm).write_text(ARM.replace("radius = 0.02", "radius = -1"))
    assert main(["solve", arm]) == 2
    assert "arm.toml: rods[0].section.radius" in capsys.readouterr().err


def test_show_says_what_is_in_the_file(capsys, monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    assert main(["show", str(EXAMPLES / "chain.toml")]) == 0
    out = capsys.readouterr().out
    robot = fx.load(EXAMPLES / "chain.toml")
    for rod in robot.rods:
        assert rod.name in out
    for entry in ("elbow", "Rectangle(width=0.03, height=0.005)", "boom from 0.1 to 0.35"):
        assert entry in out
    stiffness = out[out.index("stiffness") : out.index("joint")]
    np.testing.assert_allclose(
        row(stiffness, "ribbon"), robot.rod("ribbon").stiffness(0.0)[:5], rtol=1e-5
    )
    assert "no display for a window" in out


def test_show_says_what_is_given_per_arc_length():
    rubber = fx.Material(1e6, 0.5, density=1000.0)
    own = {"line_mass": 0.25, "line_inertia": (2e-6, 1e-6, 1e-6)}
    rod = fx.Rod("rod", 1.0, fx.Circle(0.01), rubber, **own)
    out = contents(fx.Robot("arm", [rod], [fx.Weld("world", "rod.base")]))
    assert "0.25 kg/m, (2e-06, 1e-06, 1e-06) kg·m" in out
    assert "kg/m³" not in out


def test_show_says_which_tendons_there_are(tmp_path, capsys):
    base = fx.load(TENDONS)
    shape = fx.Piecewise([(0.1, fx.Parallel(0.01, 0.0)), (0.2, fx.Convergent(0.01, 0.0))])
    tendons = [
        fx.Tendon("plain", "backbone", fx.Parallel(0.008, 0.0)),
        fx.Tendon("discs", "backbone", fx.Discs((0.1, 0.2), 0.0, 0.008), stiffness=2e4),
        fx.Tendon("pieces", "backbone", shape, start=0.05, end=0.2, drive="length"),
    ]
    fx.save(fx.Robot("arm", base.rods, base.joints, tendons=tendons), tmp_path / "many.toml")
    picture = str(tmp_path / "many.png")
    assert main(["show", str(tmp_path / "many.toml"), "--plot", picture]) == 0
    lines = {line.split()[0]: line for line in capsys.readouterr().out.split("\n") if line}
    assert "tension  backbone " in lines["plain"]
    assert "Parallel(y=0.008, z=0.0)" in lines["plain"]
    assert lines["plain"].endswith("  no")
    assert "through 2 discs" in lines["discs"]
    assert lines["discs"].endswith("  EA = 20000 N")
    assert "length   backbone from 0.05 to 0.2" in lines["pieces"]
    assert "Parallel(y=0.01, z=0.0) to 0.1, Convergent(y=0.01, z=0.0) to 0.2" in lines["pieces"]
    assert Path(picture).stat().st_size > 10_000


def test_show_says_which_bodies_and_joints_there_are(mechanism, capsys):
    assert main(["show", mechanism, "--plot", "mechanism.png"]) == 0
    out = capsys.readouterr().out
    for entry in (
        "cart    0.2 at (0, 0, 0.01) m  (1e-05, 2e-05, 2e-05)  Plate of 3 corners, 0.05 m thick",
        "weight  0.05                   (0, 0, 0)              none",
        "knee    Hinge   left.tip  right.base  about (0, 1, 0), free    at (0, 0, 0) m, turned",
        "rail    Slider  world     cart        along (1, 0, 0), free    at (0.3, 0, -0.2) m",
        "socket  Ball    cart      right.tip   any rotation             none",
        "lift    Slider  left.tip  weight      along (0, 0, 1), driven  none",
        "motor            (0, 1, 0)  (0, 0, 0) m  left.base",
        "cable           Pulley   cart        0.5 N towards (0.8, 0, 0) m",
    ):
        assert entry in out
    assert Path("mechanism.png").stat().st_size > 10_000


def test_show_says_where_points_are():
    """Beside the frame of a rod or a body, in which joints and loads have their own offsets."""
    rod = fx.Rod("arm", 1.0, fx.Circle(0.01), RUBBER)
    side = fx.At("camera", offset=fx.lie.se3.pose((0, 0.02, 0)))
    robot = fx.Robot(
        "arm",
        [rod],
        [fx.Weld("world", "arm.base"), fx.Ball("hook", "arm.tip", side)],
        [fx.PointLoad("push", side), fx.PointLoad("tip", "arm.tip")],
        bodies=[fx.Body("camera", 0.1)],
    )
    text = contents(robot)
    assert text.count("camera at (0, 0.02, 0) m") == 2
    assert "arm.tip  zero" in re.sub(" +", "  ", text)


def test_show_says_which_welds_are_inputs():
    text = contents(fx.load(HELD))
    assert text.count("its pose is an input") == 1


def test_show_draws_the_unloaded_robot(arm, capsys):
    assert main(["show", arm, "--plot", "arm.png"]) == 0
    assert "wrote arm.png\n" in capsys.readouterr().out
    assert Path("arm.png").stat().st_size > 10_000


def test_missing_extra_is_named(arm, capsys, monkeypatch):
    install = "install it with pip install 'flexura[view]', in a clone of flexura with pip install"
    monkeypatch.setitem(sys.modules, "pyvista", None)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for command, option, package in (
        ("solve", "--plot", "pyvista"),
        ("show", "--plot", "pyvista"),
        ("solve", "--profiles", "matplotlib"),
    ):
        assert main([command, arm, option, "arm.png"]) == 2
        out, err = capsys.readouterr()
        assert out == ""  # before the work
        assert err == f"flexura: {option} needs {package}: {install} '.[view]'\n"
    assert main(["solve", arm, "--save", "arm.npz"]) == 0
    capsys.readouterr()
    for module in ("flexura.view", "flexura.view.picture"):
        monkeypatch.setattr(sys.modules[module], "has_display", lambda: True)
    assert main(["show", arm]) == 0
    assert f"no window: view.window needs pyvista: {install}" in capsys.readouterr().out


def test_pictures_have_a_white_background_if_wanted(arm):
    assert main(["show", arm, "--plot", "arm.png", "--background", "white"]) == 0
    with Image.open("arm.png") as image:
        assert (np.asarray(image)[:10] == 255).all()


def test_version_and_help(capsys):
    for arguments, expected in (
        (["--version"], f"flexura {fx.__version__}\n"),
        (["--help"], "example: flexura solve"),
        (["solve", "--help"], "flexura solve examples/cantilever.toml --plot"),
        (["solve", "--help"], "x,y,z,rx,ry,rz"),
        (["solve", "--help"], "tendon"),
        (["solve", "--help"], "driven joint"),
        (["compare", "--help"], "flexura compare examples/cantilever.toml"),
        (["show", "--help"], "flexura show examples/chain.toml"),
    ):
        with pytest.raises(SystemExit) as exit_info:
            main(arguments)
        assert exit_info.value.code == 0
        assert expected in capsys.readouterr().out


@pytest.mark.parametrize("name", ["degree", "spans", "elements", "orders", "basis", "sections"])
def test_the_help_of_an_option_has_the_defaults_of_all_that_take_it(name, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "1000")  # names with hyphens in one line
    with pytest.raises(SystemExit):
        main(["solve", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    of_model = text.split(" model: ")[1].split(" files to write: ")[0]
    of_option = of_model.split(f" --{name} ")[1].split(" --")[0]
    takers = [c for c in CHOICES.items() if name in c[1].options]
    assert takers
    for rods, choice in takers:
        value = getattr(choice.make(), name)
        shown = ",".join(map(str, value)) if name == "orders" else str(value)
        assert f"{shown} for {rods}" in of_option


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["sovle"],
        ["solve"],
        ["solve", "a.toml", "--rods", "x"],
        ["solve", "a.toml", "--orders", "5,x"],
        ["compare"],
    ],
)
def test_wrong_usage_exits_with_two(arguments, capsys):
    with pytest.raises(SystemExit) as exit_info:
        main(arguments)
    assert exit_info.value.code == 2
    assert "usage: flexura" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "meant"), [(["slove"], "solve"), (["solve", "a", "--rods", "splin"], "spline")]
)
def test_words_that_are_nearly_right(arguments, meant, capsys):
    with pytest.raises(SystemExit):
        main(arguments)
    assert f"Did you mean '{meant}'?" in capsys.readouterr().err


@pytest.mark.slow
def test_as_a_process(arm):
    """Through ``python -m flexura``, into a pipe that cannot print every letter."""
    command = [sys.executable, "-m", "flexura", "solve", arm, "--save", "arm.npz"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    run = subprocess.run(command, capture_output=True, env=environment)
    assert run.returncode == 0, run.stderr.decode()
    assert b"wrote arm.npz" in run.stdout
    assert b"Traceback" not in run.stderr


@pytest.mark.parametrize(
    "file", sorted(set(EXAMPLES.glob("*.toml")) - {FLIES}), ids=lambda file: file.stem
)
def test_example_files_solve(file, capsys):
    assert main(["solve", str(file)]) == 0
    assert "status        converged" in capsys.readouterr().out


def test_the_example_that_flies_lands(capsys):
    words = FLIES.read_text().splitlines()[1].split()
    assert words[1:4] == ["flexura", "simulate", "examples/dropped.toml"]
    assert main(["simulate", str(FLIES), *words[4:]]) == 0
    assert "status      reached" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["solve", "show", "compare", "inverse"])
def test_the_help_names_files_that_exist(command, capsys):
    with pytest.raises(SystemExit):
        main([command, "--help"])
    named = re.findall(r"\S+\.toml", capsys.readouterr().out)
    assert named
    assert all((EXAMPLES.parent / file).exists() for file in named)
