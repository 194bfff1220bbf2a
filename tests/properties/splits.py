"""Robots with a rod cut in two."""

from dataclasses import replace

from properties.drafts import Case

import flexura as fx


def split(case, name, s):
    """The robot with a rod cut at an arc length [m], and its parts welded together."""
    whole = case.robot.rod(name)
    first, second = _halves(whole, s)

    def frame(old):
        if old == f"{name}.tip":
            return f"{second.name}.tip"
        if isinstance(old, fx.At) and old.rod == name and old.s > s:
            return replace(old, rod=second.name, s=min(old.s - s, second.length))
        return old

    def joint(old):
        if isinstance(old, fx.Motor):
            return replace(old, drives=[(frame(b), T) for b, T in old.installed])
        return replace(old, a=frame(old.a), b=frame(old.b))

    def tendon(old):
        chain = [
            part for rod in old.rods for part in ([rod, second.name] if rod == name else [rod])
        ]
        return replace(old, rod=chain)

    loads = []
    for old in case.robot.loads:
        if isinstance(old, fx.LineLoad) and old.rod == name:
            loads += _line_halves(old, first, second)
        else:
            loads.append(
                old if isinstance(old, fx.Gravity | fx.LineLoad) else replace(old, at=frame(old.at))
            )
    robot = fx.Robot(
        case.robot.name,
        [part for rod in case.robot.rods for part in ((first, second) if rod is whole else (rod,))],
        [*map(joint, case.robot.joints), fx.Weld(f"{name}.tip", f"{second.name}.base")],
        loads,
        [tendon(old) for old in case.robot.tendons],
        case.robot.bodies,
    )
    return Case(robot, case.inputs, {**case.rods, second.name: case.rods[name]})


def _halves(whole, s):
    """The parts of a rod before and after an arc length."""
    section, rest, part = whole.section, whole.rest, s / whole.length
    sections, rests = (section, section), (rest, rest)
    if isinstance(section, fx.Taper):
        cut = section.at(part)
        sections = fx.Taper(section.base_section, cut), fx.Taper(cut, section.tip_section)
    if callable(rest):
        rests = whole.rest_strain, lambda x: whole.rest_strain(min(s + x, whole.length))
    return (
        replace(whole, length=s, section=sections[0], rest=rests[0]),
        replace(
            whole,
            name=f"{whole.name} beyond",
            length=whole.length - s,
            section=sections[1],
            rest=rests[1],
        ),
    )


def _line_halves(load, first, second):
    """A line load on both parts of a rod, as far as it reaches."""
    s, end = first.length, first.length + second.length if load.end is None else load.end
    halves = []
    if load.start < s:
        halves.append(replace(load, end=min(end, s)))
    if end > s:
        begin, stop = max(load.start - s, 0.0), min(end - s, second.length)
        name = f"{load.name} beyond" if halves else load.name
        halves.append(replace(load, name=name, rod=second.name, start=begin, end=stop))
    return halves
