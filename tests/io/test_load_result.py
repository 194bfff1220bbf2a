"""Results come back from files to the last bit; files that are not sound are refused."""

import shutil
import struct
import zipfile

import numpy as np
import pytest
from model.own_mechanics import Rope
from support import RUBBER
from test_pickle import CHOICES, robot

import flexura as fx
from flexura.errors import FileError
from flexura.value import state_of

EACH = pytest.mark.parametrize("rods", CHOICES, ids=lambda c: type(c).__name__)


def round_trip(result, folder, **options):
    fx.save_result(result, folder / "saved.npz")
    return fx.load_result(folder / "saved.npz", **options)


def same_bits(a, b):
    """The same numbers to the last bit, in all that a result is made of; zeros with their sign."""
    if isinstance(a, np.ndarray):
        assert a.dtype == b.dtype
        assert a.tobytes() == b.tobytes()
        assert a.shape == b.shape
    elif isinstance(a, tuple):
        assert len(a) == len(b)
        for x, y in zip(a, b, strict=True):
            same_bits(x, y)
    elif hasattr(a, "__dataclass_fields__") and not isinstance(a, fx.Model):
        assert type(a) is type(b)
        for x, y in zip(state_of(a).values(), state_of(b).values(), strict=True):
            same_bits(x, y)
    else:
        assert type(a) is type(b)
        assert a == b


@pytest.fixture(scope="module")
def arm():
    rod = fx.Rod("arm", 0.5, fx.Circle(0.02), RUBBER)
    tip = fx.PointLoad("tip", "arm.tip")
    robot = fx.Robot("arm", [rod], [fx.Weld("world", "arm.base")], [fx.Gravity(), tip])
    return fx.build(robot, fx.LinearStrain(4))


@pytest.fixture(scope="module")
def result(arm):
    return fx.statics(arm, {"tip": (0, 0, 0, 0, 0.2, 0.1)}).unwrap()


@EACH
def test_a_result_comes_back(rods, tmp_path):
    model = fx.build(robot(), rods=rods)
    result = fx.statics(model, {"left": 0.01, "right": 0.5, "knee": 0.2}).unwrap()
    again = round_trip(result, tmp_path)
    assert again == result
    same_bits(again, result)
    assert again.model == model
    s = np.linspace(0.0, 0.5, 7)
    for ask in ("pose", "strain", "internal_wrench", "energy_density"):
        same_bits(getattr(again, ask)("arm", s), getattr(result, ask)("arm", s))
    for name in ("base", "knee"):
        same_bits(again.reaction(name), result.reaction(name))
    assert again.torque("knee") == result.torque("knee")
    assert again.tension("left") == result.tension("left")
    assert again.accuracy == result.accuracy > 0.0  # not in the file: it follows from the rest
    assert repr(again) == repr(result)
    with pytest.raises(ValueError, match="read-only"):
        again.state.numbers[0] = 1.0


@EACH
def test_a_solve_may_start_from_it(rods, tmp_path):
    """To the same bits: of the model of the file, and of one that is equal to it."""
    model = fx.build(robot(), rods=rods)
    result = fx.statics(model, {"left": 0.01}).unwrap()
    again = round_trip(result, tmp_path)
    expected = fx.statics(model, {"left": 0.012}, start=result)
    for own in (model, again.model):
        same_bits(fx.statics(own, {"left": 0.012}, start=again).state, expected.state)


def test_a_failed_solve_comes_back(arm, tmp_path):
    failed = fx.statics(arm, {"tip": (0, 0, 0, 0, 0, 0.3)}, iterations=1)
    assert not failed.converged
    same_bits(round_trip(failed, tmp_path), failed)


def test_remarks_and_joints_come_back(tmp_path):
    body = fx.Body("door", mass=3.0, center=(0.4, 0.0, 1.0))
    at = [fx.lie.se3.pose((0, 0, z)) for z in (0.2, 1.8)]
    joints = [
        fx.Hinge(f"h{i}", "world", fx.At("door", offset=T), axis=(0, 0, 1), offset=T)
        for i, T in enumerate(at)
    ]
    door = fx.Robot("door", bodies=[body], joints=joints, loads=[fx.Gravity()])
    result = fx.statics(fx.build(door))
    again = round_trip(result, tmp_path)
    assert again.remarks == result.remarks != ()
    same_bits(again, result)
    same_bits(again.reaction("h0"), result.reaction("h0"))


def test_many_results_come_back(arm, tmp_path):
    inputs = {"tip": np.eye(6)[:, [3, 4, 5, 0, 1, 2]] * 0.1}
    many = fx.statics_many(arm, inputs)
    again = round_trip(many, tmp_path)
    assert isinstance(again, fx.StaticResults)
    same_bits(again, many)
    assert again.results[0].model is again.results[-1].model
    part = round_trip(many[1:3], tmp_path)
    assert part == many[1:3]


def test_a_path_comes_back_and_goes_on(column, tmp_path):
    again = round_trip(column, tmp_path)
    assert isinstance(again, fx.EquilibriumPath)
    same_bits(again, column)
    (mark,) = again.bifurcations
    branches = [
        fx.continuation(own.model, "push", (0, 0, 0, -0.3, 0, 0), start=start, steps=3)
        for own, start in ((again, mark), (column, column.bifurcations[0]))
    ]
    same_bits(branches[0].fraction, branches[1].fraction)


@pytest.mark.parametrize("inputs", [{}, {"t": 0.5}], ids=["slack", "pulled"])
def test_the_continuous_equations_come_back(inputs, tmp_path):
    rod = fx.Rod("arm", 0.5, fx.Taper(fx.Circle(0.02), fx.Circle(0.01)), RUBBER)
    tendon = fx.Tendon("t", "arm", fx.Convergent(0.02, 0.0))
    arm = fx.Robot("arm", [rod], [fx.Weld("world", "arm.base")], [fx.Gravity()], [tendon])
    result = fx.shooting(arm, inputs).unwrap()
    again = round_trip(result, tmp_path)
    assert again == result
    s = np.linspace(0.0, 0.5, 9)
    for ask in ("pose", "strain", "internal_wrench"):
        same_bits(getattr(again, ask)("arm", s), getattr(result, ask)("arm", s))
    warm = fx.shooting(arm, {"t": 0.1}, start=again)
    assert warm.converged
    with pytest.raises(fx.ModelError, match="one by one"):
        fx.save_result(fx.StaticResults((result,)), tmp_path / "several.npz")


def test_what_a_file_cannot_hold_is_given_again(tmp_path):
    rod = fx.Rod("arm", 0.5, fx.Circle(0.02), RUBBER, rest=lambda s: (0.0, s, 0.0))
    bent = fx.build(fx.Robot("arm", [rod], [fx.Weld("world", "arm.base")], [fx.Gravity()]))
    roped = fx.build(robot(), fx.Spline(3, 4), also=[Rope("world", "arm.tip", 3.0)])
    for model in (bent, roped):
        result = fx.statics(model)
        fx.save_result(result, tmp_path / "own.npz")
        with pytest.raises(FileError, match=r"its model is not in the file.*model=model"):
            fx.load_result(tmp_path / "own.npz")
        again = fx.load_result(tmp_path / "own.npz", model=model)
        assert again.model is model
        same_bits(again, result)
    with pytest.raises(FileError, match="is of a model with the inputs"):
        fx.load_result(tmp_path / "own.npz", model=bent)


@pytest.mark.parametrize("change", ["young", "rest", "routing"])
def test_a_model_of_other_numbers_is_refused(change, tmp_path):
    """Of nodes and shapes as in the file: what is softer, bent otherwise or pulled elsewhere."""

    def arm(young=1e6, bend=1.0, beside=8e-3):
        rest = lambda s: (0.0, bend * s, 0.0)  # noqa: E731
        silicone = fx.Material(young=young, poisson=0.45, density=1000.0)
        rod = fx.Rod("arm", 0.3, fx.Circle(0.01), silicone, rest=rest)
        tendon = fx.Tendon("t", "arm", fx.Routing(lambda s: (beside, 0.01 * s)))
        weld = fx.Weld("world", "arm.base")
        return fx.build(fx.Robot("arm", [rod], [weld], [fx.Gravity()], [tendon]))

    fx.save_result(fx.statics(arm(), {"t": 1.0}).unwrap(), tmp_path / "saved.npz")
    assert fx.load_result(tmp_path / "saved.npz", model=arm()).converged
    other = {"young": arm(young=1e7), "rest": arm(bend=5.0), "routing": arm(beside=9e-3)}[change]
    with pytest.raises(FileError, match=r"does not fit the model: .* J, the file says .* J"):
        fx.load_result(tmp_path / "saved.npz", model=other)


def test_a_given_model_is_shared_or_refused(arm, result, tmp_path):
    assert round_trip(result, tmp_path, model=arm).model is arm
    finer = fx.build(arm.robot, fx.LinearStrain(8))
    with pytest.raises(FileError, match="another robot or discretization"):
        fx.load_result(tmp_path / "saved.npz", model=finer)
    with pytest.raises(fx.ModelError, match="model must be what build returns"):
        fx.load_result(tmp_path / "saved.npz", model=arm.robot)


def test_results_that_one_file_cannot_hold(result, column, tmp_path):
    with pytest.raises(fx.ModelError, match="no results to save"):
        fx.save_result(fx.StaticResults(()), tmp_path / "a.npz")
    mixed = fx.StaticResults((result, column[0]))
    with pytest.raises(fx.ModelError, match="of several models"):
        fx.save_result(mixed, tmp_path / "a.npz")
    assert list(tmp_path.iterdir()) == []


def rewrite(file, **changes):
    """The archive with other entries; None takes one out."""
    with np.load(file) as data:
        entries = {key: data[key] for key in data.files}
    entries.update(changes)
    np.savez(file, **{key: value for key, value in entries.items() if value is not None})


@pytest.fixture
def saved(result, tmp_path):
    fx.save_result(result, tmp_path / "saved.npz")
    return tmp_path / "saved.npz"


def refused(file, match):
    with pytest.raises(FileError, match=match) as caught:
        fx.load_result(file)
    assert str(file) in str(caught.value)


def test_files_that_are_none(tmp_path):
    refused(tmp_path / "no.npz", "there is no such file")
    refused(tmp_path, "cannot be read")
    with pytest.raises(FileError, match="a path must be"):
        fx.load_result(3)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"hello world", b"\x80\x04K\x01."])
def test_foreign_files(content, tmp_path):
    (tmp_path / "a.npz").write_bytes(content)
    refused(tmp_path / "a.npz", "cannot be read as a NumPy archive")
    with pytest.raises(FileError, match=r"^((?!pickle).)*$"):  # which sounds dangerous, and is not
        fx.load_result(tmp_path / "a.npz")


def test_a_robot_file_is_none(tmp_path):
    """NumPy would offer to open it "unsafely"."""
    file = tmp_path / "arm.toml"
    fx.save(robot(), file)
    with pytest.raises(FileError, match="but a robot file; load reads it") as caught:
        fx.load_result(file)
    assert "pickle" not in str(caught.value)


def test_foreign_archives(tmp_path):
    np.savez(tmp_path / "a.npz", x=np.arange(3))
    refused(tmp_path / "a.npz", "no result of flexura")
    np.save(tmp_path / "b.npy", np.arange(3))
    shutil.move(tmp_path / "b.npy", tmp_path / "b.npz")
    refused(tmp_path / "b.npz", "single NumPy array")


def test_pickles_are_not_opened(saved):
    """An array of objects would be unpickled."""
    rewrite(saved, state=np.array([{"a": 1}], dtype=object))
    refused(saved, "'state' cannot be read")


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9, 0.999])
def test_truncated_files(saved, part):
    content = saved.read_bytes()
    saved.write_bytes(content[: int(part * len(content))])
    refused(saved, "cannot be read|cut off or changed")


def test_changed_bits(saved):
    """Bits that flip inside of an array are found by the checksum of the archive."""
    with zipfile.ZipFile(saved) as archive:
        info = archive.getinfo("nodes.npy")
    content = bytearray(saved.read_bytes())
    (name, extra) = struct.unpack_from("<HH", content, info.header_offset + 26)
    where = info.header_offset + 30 + name + extra + info.compress_size // 2
    content[where] ^= 0x10
    saved.write_bytes(bytes(content))
    refused(saved, "'nodes' cannot be read|does not fit")


def test_newer_and_older_files(saved):
    rewrite(saved, format=5, version="9.1")
    refused(saved, r"format 5, by flexura 9\.1, newer than 4.*update flexura")
    rewrite(saved, format=3)
    refused(saved, "format 3, older than 4, the oldest that.*np.load")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"nodes": None}, "has no 'nodes'"),
        ({"nodes": np.zeros((2, 4, 4))}, r"has 'nodes' as float64 \(2, 4, 4\), not"),
        ({"numbers": np.array("text")}, "has 'numbers' as"),
        ({"ended": np.array("PERHAPS")}, "'PERHAPS', which is unknown"),
        ({"kind": np.array("film")}, "'film', which is unknown"),
        ({"residuals": np.empty(0)}, "without residuals"),
        ({"stable": np.array(7)}, "stability"),
        ({"robot": np.array("name = 3")}, "robot: name"),
        ({"robot": np.array("[")}, "robot: not valid TOML"),
        ({"discretization": np.array("{")}, "does not say how rods are described"),
        ({"discretization": np.array('{"arm": {"type": "Magic"}}')}, "update, or give"),
        ({"discretization": np.array('{"arm": {"type": "Spline", "degree": 99}}')}, "degree"),
        ({"discretization": np.array('{"b": {"type": "Spline"}}')}, "cannot be built"),
    ],
    ids=lambda x: next(iter(x)) if isinstance(x, dict) else "",
)
def test_files_with_something_wrong_in_them(saved, changes, message):
    rewrite(saved, **changes)
    refused(saved, message)


def test_unknowns_in_another_order_are_noticed(saved, result):
    """As another version might have them, of the same shapes."""
    rewrite(saved, state=result.state.poses[::-1])
    refused(saved, "does not fit the model: nodes are not where its unknowns put them")
    rewrite(saved, state=result.state.poses, numbers=np.roll(result.state.numbers, 3))
    refused(saved, "does not fit the model: rod 'arm' has another shape")
    rewrite(saved, state=np.full_like(result.state.poses, np.nan))
    refused(saved, "does not fit the model")


def test_lists_of_many_results_are_whole(arm, tmp_path):
    many = fx.statics_many(arm, {"tip": np.eye(6)[3:] * 0.1})
    fx.save_result(many, tmp_path / "many.npz")
    rewrite(tmp_path / "many.npz", **{"residuals/count": np.array([1, 1, 1])})
    refused(tmp_path / "many.npz", "residuals, and not those of 3 results")


def test_indices_of_a_solution_do_not_lead_out(tmp_path):
    rod = fx.Rod("arm", 0.5, fx.Circle(0.02), RUBBER)
    arm = fx.Robot("arm", [rod], [fx.Weld("world", "arm.base")], [fx.Gravity()])
    fx.save_result(fx.shooting(arm), tmp_path / "arm.npz")
    with np.load(tmp_path / "arm.npz") as data:
        keys = {k: data[k] for k in data.files if k.startswith("solution/")}
    for key in ("segment", "law/panel", "law/terms", "steps/arm", "strands/first"):
        whole = keys[f"solution/{key}"]
        rewrite(tmp_path / "arm.npz", **{f"solution/{key}": whole + 1_000_000})
        refused(tmp_path / "arm.npz", "do not fit together")
        rewrite(tmp_path / "arm.npz", **{f"solution/{key}": whole})
    rewrite(tmp_path / "arm.npz", **{"solution/low": None})
    refused(tmp_path / "arm.npz", "not complete")
