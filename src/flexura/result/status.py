"""How a solve can end."""

from enum import Enum


class Status(Enum):
    """A sentence for every way a solve can end."""

    CONVERGED = "converged: equilibrium found with the full load in one step"
    CONTINUED = "converged: equilibrium found in steps, by raising the load or along a path"
    RELAXED = (
        "converged: equilibrium found by moving downhill with the full load; "
        "raising the load in steps may lead to another one"
    )
    MOVING = "converged: forces and inertia are in balance at this instant of a motion"
    UNSTABLE = (
        "unstable: an equilibrium with the full load was found, but no stable one; the least "
        "disturbance leads away from it: lower the load, hold the robot, start from another result "
        "or ask for it with seek_stable=False"
    )
    SINGULAR = (
        "not converged: the tangent is singular, at a buckling point or an unconstrained motion; "
        "perturb the load or hold the robot"
    )
    UNHELD = (
        "not converged: a load acts along a motion that nothing resists; the result's remarks name "
        "it: hold the robot there or take that load away"
    )
    LIMIT = (
        "not converged: no equilibrium found beyond a part of the load (see load_factor), a limit "
        "point or a load beyond what the robot can carry; lower the load or start elsewhere"
    )
    APART = (
        "not converged: a rod is held with its ends further apart than it is long, and its "
        "description cannot stretch; bring the ends together or give it stretch"
    )
    FAR = (
        "not converged: inputs or offsets take parts of the robot twice as far as its rods reach; "
        "positions are in metres: check them, or bring the parts together"
    )
    OPEN = (
        "not converged: a loop cannot be closed; the result's remarks tell the joint and the gap "
        "that is left: bring its frames within reach of the rods"
    )
    SWITCHED_OFF = (
        "not converged: a rod is held at both ends by a description with strain components "
        "switched off that the end poses or loads may need; switch on torsion, stretch or shear"
    )
    PULLED = (
        "not converged: no equilibrium found beyond a part of the load (see load_factor); a tendon "
        "is driven by its length, perhaps shorter than the robot can bend: shorten it less"
    )
    COARSE = (
        "not converged: rods are too coarse: an element turns by more than its description can "
        "tell, elements buckle by themselves, or no stable equilibrium was found and what was "
        "found is far from exact; use more spans or elements, the result's remarks advise how many"
    )
    UNSOLVED = (
        "not converged: contact and friction were not solved to their tolerance beyond a part of "
        "the load (see load_factor): go in smaller increments from start=, leave out contacts that "
        "hold the same twice, or take less friction"
    )
    SQUEEZED = (
        "not converged: elements of a volume are squeezed to less than half of their volume, or "
        "would turn inside out; the result's remarks name them: lower the load, let more nodes "
        "share it, refine the mesh there, or use law='neo-hookean', which resists"
    )
    UNTHREADED = (
        "not converged: a rod has been moved out of a point of a volume that it is threaded "
        "through, and no longer passes it; the result's remarks name the point: move the rod less, "
        "make it longer, or leave the point out"
    )
    EXHAUSTED = (
        "not converged: the iterations ran out; allow more with iterations=, refine the "
        "discretization or start from a nearby result"
    )

    @property
    def converged(self) -> bool:
        """Whether the solve found an equilibrium, and a stable one if that was asked for."""
        return self in (Status.CONVERGED, Status.CONTINUED, Status.RELAXED, Status.MOVING)

    @property
    def equilibrium(self) -> bool:
        """Whether the solve found an equilibrium, be it unstable where a stable one was asked."""
        return self.converged or self is Status.UNSTABLE

    def __str__(self) -> str:
        return self.value
