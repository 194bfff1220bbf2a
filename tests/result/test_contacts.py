"""What results say of contacts: places, forces of both sides together, tables, words, arrows."""

import numpy as np
import pytest

import flexura as fx
from flexura.cli.motion_report import report_motion
from flexura.cli.report import report
from flexura.view.contact import contact_arrows, contact_labels

G = 9.81
RUBBER = fx.Material(young=1e6, poisson=0.4, density=1000.0)
RADIUS = 8e-3
TABLE = fx.Obstacle("table", fx.Plane(normal=(0, 0, 1), point=(0, 0, 0)))


def box_on_a_table(size=0.1, friction=0.3):
    mass = 1000.0 * size**3
    inertia = (mass * size**2 / 6,) * 3
    robot = fx.Robot(
        "box",
        bodies=[fx.Body("box", mass=mass, inertia=inertia, shape=fx.Box(size, size, size))],
        loads=[fx.Gravity()],
        obstacles=[TABLE],
        contacts=[fx.Contact("box", "table", friction=friction)],
    )
    return fx.build(robot), mass


def slid(size, speed, h):
    """A box that was given a push on its table, after five steps."""
    model, _ = box_on_a_table(size)
    place = {"box": fx.lie.se3.pose((0.0, 0.0, 0.5 * size))}
    velocity = {"box": (0.0, 0.0, 0.0, speed, 0.0, 0.0)}
    return fx.simulate(model, 5 * h, h, place=place, velocity=velocity).unwrap()


@pytest.fixture(scope="module")
def pushed():
    return slid(0.1, 0.5, 1e-3)


@pytest.fixture(scope="module")
def crossed():
    """Two rods that cross, the second one pressed up against the first."""
    where = fx.lie.se3.pose((0.18, -0.12, -0.03), (0.1, 0.2, 1.5))
    lift = fx.Slider("lift", "world", "bar.base", axis=(0, 0, 1), offset=where, driven=True)
    robot = fx.Robot(
        "crossing",
        rods=[fx.Rod(x, 0.3, fx.Circle(radius=RADIUS), RUBBER) for x in ("arm", "bar")],
        joints=[fx.Weld("world", "arm.base"), lift],
        contacts=[fx.Contact("arm", "bar")],
    )
    model = fx.build(robot, rods=fx.Spline(3, 8))
    free = fx.statics(model).unwrap()
    return free, fx.statics(model, {"lift": 0.04}, start=free).unwrap()


@pytest.mark.parametrize(
    ("size", "speed", "h"), [(0.1, 0.5, 1e-3), (2e-5, 1e-4, 2e-7), (0.1, 1e-3, 1e-8)]
)
def test_what_slides_does_so_however_short_the_step_and_small_the_robot(size, speed, h):
    places = slid(size, speed, h)[-1].contacts
    assert places
    for x in places:
        assert np.linalg.norm(x.rubbing) == pytest.approx(0.3 * x.pressing, rel=1e-6)
        assert x.sliding
        assert not x.sticking


def test_what_is_at_rest_sticks():
    model, _ = box_on_a_table()
    place = {"box": fx.lie.se3.pose((0.0, 0.0, 0.05))}
    last = fx.simulate(model, 5e-3, 1e-3, place=place).unwrap()[-1]
    assert last.contacts
    assert all(x.sticking for x in last.contacts)


def test_forces_of_all_places_together(pushed):
    """Weight and friction, at the place below the centre but for what friction tips."""
    last, mass = pushed[-1], 1.0
    force = np.array([-0.3 * mass * G, 0.0, mass * G])
    assert last.pressing("box", "table") == pytest.approx(mass * G, rel=1e-9)
    found = last.contact_wrench("box", "table")
    np.testing.assert_allclose(found[3:], force, atol=1e-9 * mass * G)
    np.testing.assert_allclose(last.contact_wrench("table", "box"), -found, rtol=1e-12)
    # the box does not turn: friction at its foot tips it by m g μ z, and so the force is ahead
    about = last.contact_wrench("box", "table", frame="box")
    np.testing.assert_allclose(about[:3], 0.0, atol=1e-6 * mass * G * 0.1)
    at = last.contact_point("box", "table")
    center = last.pose("box")[:3, 3]
    np.testing.assert_allclose(at, [center[0] + 0.3 * 0.05, center[1], 0.0], atol=1e-6)
    np.testing.assert_allclose(found[:3], np.cross(at, force), atol=1e-6 * mass * G)


def test_motions_answer_along_the_time(pushed):
    assert pushed.pressing("box", "table").shape == (6,)
    assert pushed.contact_wrench("box", "table").shape == (6, 6)
    assert pushed.contact_point("box", "table").shape == (6, 3)
    table = pushed.contact_table()
    counts = [len(x.contacts) for x in pushed]
    np.testing.assert_array_equal(np.bincount(table["number"], minlength=6), counts)
    forces = np.bincount(table["number"], weights=table["pressing"], minlength=6)
    np.testing.assert_allclose(forces, pushed.pressing("box", "table"), rtol=1e-12)
    assert {len(column) for column in table.values()} == {sum(counts)}


def test_places_on_both_rods(crossed):
    """Where the axes are nearest, they are two radii apart, with the place between them."""
    _, result = crossed
    (x,) = result.contacts
    arm, bar = (result.pose(name, s)[:3, 3] for name, s in (("arm", x.s_a), ("bar", x.s_b)))
    assert x.s == x.s_a
    # links are chords of rods
    np.testing.assert_allclose(np.linalg.norm(arm - bar), 2 * RADIUS, rtol=1e-2)
    np.testing.assert_allclose(0.5 * (arm + bar), x.point, atol=1e-2 * RADIUS)
    assert result.contact_table()["s_b"] == [x.s_b]


def test_what_does_not_touch(crossed):
    free, result = crossed
    assert free.pressing("arm", "bar") == 0.0
    assert not free.contact_wrench("bar", "arm").any()
    assert np.isnan(free.contact_point("arm", "bar")).all()
    assert all(len(column) == 0 for column in free.contact_table().values())
    with pytest.raises(fx.ModelError, match="no contact of 'crossing'"):
        result.pressing("arm", "table")


def test_results_tell_what_touches(crossed, pushed):
    free, result = crossed
    assert "nothing touches" in str(free)
    force = f"{result.pressing('arm', 'bar'):.4g} N"
    assert f"arm on bar at 1 place ({force}, without friction)" in str(result)
    assert "arm on bar" in result._repr_html_()
    places = len(pushed[-1].contacts)
    assert f"box on table at {places} places (9.81 N, up to" in str(pushed[-1])
    assert f"{places} sliding" in str(pushed[-1])


def test_reports_have_a_table_of_contacts(crossed, pushed):
    line = next(x for x in report(crossed[1]).splitlines() if x.startswith("arm on bar"))
    assert f"{crossed[1].pressing('arm', 'bar'):.6g}" in line
    text = report_motion(pushed)
    assert "box on table [N]" in text
    assert "9.81" in text.split("box on table [N]")[1]


def test_pictures_have_the_forces(crossed):
    _, result = crossed
    (arrow,) = contact_arrows(result, 0.3)
    (x,) = result.contacts
    assert arrow.role == "contact"
    np.testing.assert_allclose(arrow.path[0], x.point)
    np.testing.assert_allclose(np.cross(arrow.path[1] - arrow.path[0], x.force), 0.0, atol=1e-12)
    (label,) = contact_labels(result, 0.3)
    assert label.text == f"bar on arm {x.pressing:.3g} N"


def test_pictures_and_words_have_one_number_for_a_contact(pushed):
    """What presses, also where friction rubs besides."""
    result = next(x for x in pushed if any(y.rubbing.any() for y in x.contacts))
    (label,) = contact_labels(result, 0.3)
    pressing = result.pressing("box", "table")
    total = np.linalg.norm(result.contact_wrench("box", "table")[3:])
    assert total > 1.01 * pressing
    assert label.text == f"table on box {pressing:.3g} N"
