"""The figures and tables of the papers, what they show, and what reproduces them here."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

NOTHING = "no result: nothing to reproduce"
UNPUBLISHED = "not here: the measured positions are not published"


@dataclass(frozen=True)
class Shown:
    """Something that a paper shows.

    Attributes:
        theirs: its figures and tables, by number.
        what: they show.
        benchmarks: that reproduce it, without the folder.
        instead: why there are none, or what else there is.
    """

    theirs: str
    what: str
    benchmarks: tuple[str, ...] = ()
    instead: str = ""


PUBLISHED: Mapping[str, tuple[Shown, ...]] = MappingProxyType(
    {
        "lie_group_framework": (
            Shown("Figures 1 to 11, Tables 1 to 3", "symbols, bases, joints", instead=NOTHING),
            Shown("Figures 12, 13, Table 4", "rod under loads, position error", ("accuracy",)),
            Shown("Figure 14", "residual over iterations", ("iterations",)),
            Shown("Figure 15", "error over control poses, by degree", ("rate",)),
            Shown("Figures 16 to 18, Table 5", "swing, energy over 50 s", ("energy",)),
            Shown(
                "Figures 19, 20, Table 6",
                "shapes of an arm with plates and three cables, no numbers",
                instead="a picture: examples/10_cable_driven_plates.py",
            ),
            Shown(
                "Figures 21 to 24, Table 7",
                "three tubes, snapping in time, angle out over angle in",
                ("tubes.figure_23", "tubes.table_7"),
            ),
            Shown("Figure 26", "architecture, sparsity of the KKT matrix", ("chiral.kkt",)),
            Shown(
                "Figures 25, 27, Table 8",
                "four rods between plates, force over strain",
                ("chiral.curves", "chiral.paths"),
            ),
            Shown("Figures 28 to 30, Table 9", "finger, ways of its tip", ("finger",)),
        ),
        "strain_models_comparison": (
            Shown("Figure 1, Tables I, II", "notation, models", instead=NOTHING),
            Shown(
                "Figures 2, 4, 5, Table III",
                "bending, two bendings, torsion, both: errors, iterations, times",
                ("simulations", "exact", "cold_start", "work_precision"),
            ),
            Shown(
                "Figure 3",
                "curvatures of the interpolated model, no numbers",
                instead="its errors: simulations",
            ),
            Shown(
                "Figures 6 to 12, Tables IV to VI",
                "experiments with nitinol and fibreglass",
                instead=UNPUBLISHED,
            ),
        ),
        "tendon_newton_lagrange": (
            Shown("Figures 1, 2, Table I", "notation, steps of both ways", instead=NOTHING),
            Shown(
                "Figures 3 to 5, Tables II, III",
                "five routings: tips by both ways, load steps",
                ("table_iii", "discs"),
            ),
        ),
        "parallel_robot_constraint_free": (
            Shown("Figures 1 to 3, 5", "robot, elements, frames", instead=NOTHING),
            Shown(
                "Figures 4, 6, 7, Table I",
                "simulation beside an experiment",
                ("six_rods", "stewart_gough", "times"),
                instead="the simulation; the measured positions are not published",
            ),
        ),
        "fem_cosserat_coupling": (
            Shown("Figures 1 to 4", "states, coupling, sliding", instead=NOTHING),
            Shown("Figure 5, Table I", "three fingers grasp a cube", ("grasper",)),
            Shown("Figures 6 to 8", "sections, radius, pre-bent rod", ("finger",)),
            Shown("Figures 9, 10, Table I", "inverse problems", ("inverse",)),
            Shown("Table I", "times of a step", ("times",)),
        ),
    }
)
