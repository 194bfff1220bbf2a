import numpy as np
import pytest

import flexura as fx
from flexura.errors import FileError, ModelError
from flexura.io import save_result

RUBBER = fx.Material(young=1e6, poisson=0.45, density=1000.0)


def robot_of(rest=None, name="arm"):
    return fx.Robot(
        "two words, ünicode",
        rods=[fx.Rod(name, 0.5, fx.Circle(0.02), RUBBER, rest=rest)],
        joints=[fx.Weld("world", f"{name}.base", name="wall")],
        loads=[fx.Gravity(), fx.PointLoad("pull", f"{name}.tip", force=(0.0, 0.1, 0.0))],
    )


@pytest.fixture(scope="module")
def result():
    return fx.statics(fx.build(robot_of()), {"pull": (0.0, 0.0, 0.0, 0.0, 0.2, 0.1)}).unwrap()


def read(path):
    with np.load(path, allow_pickle=False) as data:
        return dict(data)


def test_everything_comes_back(result, tmp_path):
    save_result(result, tmp_path / "arm.npz")
    data = read(tmp_path / "arm.npz")
    assert data["format"] == 4
    assert str(data["name"]) == "two words, ünicode"
    assert str(data["status"]) == str(result.status)
    assert bool(data["converged"])
    assert data["stable"] == 1
    for key in ("iterations", "load_steps", "load_factor", "residual", "energy", "potential"):
        assert data[key] == getattr(result, key)
    np.testing.assert_array_equal(data["residuals"], result.residuals)
    np.testing.assert_array_equal(data["state"], result.state.poses)
    assert "multipliers" not in data
    assert [key for key in data if key.startswith("inner/")] == ["inner/0"]
    np.testing.assert_array_equal(data["inner/0"], result.model.inner(result.state, 0))
    assert data["rods"].tolist() == ["arm"]
    assert data["inputs"].tolist() == ["gravity", "pull", "wall"]
    assert data["joints"].tolist() == ["wall"]
    s = data["rod/arm/s"]
    assert s.shape == (201,)
    assert (s[0], s[-1]) == (0.0, 0.5)
    np.testing.assert_array_equal(data["rod/arm/pose"], result.pose("arm", s))
    np.testing.assert_array_equal(data["rod/arm/strain"], result.strain("arm", s))
    np.testing.assert_array_equal(data["rod/arm/wrench"], result.internal_wrench("arm", s))
    np.testing.assert_array_equal(data["input/pull"], [0.0, 0.0, 0.0, 0.0, 0.2, 0.1])
    np.testing.assert_array_equal(data["input/gravity"], [0.0, 0.0, -9.81])
    np.testing.assert_array_equal(data["input/wall"], np.eye(4))
    np.testing.assert_array_equal(data["reaction/wall"], result.reaction("wall"))


def test_the_robot_can_be_built_again_from_the_file(result, tmp_path):
    save_result(result, tmp_path / "arm.npz")
    (tmp_path / "arm.toml").write_text(str(read(tmp_path / "arm.npz")["robot"]), encoding="utf-8")
    assert fx.load(tmp_path / "arm.toml") == result.model.robot


def test_a_robot_with_a_function_is_left_out(tmp_path):
    bent = fx.statics(fx.build(robot_of(rest=lambda s: (0.0, s, 0.0))))
    save_result(bent, tmp_path / "arm.npz")
    data = read(tmp_path / "arm.npz")
    assert "robot" not in data
    assert "rod/arm/pose" in data


def with_tendons(*routings):
    tendons = [fx.Tendon(f"t{i}", "arm", routing) for i, routing in enumerate(routings)]
    return fx.Robot("arm", robot_of().rods, robot_of().joints, tendons=tendons)


def test_tendons_are_saved(tmp_path):
    robot = with_tendons(fx.Parallel(0.03, 0.0), fx.Discs((0.2, 0.4), 0.0, 0.03))
    pulled = fx.statics(fx.build(robot), {"t0": 0.2, "t1": 0.1}).unwrap()
    save_result(pulled, tmp_path / "arm.npz")
    data = read(tmp_path / "arm.npz")
    assert data["tendons"].tolist() == ["t0", "t1"]
    assert data["input/t0"] == 0.2
    assert data["input/t0"].shape == ()
    for name, tension in (("t0", 0.2), ("t1", 0.1)):
        assert data[f"tendon/{name}/tension"] == tension
        assert data[f"tendon/{name}/length"] == pulled.tendon_length(name)
    (tmp_path / "arm.toml").write_text(str(data["robot"]), encoding="utf-8")
    assert fx.load(tmp_path / "arm.toml") == robot


def test_a_robot_without_tendons_has_none(result, tmp_path):
    save_result(result, tmp_path / "arm.npz")
    data = read(tmp_path / "arm.npz")
    assert data["tendons"].shape == (0,)
    assert not any(key.startswith("tendon/") for key in data)


def test_tensions_that_were_found_are_saved_with_the_state(tmp_path):
    tendons = [
        fx.Tendon("free", "arm", fx.Parallel(0.0, 0.03)),
        fx.Tendon("held", "arm", fx.Parallel(0.03, 0.0), drive="length"),
    ]
    robot = fx.Robot("arm", robot_of().rods, robot_of().joints, tendons=tendons)
    pulled = fx.statics(fx.build(robot), {"held": 0.002}).unwrap()
    save_result(pulled, tmp_path / "arm.npz")
    data = read(tmp_path / "arm.npz")
    np.testing.assert_array_equal(data["multipliers"], pulled.state.multipliers)
    assert data["multipliers"] == [data["tendon/held/tension"]]


@pytest.mark.parametrize("piecewise", [False, True])
def test_a_tendon_routed_by_a_function_is_left_out(piecewise, tmp_path):
    routing = fx.Routing(lambda s: (0.03, 0.01 * s))
    robot = with_tendons(fx.Piecewise([(0.5, routing)]) if piecewise else routing)
    save_result(fx.statics(fx.build(robot), {"t0": 0.1}), tmp_path / "arm.npz")
    data = read(tmp_path / "arm.npz")
    assert "robot" not in data
    assert data["tendon/t0/tension"] == 0.1


def test_bodies_and_joints_are_saved(tmp_path):
    """A driven hinge, a rod, a free hinge and a ball in a row, with a body at its end."""
    rods = [fx.Rod(name, 0.5, fx.Circle(0.02), RUBBER) for name in ("a", "b")]
    joints = [
        fx.Hinge("drive", "world", "a.base", axis=(0, 1, 0), driven=True),
        fx.Hinge("knee", "a.tip", "b.base", axis=(0, 1, 0)),
        fx.Ball("hook", "b.tip", "load"),
    ]
    load = fx.Body("load", mass=0.1, center=(0.0, 0.0, -0.1))
    robot = fx.Robot("arm", rods, joints, [fx.Gravity()], bodies=[load])
    result = fx.statics(fx.build(robot), {"drive": 1.2}).unwrap()
    save_result(result, tmp_path / "arm.npz")
    data = read(tmp_path / "arm.npz")
    assert data["bodies"].tolist() == ["load"]
    assert data["joints"].tolist() == result.model.reacting
    assert data["driven"].tolist() == ["drive"]
    assert data["free"].tolist() == ["knee"]
    assert data["input/drive"] == 1.2
    assert data["torque/drive"] == result.torque("drive")
    assert data["coordinate/knee"] == result.coordinate("knee")
    np.testing.assert_array_equal(data["body/load/pose"], result.pose("load"))
    for name in ("drive", "knee", "hook"):
        np.testing.assert_array_equal(data[f"reaction/{name}"], result.reaction(name))
    assert "coordinate/hook" not in data
    (tmp_path / "arm.toml").write_text(str(data["robot"]), encoding="utf-8")
    assert fx.load(tmp_path / "arm.toml") == robot


def test_a_motor_with_several_frames_has_a_torque_but_no_reaction(tmp_path):
    rods = [fx.Rod(name, 0.5, fx.Circle(0.02), RUBBER) for name in ("a", "b")]
    drives = {f"{name}.base": fx.lie.se3.pose((0.0, y, 0.0)) for name, y in (("a", 0), ("b", 1))}
    motor = fx.Motor("motor", axis=(0, 1, 0), drives=drives)
    result = fx.statics(fx.build(fx.Robot("two", rods, [motor], [fx.Gravity()]))).unwrap()
    save_result(result, tmp_path / "two.npz")
    data = read(tmp_path / "two.npz")
    assert data["joints"].shape == data["free"].shape == data["bodies"].shape == (0,)
    assert data["driven"].tolist() == ["motor"]
    assert data["torque/motor"] == result.torque("motor")
    assert not any(key.startswith("reaction/") for key in data)


def test_failed_solve_can_be_saved(tmp_path):
    failed = fx.statics(fx.build(robot_of()), iterations=1)
    save_result(failed, tmp_path / "arm.npz")
    data = read(tmp_path / "arm.npz")
    assert not data["converged"]
    assert data["stable"] == (-1 if failed.stable is None else failed.stable)


def test_odd_names_do_not_leave_the_archive(tmp_path):
    robot = robot_of(name="a b/s")
    odd = fx.Robot("../odd", robot.rods, [fx.Weld("world", "a b/s.base", name="../../x")])
    save_result(fx.statics(fx.build(odd)), tmp_path / "odd.npz")
    data = read(tmp_path / "odd.npz")
    assert data["rod/a b/s/s"].shape == (201,)
    assert data["reaction/../../x"].shape == (6,)
    assert [path.name for path in tmp_path.iterdir()] == ["odd.npz"]


def test_a_robot_without_loads(tmp_path):
    bare = fx.Robot("bare", robot_of().rods, [fx.Weld("world", "arm.base")])
    save_result(fx.statics(fx.build(bare)), tmp_path / "bare.npz")
    assert read(tmp_path / "bare.npz")["inputs"].shape == (0,)


def test_rods_of_two_kinds_keep_their_inner_unknowns_apart(tmp_path):
    rods = [fx.Rod(name, 0.5, fx.Circle(0.02), RUBBER) for name in ("a", "b")]
    joints = [fx.Weld("world", "a.base"), fx.Weld("a.tip", "b.base")]
    robot = fx.Robot("two", rods, joints, [fx.Gravity()])
    kinds = {"a": fx.Spline(), "b": fx.LinearStrain()}
    result = fx.statics(fx.build(robot, rods=kinds)).unwrap()
    save_result(result, tmp_path / "two.npz")
    data = read(tmp_path / "two.npz")
    for part in (0, 1):
        inner = result.model.inner(result.state, part)
        np.testing.assert_array_equal(data[f"inner/{part}"], inner)
    assert "inner/2" not in data


@pytest.mark.parametrize(
    ("rods", "poses"),
    [
        (fx.LinearStrain(4), 4),
        (fx.VariableStrain(), 0),
        (fx.ConstantStrain(4), 3),
        (fx.RotationInterpolation(2), 1),
    ],
    ids=str,
)
def test_loose_tips_are_poses_of_rods_but_not_of_the_state(rods, poses, tmp_path):
    """The ends of elements inside of a rod are; of LinearStrain, the tip is."""
    result = fx.statics(fx.build(robot_of(), rods=rods)).unwrap()
    save_result(result, tmp_path / "arm.npz")
    data = read(tmp_path / "arm.npz")
    assert data["state"].shape == (poses, 4, 4)
    np.testing.assert_allclose(data["rod/arm/pose"][-1], result.pose("arm.tip"), atol=1e-15)
    np.testing.assert_array_equal(data["inner/0"], result.model.inner(result.state, 0))


def test_moved_poses_are_saved(tmp_path):
    pose = fx.lie.se3.pose((0.1, 0.0, 0.2), (0.0, 0.3, 0.0))
    save_result(fx.statics(fx.build(robot_of()), {"wall": pose}), tmp_path / "arm.npz")
    data = read(tmp_path / "arm.npz")
    np.testing.assert_array_equal(data["input/wall"], pose)
    np.testing.assert_allclose(data["rod/arm/pose"][0], pose, atol=1e-15)  # rounding


@pytest.mark.parametrize("name", ["arm.npy", "arm", "arm.mat"])
def test_other_endings_are_refused(result, name, tmp_path):
    with pytest.raises(FileError, match=r"a result is written as \.npz, got"):
        save_result(result, tmp_path / name)


def test_missing_folder_and_odd_paths(result, tmp_path):
    with pytest.raises(FileError, match="there is no folder"):
        save_result(result, tmp_path / "nowhere" / "arm.npz")
    with pytest.raises(FileError, match="a path must be"):
        save_result(result, 3)
    (tmp_path / "arm.npz").mkdir()
    with pytest.raises(FileError, match="cannot be written"):
        save_result(result, tmp_path / "arm.npz")
    with pytest.raises(ModelError, match="result must be StaticResult"):
        save_result("result", tmp_path / "other.npz")


def test_a_path_is_saved_with_the_same_keys(column, tmp_path):
    """Along a first axis; what is the same for all of its points is there once."""
    save_result(column, tmp_path / "path.npz")
    save_result(column[-1], tmp_path / "end.npz")
    data, end = read(tmp_path / "path.npz"), read(tmp_path / "end.npz")
    own = {"changes", "path", "fraction", "unstable_modes"}
    own |= {f"{name}/count" for name in ("residuals", "steps", "remarks")}
    own |= {
        f"{kind}/{x}" for kind in ("limit", "bifurcation") for x in ("fraction", "index", "input")
    }
    added = {key for key in data.keys() - end.keys() if not key.startswith("bifurcation/")}
    assert added == {key for key in own if not key.startswith("bifurcation/")}
    assert own <= data.keys()
    assert end.keys() <= data.keys()
    n = len(column)
    shared = {"format", "version", "name", "robot", "discretization", "also", "converged"}
    shared |= {"status", "rods", "bodies", "inputs", "tendons", "joints", "driven", "free"}
    shared |= {"rod/arm/s"}
    lists = {"kind", "residuals", "steps", "remarks"}
    for key in end.keys() - shared - lists:
        assert data[key].shape == (n, *end[key].shape)
        np.testing.assert_array_equal(data[key][-1], end[key])
    for key in shared - {"status"}:
        np.testing.assert_array_equal(data[key], end[key])
    assert str(data["status"]) == str(column.status)
    assert str(data["kind"]) == "path"
    assert data["residuals/count"].sum() == len(data["residuals"])
    assert str(data["changes"]) == "push"
    np.testing.assert_array_equal(data["input/push"], column.value())
    np.testing.assert_array_equal(data["fraction"], column.fraction)
    assert tuple(data["unstable_modes"]) == column.unstable_modes


def test_marks_of_a_path_are_saved(column, tmp_path):
    save_result(column, tmp_path / "path.npz")
    data = read(tmp_path / "path.npz")
    (mark,) = column.bifurcations
    assert data["bifurcation/fraction"] == [mark.fraction]
    assert data["bifurcation/index"] == [mark.index]
    np.testing.assert_array_equal(data["bifurcation/input"], [mark.result.inputs["push"]])
    assert data["limit/fraction"].shape == data["limit/index"].shape == (0,)
    assert data["limit/input"].shape == (0, 6)


def test_a_path_that_stops_can_be_saved(column, tmp_path):
    short = fx.continuation(column[0].model, "push", (0.0, 0.1, 0.0, -0.5, 0.0, 0.0), steps=2)
    save_result(short, tmp_path / "path.npz")
    data = read(tmp_path / "path.npz")
    assert not data["converged"]
    assert "steps ran out" in str(data["status"])
    assert data["state"].shape[0] == 3
    assert data["unstable_modes"].tolist() == [-1, -1, -1]
    assert np.isnan(data["potential"][1:]).all()
