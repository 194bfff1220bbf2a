"""Blocks on slopes that are tilted far in one increment: what friction holds stays, and no more."""

import numpy as np
import pytest
from contact_laws import check_contacts
from solve.contact.still_scenes import World, standing

import flexura as fx

G = 9.81


def tilted(seed):
    """A random block on a plane, and gravity within its cone of friction, twice, then beyond it."""
    rng = np.random.default_rng(seed)
    friction = float(rng.choice([0.3, 0.6, 1.0]))
    limit, parts = np.arctan(friction), {"obstacles": (None, None)}
    while len(parts["obstacles"]) > 1:  # no wall
        parts, _ = standing(rng, World(), friction)
    inside = limit * rng.uniform(0.0, 0.97, 3)
    angles = np.append(inside, limit + np.radians(rng.uniform(1.5, 10.0)))
    ways = rng.uniform(0.0, 2.0 * np.pi, 4)
    down = np.stack([np.sin(angles) * np.cos(ways), np.sin(angles) * np.sin(ways), -np.cos(angles)])
    return fx.build(fx.Robot("tilted", **parts)), list(G * down.T)


# Soft and stiff ones, linear and quadratic.
@pytest.mark.parametrize("seed", [9, 12, 29, 34, 37])
def test_a_block_stays_where_friction_holds_it(seed):
    """Without its contacts its own stresses turn it over, and other solutions lift it off."""
    model, (first, *inside, beyond) = tilted(seed)
    volume = model.robot.volumes[0]
    mass = volume.mesh.volumes.sum() * volume.material.density
    result = fx.statics(model, {"gravity": first}).unwrap()
    for gravity in inside:
        before, result = result, fx.statics(model, {"gravity": gravity}, start=result).unwrap()
        check_contacts(result)
        force = sum(x.force for x in result.contacts)
        np.testing.assert_allclose(force, -mass * gravity, atol=1e-6 * mass * G)
        moved = np.abs(result.points("block") - before.points("block")).max()
        assert moved <= 0.05 * model.length  # what the softest give under their own weight
    found = fx.statics(model, {"gravity": beyond}, start=result)
    assert found.status is fx.Status.UNHELD
