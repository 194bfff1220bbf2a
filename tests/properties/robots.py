"""Random robots with all that statics takes: trees and loops, bodies, joints, loads, tendons.

Loads are moderate, so that most robots have one equilibrium: together they are about as large as
EI / L², where L is the length of all rods together.
"""

import numpy as np
from hypothesis import strategies as st
from properties.actions import add_load, add_tendon
from properties.drafts import FALL, LENGTH, Draft, sizes
from properties.parts import directions, parts_of, poses, signed, vectors

import flexura as fx
from flexura.lie import se3


def add_tree(draft):
    """Rods that hang from the world or from each other, each held in one place."""
    draw = draft.draw
    for i in range(draft.size.rods):
        places = ["world"]
        for rod in reversed(draft.rods.values()):
            places += [f"{rod.name}.tip", fx.At(rod.name, 0.5 * rod.length)]
        places += [body.name for body in draft.bodies]
        place = draw(st.sampled_from(places[1:] + places[:1]))
        rod = draft.add_rod("abc"[i])
        end = draw(st.sampled_from(["base", "base", "tip", "inside"]))
        frame = fx.At(rod.name, 0.3 * rod.length) if end == "inside" else f"{rod.name}.{end}"
        draft.hold(place, frame, draw(poses(0.3 * LENGTH)))
        tip = isinstance(place, str) and place.endswith(".tip")
        if end == "base" and tip:
            draft.before[rod.name] = place.removesuffix(".tip")
        if draw(st.integers(0, 3)) == 3:
            add_body(draft, f"{rod.name}.{'base' if end == 'tip' else 'tip'}")


def add_body(draft, frame):
    """A heavy body at a frame."""
    name, mass = f"body {len(draft.bodies)}", draft.draw(parts_of(0.2 * draft.size.force / FALL))
    center = draft.draw(vectors(0.1 * LENGTH))
    draft.bodies.append(fx.Body(name, mass, center=center))
    draft.hold(frame, name, draft.draw(poses(0.1 * LENGTH)))


def add_bridge(draft):
    """A rod that is held at both ends, nearly where it ends without load."""
    draw = draft.draw
    rod = draft.add_rod("bridge", constant=True)
    begin, miss = draw(poses(2.0 * LENGTH)), draw(poses(0.05 * LENGTH, 0.2))
    draft.hold("world", "bridge.base", begin, motion=0.2)
    end = begin @ se3.exp(rod.length * rod.rest_strain(0.0)) @ miss
    add_free(draft, "far end", "world", "bridge.tip", end, "weld hinge slider ball")


def add_free(draft, name, a, b, offset, kinds):
    """A joint that moves freely, or a weld."""
    kind = draft.draw(st.sampled_from(kinds.split()))
    if kind == "weld":
        draft.joints.append(fx.Weld(a, b, offset))
    elif kind == "ball":
        draft.joints.append(fx.Ball(name, a, b, offset))
    else:
        cls = {"hinge": fx.Hinge, "slider": fx.Slider}[kind]
        draft.joints.append(cls(name, a, b, draft.draw(directions), offset))


def add_platform(draft):
    """A body on legs, which reach it nearly without load."""
    draw = draft.draw
    legs = draw(st.integers(2, 4))
    plate = draw(poses(2.0 * LENGTH))
    mass = draw(parts_of(0.2 * draft.size.force / FALL))
    draft.bodies.append(fx.Body("plate", mass))
    common, feet = draw(st.integers(0, 3)) == 3, []
    for i in range(legs):
        leg = draft.add_rod(f"leg {i}", constant=True)
        around = se3.pose(rotation=(2.0 * np.pi * i / legs, 0.0, 0.0))
        place = around @ se3.pose(position=(0.0, 0.3 * LENGTH, 0.0))
        miss = draw(poses(0.03 * LENGTH, 0.1))
        reach = se3.exp(leg.length * leg.rest_strain(0.0)) @ miss
        foot = f"{leg.name}.base", plate @ place @ se3.inverse(reach)
        if common:
            feet.append(foot)
        else:
            draft.hold("world", *foot, motion=0.2)
        kinds = "weld hinge ball" if legs > 2 else "weld hinge"
        frame = fx.At("plate", offset=place)
        add_free(draft, f"ankle {i}", f"{leg.name}.tip", frame, None, kinds)
    if common:
        draft.joints.append(fx.Motor("turntable", draw(directions), (0.0, 0.0, 0.0), feet))
        draft.inputs["turntable"] = draw(signed(0.5))


LOOPS = {"none": (), "bridge": (add_bridge,), "platform": (add_platform,)}


@st.composite
def cases(draw, loops=tuple(LOOPS), tendons=2, loads=3, functions=True):
    """Robots with inputs, in descriptions of any kind.

    Args:
        loops: kinds of closed loops that a robot may have.
        tendons: how many there are at most.
        loads: likewise, without gravity.
        functions: whether rest shapes and routings may be functions.
    """
    draft = Draft(draw, draw(sizes), functions)
    loop = draw(st.sampled_from(loops))
    if loop == "none" or draw(st.booleans()):
        add_tree(draft)
    for add in LOOPS[loop]:
        add(draft)
    for _ in range(draw(st.integers(0, loads))):
        add_load(draft)
    for _ in range(draw(st.integers(0, tendons))):
        add_tendon(draft)
    if draw(st.booleans()):
        draft.loads.append(fx.Gravity(tuple(FALL * x for x in draw(directions))))
    return draft.case()
