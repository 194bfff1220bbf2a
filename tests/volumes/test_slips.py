"""Slips of units in volumes are asked about, and volumes where rods are meant are told so."""

import numpy as np
import pytest
from meshes import block
from support import refused

import flexura as fx

SILICONE = fx.Material(young=5e5, poisson=0.4, density=1070.0)
MESH = block((0.1, 0.02, 0.02), (3, 1, 1))
VOLUME = ["'beam' is a volume"]
PLACES = [*VOLUME, "Clamp(frame, Nodes('beam', ...))", "On('beam', (x, y, z))"]


def beam(material=SILICONE, mesh=MESH, joints=(), loads=(), **more):
    held = fx.Clamp("world", fx.Nodes("beam", box=((0, -1, -1), (0, 100, 100))))
    volume = fx.Volume("beam", mesh, material)
    return fx.Robot("beam", joints=[held, *joints], loads=loads, volumes=[volume], **more)


def made_of(**changed):
    return fx.Material(**{"young": 5e5, "poisson": 0.4, "density": 1070.0} | changed)


SLIPS = {
    "a modulus in megapascals": (
        made_of(young=0.5),
        MESH,
        "volume 'beam' has a Young's modulus of 0.5 Pa, softer than a gel: is that meant?",
    ),
    "a density in tonnes": (
        made_of(young=2e9, density=1.2),
        MESH,
        "volume 'beam' has a density of 1.2 kg/m³ and a Young's modulus of 2e+09 Pa, too light",
    ),
    "a mesh in millimetres": (
        SILICONE,
        (1e3 * MESH[0], MESH[1]),
        "volume 'beam' is 104 m long from corner to corner: is that meant? Points of meshes are",
    ),
    "no density": (
        made_of(density=0.0),
        MESH,
        "volume 'beam' has no density, and 'gravity' does nothing to it: is that meant?",
    ),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_slips_are_asked_about(slip):
    material, mesh, words = SLIPS[slip]
    robot = beam(material, mesh, loads=[fx.Gravity()])
    (doubt,) = robot.doubts
    assert doubt.startswith(words)
    assert doubt in fx.statics(fx.build(robot)).remarks


def test_they_are_asked_about_where_nothing_is_found():
    soft = beam(made_of(young=0.5), loads=[fx.Gravity()])
    result = fx.statics(fx.build(soft))
    assert not result.converged
    assert "softer than a gel" in result.remarks[0]


@pytest.mark.parametrize(
    ("material", "loads"),
    [
        (SILICONE, [fx.Gravity()]),
        (made_of(young=5e3), [fx.Gravity()]),  # a gel
        (made_of(young=1e5, density=30.0), [fx.Gravity()]),  # a foam
        (made_of(density=0.0), []),
        (made_of(density=0.0), [fx.Gravity((0.0, 0.0, 0.0))]),
    ],
)
def test_what_is_no_slip_is_not(material, loads):
    assert beam(material, loads=loads).doubts == ()


@pytest.mark.parametrize(
    "more",
    [
        {"joints": [fx.Weld("world", "beam")]},
        {"joints": [fx.Weld("world", "beam.base")]},
        {"joints": [fx.Weld("world", fx.At("beam", 0.1))]},
        {"loads": [fx.PointLoad("push", "beam.tip")]},
        {"loads": [fx.PointLoad("push", fx.At("beam", s=0.1))]},
        {"loads": [fx.LineLoad("wind", "beam", force=(0, 0, 1))]},
    ],
    ids=str,
)
def test_joints_and_loads_on_a_volume_as_on_a_rod(more):
    with refused(PLACES):
        beam(**more)


def test_a_tendon_along_a_volume():
    with refused([*VOLUME, "volume='beam' and points="]):
        beam(tendons=[fx.Tendon("cable", "beam", fx.Parallel(0.01, 0.0))])


def test_results_refuse_a_volume_as_a_rod():
    result = fx.statics(fx.build(beam()))
    with refused([*VOLUME, "result.volume('beam')"]):
        result.strain("beam", 0.1)
    for asked in ("beam", "beam.tip", fx.At("beam", s=0.1)):
        with refused(PLACES):
            result.pose(asked)
    with refused(PLACES):
        fx.sensitivity(result, "beam.tip", "beam.material.young")
    with refused([*VOLUME, "leave it out"]):
        fx.build(beam(), rods={"beam": fx.Spline()})


@pytest.mark.parametrize("move", [(0.0, 0.0, 0.0), (0.031, 0.004, 0.003)])
def test_volumes_in_the_same_place_are_asked_about(move):
    """As volumes of their own, and as pieces of one mesh; side by side they are fine."""
    points, cells = MESH
    ends = fx.Nodes("beam", box=((0, -1, -1), (0, 1, 1)))

    def asked(by):
        other = fx.Volume("other", (points + by, cells), SILICONE)
        held = fx.Clamp("world", fx.Nodes("other", indices=[0, 1, 2]))
        two = fx.Robot("two", joints=[fx.Clamp("world", ends), held],
                       volumes=[fx.Volume("beam", MESH, SILICONE), other])  # fmt: skip
        both = np.concatenate([points, points + by]), np.concatenate([cells, cells + len(points)])
        return two.doubts, beam(mesh=both).doubts

    (apart,), (inside,) = asked(np.array(move))
    assert apart.startswith("volumes 'beam' and 'other' fill the same place: is that meant?")
    assert inside.startswith("two pieces of volume 'beam' fill the same place")
    assert asked(np.array([0.0, 0.02, 0.005])) == ((), ())
