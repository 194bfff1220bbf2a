"""Volumes in motion, and small motions about equilibria."""

import numpy as np
import pytest
from meshes import block

import flexura as fx
from flexura import view


def beam(damping=(0.0, 0.0), quadratic=False, viscosity=0.0):
    soft = fx.Material(young=5e5, poisson=0.3, density=1000.0, viscosity=viscosity)
    volume = fx.Volume("beam", block(cells=(6, 1, 1)), soft, damping=damping, quadratic=quadratic)
    return fx.Robot(
        "beam",
        volumes=[volume],
        joints=[fx.Clamp("world", fx.Nodes("beam", box=((0, 0, 0), (0, 0.02, 0.02))))],
        loads=[
            fx.Gravity((0.0, 0.0, 0.0)),
            fx.PointLoad("tip", at=fx.On("beam", (0.1, 0.01, 0.01))),
        ],
    )


@pytest.mark.parametrize("quadratic", [False, True])
def test_frequencies_are_those_of_scikit_fem(quadratic):
    skfem = pytest.importorskip("skfem")
    from scipy.sparse.linalg import eigsh
    from skfem.models.elasticity import lame_parameters, linear_elasticity

    points, tetrahedra = block(cells=(6, 1, 1))
    mesh = skfem.MeshTet(points.T, tetrahedra.T)
    element = skfem.ElementTetP2() if quadratic else skfem.ElementTetP1()
    basis = skfem.Basis(mesh, skfem.ElementVector(element), intorder=4)
    K = linear_elasticity(*lame_parameters(5e5, 0.3)).assemble(basis)
    M = skfem.BilinearForm(lambda u, v, w: 1000.0 * sum(u * v)).assemble(basis)
    free = basis.complement_dofs(basis.get_dofs(lambda x: x[0] < 1e-9))
    square = eigsh(K[free][:, free], k=4, M=M[free][:, free], sigma=0.0, return_eigenvectors=False)
    wanted = np.sqrt(np.sort(square)) / (2.0 * np.pi)
    modes = fx.modes(fx.statics(fx.build(beam(quadratic=quadratic))), count=4)
    assert modes.frequency == pytest.approx(wanted, rel=1e-6)


def test_energy_stays_without_damping_and_goes_where_it_is_said_to_with_it():
    for damping in ((0.0, 0.0), (2.0, 2e-3)):
        model = fx.build(beam(damping))
        start = fx.statics(model, {"tip": (0, 0, 0, 0, 0, -0.02)}).unwrap()
        ends = []
        for step in (2e-3, 1e-3):
            motion = fx.simulate(
                model, 0.1, step, start=start, inputs={"tip": (0,) * 6},
                integrator=fx.GeneralizedAlpha(rho=1.0),
            ).unwrap()  # fmt: skip
            change = motion.energy + motion.dissipated - motion.work - motion.energy[0]
            ends.append(np.abs(change).max() / motion.energy[0])
        assert ends[1] < 0.02
        assert ends[1] < 0.4 * ends[0]  # of second order in the step
        lost = motion.energy[-1] / motion.energy[0]
        assert lost < 0.9 if any(damping) else lost == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize(
    ("integrator", "order"), [(fx.GeneralizedAlpha(), 2), (fx.ImplicitEuler(), 1)], ids=str
)
@pytest.mark.parametrize("drive", ["length", "tension"])
def test_energy_is_accounted_for_where_damping_is_strong(integrator, order, drive):
    """β = 0.1 s, a hundred times the step: what a tendon gives is stored, moved or dissipated."""
    soft = fx.Material(young=5e5, poisson=0.3, density=1000.0)
    volume = fx.Volume("beam", block(cells=(4, 1, 1)), soft, damping=(0.1, 0.1))
    way = [(x, 0.01, 0.018) for x in (0.03, 0.06, 0.1)]
    robot = fx.Robot(
        "beam",
        volumes=[volume],
        joints=[fx.Clamp("world", fx.Nodes("beam", box=((0, 0, 0), (0, 0.02, 0.02))))],
        tendons=[fx.Tendon("t", volume="beam", points=way, pull=(-0.01, 0.01, 0.018), drive=drive)],
    )
    model, most = fx.build(robot), {"length": 4e-3, "tension": 1.0}[drive]
    ends = []
    for step in (4e-3, 2e-3):
        motion = fx.simulate(
            model, 0.08, step, inputs={"t": lambda t: most * np.sin(np.pi * t / 0.16) ** 2},
            integrator=integrator,
        ).unwrap()  # fmt: skip
        off = motion.energy + motion.dissipated - motion.work - motion.energy[0]
        ends.append(np.abs(off).max() / motion.work[-1])
    assert motion.dissipated[-1] > 0.3 * motion.work[-1]
    assert ends[1] < {1: 0.03, 2: 1e-3}[order]
    assert ends[1] < 1.15 * 0.5**order * ends[0]


def test_a_weight_that_falls_comes_to_rest_where_statics_has_it():
    model = fx.build(beam((5.0, 5e-3)))
    weight = {"gravity": (0.0, 0.0, -2.0)}
    still = fx.statics(model, weight).unwrap()
    motion = fx.simulate(model, 3.0, 0.05, inputs=weight, integrator=fx.ImplicitEuler()).unwrap()
    assert motion[-1].points("beam") == pytest.approx(still.points("beam"), abs=1e-6)


def test_one_linearisation_a_step_is_off_by_the_third_power_of_the_step():
    """Beside steps that are solved to the end, with a rod through the block that is pulled."""
    cable = fx.Material(young=5e9, poisson=0.3, density=2000.0)
    silicone = fx.Material(young=5e5, poisson=0.3, density=1000.0)
    way = [(x, 0.01, 0.015) for x in (0.03, 0.06, 0.1)]
    soft = fx.Volume("block", block(cells=(4, 1, 1)), silicone, damping=(0.1, 0.05))
    base = fx.lie.se3.pose((0.0, 0.01, 0.015))
    robot = fx.Robot(
        "finger",
        rods=[fx.Rod("cable", 0.1, fx.Circle(5e-4), cable)],
        volumes=[soft],
        joints=[
            fx.Clamp("world", fx.Nodes("block", box=((0, 0, 0), (0, 1, 1)))),
            fx.Slider("pull", "world", "cable.base", (-1, 0, 0), base, driven=True),
            fx.Threaded("cable", "block", points=way),
        ],
    )
    model = fx.build(robot, rods=fx.ConstantStrain(3))
    inputs, ends = {"pull": lambda t: 2e-3 * np.sin(10.0 * t) ** 2}, {}
    for h in (0.01, 0.005):
        for linearised in (True, False):
            by = fx.ImplicitEuler(linearised=linearised)
            motion = fx.simulate(model, 0.1, h, inputs, integrator=by, every=20).unwrap()
            ends[h, linearised] = motion[-1].points("block")
    apart = [np.abs(ends[h, True] - ends[h, False]).max() for h in (0.01, 0.005)]
    assert np.abs(ends[0.01, False] - soft.mesh.points).max() > 1e-3
    assert apart[0] < 2e-5
    assert np.log2(apart[0] / apart[1]) > 2.3


def test_integrators_that_know_no_volumes_say_so():
    with pytest.raises(fx.ModelError, match="know no volumes"):
        fx.simulate(fx.build(beam()), 0.1, 0.01, integrator=fx.Variational())


def test_without_any_mass_it_says_what_to_give():
    light = fx.Volume("beam", block(cells=(1, 1, 1)), fx.Material(young=5e5, poisson=0.3))
    wall = fx.Clamp("world", fx.Nodes("beam", box=((0, 0, 0), (0, 0.02, 0.02))))
    model = fx.build(fx.Robot("beam", volumes=[light], joints=[wall]))
    for ask in (lambda: fx.simulate(model, 0.1, 0.01), lambda: fx.modes(fx.statics(model))):
        with pytest.raises(fx.ModelError, match="volume 'beam' a density"):
            ask()


def test_plots_need_no_frames():
    model = fx.build(beam())
    motion = fx.simulate(model, 0.01, 0.005, inputs={"tip": (0, 0, 0, 0, 0, -0.02)}).unwrap()
    (energy,) = view.plot(motion).axes
    assert energy.get_ylabel() == "energy [J]"
    for what in ("position", "velocity", "path"):
        with pytest.raises(fx.ModelError, match=rf"whose {what} could be plotted.*On\("):
            view.plot(motion, what)
    tip = fx.On("beam", (0.1, 0.01, 0.01))
    place, speed, *paths = view.plot(motion, ["position", "velocity", "path"], frames=tip).axes
    assert len(paths) == 3
    z = place.lines[2].get_ydata()
    np.testing.assert_array_equal(z, motion.pose(tip)[:, 2, 3])
    v = speed.lines[2].get_ydata()
    assert v[-1] == pytest.approx((z[-1] - z[-2]) / 0.005, rel=0.5)
    assert v[-1] < 0.0
