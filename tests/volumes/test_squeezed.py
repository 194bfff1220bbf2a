"""Elements that are squeezed, or would turn inside out."""

import numpy as np
import pytest
from meshes import block

import flexura as fx
from flexura.volumes.elements import Elements, volume_ratios

SILICONE = fx.Material(young=5e5, poisson=0.3)


def pressed(law, quadratic=False):
    """A block on a wall, pressed at its other end."""
    volume = fx.Volume("block", block(cells=(4, 1, 1)), SILICONE, law=law, quadratic=quadratic)
    return fx.Robot(
        "press",
        volumes=[volume],
        joints=[fx.Clamp("world", fx.Nodes("block", box=((0, 0, 0), (0, 0.02, 0.02))))],
        loads=[fx.PointLoad("press", at=fx.Nodes("block", box=((0.1, 0, 0), (0.1, 1, 1))))],
    )


def test_loads_that_turn_elements_inside_out_are_refused_by_name():
    """More than the law can bear: its energy stays finite where volumes vanish."""
    model = fx.build(pressed("corotational"))
    result = fx.statics(model, {"press": (0, 0, 0, -100.0, 0, 0)}, iterations=300)
    assert result.status is fx.Status.SQUEEZED
    assert result.load_factor < 1.0
    (remark,) = (x for x in result.remarks if "of volume 'block' are squeezed" in x)
    state = result.volume("block")
    ratios = volume_ratios(state.elements, state.displacements)
    assert (ratios > 0.0).all()
    assert str(np.argmin(ratios)) in remark


@pytest.mark.parametrize("poisson", [0.3, 0.45, 0.49])
@pytest.mark.parametrize("law", ["saint-venant-kirchhoff", "neo-hookean"])
def test_large_turns_are_found_from_cold_in_one_step(law, poisson):
    """A thin bar that hangs down from its clamp, where it began straight."""
    limp = fx.Material(young=5e5, poisson=poisson, density=1000.0)
    volume = fx.Volume("bar", block((0.2, 0.01, 0.01), (20, 1, 1)), limp, law=law, quadratic=True)
    wall = fx.Clamp("world", fx.Nodes("bar", box=((0, 0, 0), (0, 1, 1))))
    model = fx.build(fx.Robot("bar", volumes=[volume], joints=[wall], loads=[fx.Gravity()]))
    result = fx.statics(model).unwrap()
    assert result.points("bar")[:, 2].min() < -0.15
    assert result.load_steps == 1
    assert result.iterations <= 40


def test_stretched_elements_are_not_squeezed():
    model = fx.build(pressed("neo-hookean"))
    result = fx.statics(model, {"press": (0, 0, 0, 20.0, 0, 0)}).unwrap()
    assert result.remarks == ()


def test_quadratic_elements_are_looked_at_in_their_corners():
    volume = fx.Volume("block", block(cells=(1, 1, 1)), SILICONE, quadratic=True)
    elements = Elements.of(volume)
    moved = np.zeros_like(elements.rest)
    assert volume_ratios(elements, moved) == pytest.approx(1.0)
    # the middle of an edge close to its corner: inverted there, and nowhere at the points inside
    a, b, middle = elements.rest[elements.cells[0, [0, 1, 4]]]
    moved[elements.cells[0, 4]] = a + 0.2 * (b - a) - middle
    found = volume_ratios(elements, moved)
    assert found[0] < 0.0
    gradient = elements.gradient[0] @ np.eye(3)
    F = np.eye(3) + np.einsum("ki,qkj->qij", moved[elements.cells[0]], gradient)
    assert np.linalg.det(F).min() > 0.0
