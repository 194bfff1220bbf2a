"""Robots that are measured: what calibrations find out must be what was put in."""

import numpy as np

import flexura as fx

RODS = fx.LinearStrain(elements=3)


def arm(young=1e6, radius=0.01, y=8e-3, density=1000.0, up=True):
    """A soft arm with a tendon that is pulled, one that is wound up, a load and its weight."""
    rubber = fx.Material(young=young, poisson=0.45, density=density)
    return fx.Robot(
        "arm",
        rods=[fx.Rod("arm", 0.3, fx.Circle(radius=radius), rubber)],
        joints=[fx.Weld("world", "arm.base", name="base")],
        loads=[fx.Gravity(), fx.PointLoad("pull", "arm.tip")],
        tendons=[
            fx.Tendon("left", "arm", fx.Parallel(y=y, z=0.0)),
            fx.Tendon("up", "arm", fx.Parallel(y=0.0, z=8e-3), drive="length", stiffness=1e3),
        ][: 2 if up else 1],
    )


COMMANDS = [(0.0, 0.0), (1.0, 2e-3), (2.0, 1e-3), (0.5, 5e-3)]


def seen(model, commands=COMMANDS, added=0.0, place=None, sigma=None, noise=None, **inputs):
    """Observations of a robot: positions, poses, lengths and tensions, with noise if it is given.

    Args:
        model: the robot.
        commands: inputs of the tendons.
        added: what is added to that of the first, unknown to who measures.
        place: pose of the world in the measuring system.
        sigma: what observations say of their errors.
        noise: random numbers for positions, of that size.
        inputs: others, unknown to who measures.
    """
    T = np.eye(4) if place is None else place
    found = []
    for left, up in commands:
        given = {"left": left + added, "up": up, **inputs}
        result = fx.statics(model, given).unwrap()
        tip = (T @ result.pose("arm.tip"))[:3, 3]
        middle = (T @ result.pose("arm", 0.14))[:3, 3]
        if noise is not None:
            tip, middle = tip + sigma * noise.normal(size=3), middle + sigma * noise.normal(size=3)
        more = {} if noise is not None else everything(result, T)
        places = {"arm.tip": tip, fx.At("arm", 0.14): middle}
        found.append(fx.Observation({"left": left, "up": up}, places, sigma=sigma, **more))
    return found


def everything(result, T):
    """All other kinds of measurements."""
    return {
        "poses": {
            fx.At("arm", 0.2): T @ result.pose("arm", 0.2),
            "arm.tip": T @ result.pose("arm.tip"),
        },
        "lengths": {"left": result.tendon_length("left")},
        "tensions": {"up": result.tension("up")},
    }
