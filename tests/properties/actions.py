"""Random loads and tendons on a robot that is drawn."""

from hypothesis import strategies as st
from properties.drafts import LENGTH, OFFSET
from properties.parts import directions, parts_of, poses, routings, vectors

import flexura as fx


def add_load(draft):
    """A load of any kind."""
    draw, i = draft.draw, len(draft.loads)
    force, moment = draft.size.force, draft.size.moment
    kind = draw(st.sampled_from(["force", "wrench", "line", "pulley"]))
    frame = draw(st.sampled_from(draft.frames()))
    if kind == "line":
        rod = draft.rods[draw(st.sampled_from(list(draft.rods)))]
        start, end = draw(st.sampled_from([(0.0, None), (0.1, 0.6), (0.5, None)]))
        end = None if end is None else end * rod.length
        density = draw(vectors(0.5 * force / LENGTH))
        spin = draw(st.one_of(st.just((0.0,) * 3), vectors(0.2 * moment / LENGTH)))
        load = fx.LineLoad(
            f"line {i}", rod.name, density, spin, draw(st.booleans()), start * rod.length, end
        )
    elif kind == "pulley":
        at = draw(st.sampled_from([frame, fx.At(next(iter(draft.rods)), 0.1 * LENGTH)]))
        point = tuple(4.0 * LENGTH * x for x in draw(directions))
        load = fx.Pulley(f"pulley {i}", at, point, draw(parts_of(0.4 * force)))
    else:
        if draw(st.booleans()) and isinstance(frame, fx.At):
            frame = fx.At(frame.rod, frame.s, draw(poses(0.1 * LENGTH)))
        spin = draw(vectors(0.3 * moment)) if kind == "wrench" else (0.0, 0.0, 0.0)
        load = fx.PointLoad(
            f"load {i}", frame, draw(vectors(0.4 * force)), spin, draw(st.booleans())
        )
    draft.loads.append(load)


def add_tendon(draft):
    """A tendon along a rod, or along a chain of rods that ends there."""
    draw, name = draft.draw, f"tendon {len(draft.tendons)}"
    chain = [draw(st.sampled_from(list(draft.rods)))]
    while chain[0] in draft.before and draw(st.booleans()):
        chain.insert(0, draft.before[chain[0]])
    length = sum(draft.rods[rod].length for rod in chain)
    start, end = draw(st.sampled_from([(0.0, 1.0), (0.1, 1.0), (0.0, 0.7)]))
    drive = draw(st.sampled_from(["tension", "length"]))
    pull = 0.8 * draft.size.bending / (OFFSET * len(chain) * LENGTH)
    draft.tendons.append(
        fx.Tendon(
            name,
            chain,
            draw(routings(end * length, OFFSET, draft.functions)),
            start * length,
            end * length if end < 1.0 else None,
            drive,
            draw(st.sampled_from([None, 100.0 * pull])) if drive == "length" else None,
        )
    )
    shortening = st.integers(-3, 10).map(lambda i: 0.06 * OFFSET * i)
    tension = parts_of(float(f"{pull:.3g}"))
    draft.inputs[name] = draw(tension if drive == "tension" else shortening)
