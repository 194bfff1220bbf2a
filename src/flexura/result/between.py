"""An instant between two others: everything follows a cubic with their places and velocities.

x(u) = (3 - 2u) u² d + h u (1 - u)² v₀ + h u² (u - 1) v₁',    u = (t - t₀)/h

for frames in the exponential chart of the first instant, in which v₁ is v₁' = J_r(d)⁻¹ v₁.
"""

from dataclasses import replace

import numpy as np

from flexura.lie import se3
from flexura.model.assemble import Assembly
from flexura.model.motion.account import account_of
from flexura.model.motion.flow import Flow
from flexura.result.instant import Instant
from flexura.typing import Array, frozen


def instant_between(first: Instant, last: Instant, t: float) -> Instant:
    """The instant at a time between two others."""
    tracks, h = first.tracks, last.t - first.t
    u = (t - first.t) / h
    split = 6 * tracks.n_frames
    d = tracks.displacement(first.flow.places, last.flow.places)
    v = np.stack([first.flow.rates[0], last.flow.rates[0]])
    inverse = se3.dexpinv(d[:split].reshape(-1, 6))
    v[1, :split] = np.einsum("nij,nj->ni", inverse, v[1, :split].reshape(-1, 6)).ravel()
    x, rate, bend = _cubic(u, h, d, v)
    twist, slope = x[:split].reshape(-1, 6), rate[:split].reshape(-1, 6)
    rate[:split] = np.einsum("nij,nj->ni", se3.dexp(twist), slope).ravel()
    on_the_way = replace(first.flow, rates=frozen(np.stack([x, x, x])))
    given = first.given.towards(last.given, u)
    given = tracks.moved_inputs(given, first.given, on_the_way, 1.0)
    model = tracks.moving.model
    dq = tracks.increments(x)
    multipliers = u * (last.state.multipliers - first.state.multipliers)
    state = model.layout_at(given).retract(first.state, dq, multipliers)
    numbers = state.numbers.copy()
    held = model.layout.multiplier
    numbers[held] += u * (last.state.numbers - first.state.numbers)[held]
    state = replace(state, numbers=frozen(numbers))
    assembly = Assembly(model)
    assembly.evaluate_residual(state, given)
    flow = Flow(state, *tracks.read(assembly), frozen(np.stack([rate, bend, bend])))
    assembly.move_from(tracks.now(flow))
    assembly.evaluate_residual(state, given)
    elastic, gravity = account_of(assembly.model).energies(assembly)
    return replace(
        first,
        state=state,
        given=given,
        evaluation=assembly.evaluation(),
        iterations=0,
        t=t,
        flow=flow,
        elastic=elastic,
        gravity=gravity,
        dissipated=first.dissipated + u * (last.dissipated - first.dissipated),
        work=first.work + u * (last.work - first.work),
    )


def _cubic(u: float, h: float, d: Array, v: Array) -> tuple[Array, Array, Array]:
    """x, its rate and its acceleration."""
    x = (3.0 - 2.0 * u) * u**2 * d + h * (u * (1.0 - u) ** 2 * v[0] + u**2 * (u - 1.0) * v[1])
    rate = 6.0 * u * (1.0 - u) / h * d + (1.0 - u) * (1.0 - 3.0 * u) * v[0]
    rate += u * (3.0 * u - 2.0) * v[1]
    bend = (6.0 - 12.0 * u) / h**2 * d + ((6.0 * u - 4.0) * v[0] + (6.0 * u - 2.0) * v[1]) / h
    return x, rate, bend
