"""Motions come back from files to the last bit, and go on from there."""

import numpy as np
import pytest
from support import RUBBER

import flexura as fx
from flexura.errors import FileError
from flexura.lie import se3

VISCOUS = fx.Material(young=1e6, poisson=0.45, density=1000.0, viscosity=500.0)


def arm():
    """Two tendons, one driven by its length, a body on a driven hinge."""
    hand = se3.pose((0.01, 0.0, 0.0))
    return fx.Robot(
        "arm",
        rods=[fx.Rod("arm", 0.3, fx.Circle(0.01), VISCOUS)],
        bodies=[fx.Body("hand", mass=0.01, inertia=(1e-6, 1e-6, 1e-6))],
        joints=[
            fx.Weld("world", "arm.base"),
            fx.Hinge("wrist", "arm.tip", "hand", axis=(0, 0, 1), offset=hand, driven=True),
        ],
        loads=[fx.Gravity()],
        tendons=[
            fx.Tendon("left", "arm", fx.Parallel(8e-3, 0.0)),
            fx.Tendon("right", "arm", fx.Parallel(-8e-3, 0.0), drive="length"),
        ],
    )


def spaghetto():
    """A rod that flies."""
    rod = fx.Rod("rod", 0.5, fx.Circle(0.01), RUBBER)
    return fx.Robot("spaghetto", [rod], loads=[fx.PointLoad("push", "rod.base", force=(0, 1, 0))])


MOTIONS = {
    "arm": lambda: fx.simulate(
        fx.build(arm(), rods=fx.Spline(3, 4)),
        0.012,
        2e-3,
        {
            "left": lambda t: 100.0 * t,
            "right": lambda t: 5.0 * t**2,
            "wrist": lambda t: 100.0 * t**2,
        },
    ),
    "flying": lambda: fx.simulate(
        fx.build(spaghetto(), rods=fx.LinearStrain(2)), 0.02, 4e-3, integrator=fx.ImplicitEuler()
    ),
    "symmetric": lambda: fx.simulate(
        fx.build(spaghetto(), rods=fx.Spline(3, 2)), 0.02, 4e-3, integrator=fx.Variational()
    ),
}


@pytest.fixture(scope="module", params=MOTIONS)
def motion(request):
    return MOTIONS[request.param]().unwrap()


@pytest.fixture
def saved(motion, tmp_path):
    fx.save_result(motion, tmp_path / "motion.npz")
    return tmp_path / "motion.npz"


def rewrite(file, **changes):
    """The archive with other entries; None takes one out."""
    with np.load(file) as data:
        entries = {key: data[key] for key in data.files}
    entries.update(changes)
    np.savez(file, **{key: value for key, value in entries.items() if value is not None})


def test_a_motion_comes_back(motion, saved):
    again = fx.load_result(saved)
    assert isinstance(again, fx.Motion)
    assert again == motion
    for a, b in zip(again, motion, strict=True):
        for name in ("poses", "numbers", "rates", "momentum"):
            x, y = getattr(a.flow, name), getattr(b.flow, name)
            assert (x is None) == (y is None)
            assert x is None or x.tobytes() == y.tobytes()
        assert not a.flow.rates.flags.writeable
    assert repr(again) == repr(motion)
    assert again[0].model is again[-1].model
    frame = f"{motion.model.robot.rods[0].name}.tip"
    for name in ("t", "kinetic", "energy", "momentum", "dissipated"):
        np.testing.assert_array_equal(getattr(again, name), getattr(motion, name))
    np.testing.assert_array_equal(again.velocity(frame), motion.velocity(frame))
    rod = motion.model.robot.rods[0].name
    np.testing.assert_array_equal(
        again[-1].internal_wrench(rod, 0.1), motion[-1].internal_wrench(rod, 0.1)
    )


def test_a_motion_goes_on_from_it(motion, saved):
    """To the same bits: with the model of the file, and with one that is equal to it."""
    again = fx.load_result(saved)
    expected = fx.simulate(motion.model, 6e-3, 2e-3, start=motion[-1])
    for model in (motion.model, again.model):
        assert fx.simulate(model, 6e-3, 2e-3, start=again[-1]) == expected
    assert expected.t[0] == motion.t[-1]


def test_an_instant_comes_back_and_goes_on(motion, tmp_path):
    fx.save_result(motion[2], tmp_path / "instant.npz")
    again = fx.load_result(tmp_path / "instant.npz")
    assert isinstance(again, fx.Instant)
    assert again == motion[2]
    a, b = (fx.simulate(motion.model, 4e-3, 2e-3, start=start) for start in (again, motion[2]))
    assert a == b
    assert str(np.load(tmp_path / "instant.npz")["kind"]) == "instant"


def test_a_part_and_a_motion_that_was_cut_come_back(motion, tmp_path):
    part = motion[1:3]
    cut = fx.Motion(part.results, fx.MotionStatus.LOST, 2e-3, (0.001, 0.002))
    for one in (part, cut):
        fx.save_result(one, tmp_path / "a.npz")
        assert fx.load_result(tmp_path / "a.npz") == one
    with pytest.raises(fx.ModelError, match="no results to save"):
        fx.save_result(motion[:0], tmp_path / "b.npz")


def test_other_tools_read_it(motion, saved):
    data = np.load(saved)
    rod = motion.model.robot.rods[0].name
    np.testing.assert_array_equal(data["t"], motion.t)
    np.testing.assert_allclose(
        data[f"rod/{rod}/pose"][:, -1], motion.pose(f"{rod}.tip"), rtol=0, atol=1e-12
    )
    for name in ("kinetic", "elastic", "gravity", "dissipated", "work"):
        np.testing.assert_array_equal(data[name], getattr(motion, name))
    assert str(data["status"]) == str(motion.status)
    for name in motion.model.tendons.names:
        np.testing.assert_array_equal(data[f"tendon/{name}/tension"], motion.tension(name))


def test_entries_are_stacked(motion, saved):
    """Their number does not grow with the number of instants."""
    short = saved.with_name("short.npz")
    fx.save_result(motion[:2], short)
    assert np.load(short).files == np.load(saved).files


@pytest.mark.parametrize("part", [0.3, 0.9, 0.999])
def test_files_that_were_cut_off_are_refused(saved, part):
    content = saved.read_bytes()
    saved.write_bytes(content[: int(part * len(content))])
    with pytest.raises(FileError, match=r"cannot be read|cut off or changed"):
        fx.load_result(saved)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: {"flow/rates": None}, "has no 'flow/rates'"),
        (lambda data: {"flow/poses": data["flow/poses"][:, 1:]}, "which does not fit"),
        (lambda data: {"flow/poses": data["flow/poses"] + 1e-9}, "does not fit the model"),
        (lambda data: {"t": data["t"][::-1]}, "times do not grow"),
        (lambda data: {"motion": "FLOWN"}, "ended with 'FLOWN'"),
        (lambda data: {"cuts": np.zeros((2, 2))}, "cuts"),
    ],
)
def test_files_with_something_wrong_in_them(saved, change, message):
    with np.load(saved) as data:
        changes = change(data)
    rewrite(saved, **changes)
    with pytest.raises(FileError, match=message) as caught:
        fx.load_result(saved)
    assert str(saved) in str(caught.value)
