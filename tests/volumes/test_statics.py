"""Volumes at rest: laws, tangents, references, closed forms."""

import numpy as np
import pytest
from meshes import block, cavity
from scipy.linalg import polar

import flexura as fx
from flexura.model.assemble import Assembly
from flexura.model.state import State
from flexura.volumes.elements import LAW_NUMBERS

LAWS = tuple(LAW_NUMBERS)
SILICONE = fx.Material(young=5e5, poisson=0.3, density=1000.0)
# Cantilever block of 1920 elements under its weight: displacement of the node at the middle of the
# free end [mm], by an independent code (its own tangents; St. Venant-Kirchhoff and neo-Hooke agree
# with felupe 11.3.0). That code stopped at a relative residual of 1e-9 or less.
UNDER_WEIGHT = {
    "saint-venant-kirchhoff": (-0.20443711737715375, 0.39816338686285846, -5.951734382122805),
    "corotational": (-0.19832889654297503, 0.3976266578773586, -5.959030736436647),
    "neo-hookean": (-0.19510143866764906, 0.3973003504610997, -5.964093574720551),
}


def held_block(
    law="corotational", material=SILICONE, size=(0.1, 0.02, 0.02), cells=(4, 1, 1), **more
):
    points, tetrahedra = block(size, cells)
    volume = fx.Volume("block", (points, tetrahedra), material, law=law, **more)
    left = fx.Nodes("block", box=((0, 0, 0), (0, *size[1:])))
    return fx.Robot(
        "block",
        volumes=[volume],
        joints=[fx.Clamp("world", left)],
        loads=[
            fx.Gravity((0.0, 0.0, 0.0)),
            fx.PointLoad("pull", at=fx.On("block", point=(size[0], 0.3 * size[1], 0.4 * size[2]))),
        ],
    )


@pytest.mark.parametrize("quadratic", [False, True])
@pytest.mark.parametrize("law", LAWS)
def test_force_and_tangent_of_a_robot_are_derivatives(law, quadratic):
    """A volume on a body that moves, with a tendon through it and pressure all around."""
    model = fx.build(soft_platform(law, quadratic))
    assembly, rng = Assembly(model), np.random.default_rng(1)
    inputs = model.read_inputs({"pull": 3.0, "air": 2e3, "push": (0, 0, 0, 0.1, 0.2, 0.3)})
    layout = model.layout
    begin = State(
        np.tile(np.eye(4), (layout.n_coordinates, 1, 1)), np.zeros(model.n_dof), np.zeros(0)
    )
    start = layout.retract(begin, 1e-3 * rng.normal(size=model.n_dof))
    dq, h = rng.normal(size=model.n_dof) * 1e-2, 1e-4

    def at(x):
        assembly.evaluate(layout.retract(start, x * dq), inputs)
        return assembly.potential(), assembly.residual.copy()

    (up, f_up), (down, f_down) = at(h), at(-h)
    middle, force = at(0.0)
    K = layout.structure.dense(assembly.values)
    assert (up - down) / (2 * h) == pytest.approx(force @ dq, rel=1e-5)
    assert (up - 2 * middle + down) / h**2 == pytest.approx(dq @ K @ dq, rel=1e-3)
    assert pytest.approx(K.T, abs=1e-9 * np.abs(K).max()) == K
    free = np.setdiff1d(np.arange(model.n_dof), layout.pose_dof[:, None] + np.arange(6))
    slope = (f_up - f_down) / (2 * h)  # of poses, charts differ
    assert slope[free] == pytest.approx((K @ dq)[free], abs=1e-6 * np.abs(K @ dq).max())


def soft_platform(law="corotational", quadratic=False):
    points, tetrahedra = block(cells=(4, 1, 1))
    volume = fx.Volume("block", (points, tetrahedra), SILICONE, law=law, quadratic=quadratic)
    return fx.Robot(
        "platform",
        bodies=[fx.Body("plate", mass=0.01, inertia=(1e-6, 1e-6, 1e-6))],
        volumes=[volume],
        joints=[
            fx.Clamp("world", fx.Nodes("block", box=((0, 0, 0), (0, 0.02, 0.02)))),
            fx.Clamp("plate", fx.Nodes("block", box=((0.1, 0, 0), (0.1, 0.02, 0.02)))),
        ],
        loads=[
            fx.Gravity(),
            fx.PointLoad("push", at="plate"),
            fx.Pressure("air", volume="block", surface="boundary"),
        ],
        tendons=[
            fx.Tendon(
                "pull",
                volume="block",
                points=[(0.03, 0.01, 0.018), (0.06, 0.01, 0.019), (0.1, 0.01, 0.018)],
                pull=(-0.02, 0.01, 0.02),
            )
        ],
    )


@pytest.mark.parametrize("law", LAWS)
def test_block_under_its_weight_is_where_others_have_it(law):
    robot = held_block(law, cells=(20, 4, 4))
    result = fx.statics(fx.build(robot), {"gravity": (0.0, 0.0, -9.81)}).unwrap()
    tip = np.argmin(np.linalg.norm(result.volume("block").rest - (0.1, 0.01, 0.01), axis=1))
    moved = 1e3 * result.volume("block").displacements[tip]
    assert moved == pytest.approx(UNDER_WEIGHT[law], abs=1e-7)  # 1e-9 of the size of 100 mm
    assert result.stable
    weight = 0.1 * 0.02 * 0.02 * 1000.0 * 9.81
    assert result.reaction("world-block")[3:] == pytest.approx((0.0, 0.0, weight), abs=1e-9)


@pytest.mark.parametrize("law", LAWS)
def test_small_loads_give_the_linear_solution(law):
    """Against the matrices of scikit-fem."""
    skfem = pytest.importorskip("skfem")
    from skfem.models.elasticity import lame_parameters, linear_elasticity

    points, tetrahedra = block(cells=(6, 2, 2))
    mesh = skfem.MeshTet(points.T, tetrahedra.T)
    basis = skfem.Basis(mesh, skfem.ElementVector(skfem.ElementTetP1()))
    K = linear_elasticity(*lame_parameters(5e5, 0.3)).assemble(basis)
    force = np.zeros((len(points), 3))
    tip = np.argmin(np.linalg.norm(points - (0.1, 0.02, 0.0), axis=1))
    force[tip] = (0.0, 2e-7, -1e-7)
    held = np.flatnonzero(points[:, 0] == 0.0)
    fixed = (3 * held[:, None] + np.arange(3)).ravel()
    wanted = skfem.solve(*skfem.condense(K, force.ravel(), D=fixed)).reshape(-1, 3)
    volume = fx.Volume("block", (points, tetrahedra), SILICONE, law=law)
    load = fx.PointLoad("f", at=fx.Nodes("block", indices=[tip]), force=force[tip])
    clamp = fx.Clamp("world", fx.Nodes("block", indices=held))
    result = fx.statics(fx.build(fx.Robot("b", volumes=[volume], joints=[clamp], loads=[load])))
    # what is left is of second order in the displacements, which are 1e-7 of the size
    moved = result.unwrap().volume("block").displacements
    assert moved == pytest.approx(wanted, abs=1e-5 * np.abs(wanted).max())


def first_stress(law, F, lam=5e5 * 0.3 / (1.3 * 0.4), mu=5e5 / 2.6):
    """P(F) [Pa], by the laws as they are written."""
    if law == "neo-hookean":
        return mu * (F - np.linalg.inv(F).T) + lam * np.log(np.linalg.det(F)) * np.linalg.inv(F).T
    if law == "saint-venant-kirchhoff":
        E = 0.5 * (F.T @ F - np.eye(3))
        return F @ (lam * np.trace(E) * np.eye(3) + 2.0 * mu * E)
    R, S = polar(F)
    e = S - np.eye(3)
    return R @ (lam * np.trace(e) * np.eye(3) + 2.0 * mu * e)


@pytest.mark.parametrize("quadratic", [False, True])
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("stretch", [(0.0, 0.0, 0.0), (0.15, -0.1, 0.2)])
def test_patch(law, quadratic, stretch):
    """Nodes of the surface move as x = F X + t: so do those inside, and the stress is that of F.

    F = R (1 + d eᵀ), so that what lies in a plane across e moves as a rigid body, and one frame
    holds it. Without d it is a rotation, and there is no stress.
    """
    points, tetrahedra = block((1.0, 1.0, 1.0), (3, 3, 3))
    inside = ((points > 0.1) & (points < 0.9)).all(axis=1)[:, None]
    turn = np.array([[1, 2, 0], [0, 1, 3], [2, 0, 1]])
    points = points + 0.05 * np.sin(7.0 * points @ turn) * inside
    volume = fx.Volume("block", (points, tetrahedra), SILICONE, law=law, quadratic=quadratic)
    x = volume.elements.points
    outer = np.flatnonzero(((x < 1e-9) | (x > 1 - 1e-9)).any(axis=1))
    R = fx.lie.so3.exp((0.4, 1.2, -0.8))
    F, t = R @ (np.eye(3) + np.outer(stretch, (1.0, 0.0, 0.0))), np.array((0.3, -0.2, 0.5))
    bodies, joints, inputs = [], [], {}
    planes = np.linspace(0.0, 1.0, 7 if quadratic else 4)
    for i, plane in enumerate(planes):
        own = outer[np.abs(x[outer, 0] - plane) < 1e-6]
        bodies.append(fx.Body(f"b{i}", mass=1.0))
        joints += [
            fx.Weld("world", f"b{i}", name=f"w{i}"),
            fx.Clamp(f"b{i}", fx.Nodes("block", indices=own)),
        ]
        moved = R @ np.array(stretch) * plane + t
        inputs[f"w{i}"] = fx.lie.se3.pose(position=moved, rotation=(0.4, 1.2, -0.8))
    robot = fx.Robot("b", bodies=bodies, volumes=[volume], joints=joints)
    result = fx.statics(fx.build(robot), inputs).unwrap()
    state = result.volume("block")
    assert state.points == pytest.approx(x @ F.T + t, abs=1e-10)
    P = first_stress(law, F)
    stress = P @ F.T / np.linalg.det(F)
    assert np.abs(state.stress - stress).max() < 1e-6  # of 5e5 Pa
    pulls = [R @ result.reaction(f"b{i}-block")[3:] for i in range(len(bodies))]
    assert planes @ np.array(pulls) == pytest.approx(P[:, 0], abs=1e-6)  # of a cube of 1 m³


@pytest.mark.parametrize(("poisson", "least", "most"), [(0.3, 0.97, 0.36), (0.49, 0.87, 0.11)])
def test_quadratic_elements_do_not_lock(poisson, least, most):
    """Part of the deflection of Timoshenko's beam under its weight, two elements across.

    Quadratic elements reach at least so much, linear ones at most so much.
    """
    rubber = fx.Material(young=5e5, poisson=poisson, density=1000.0)
    area, inertia, weight = 1e-4, 1e-8 / 12.0, 1e-5
    beam = weight * 1e-4 / (8 * 5e5 * inertia)
    beam += weight * 1e-2 / (2 * 5 / 6 * rubber.shear_modulus * area)

    def tip(quadratic):
        robot = held_block(
            material=rubber, size=(0.1, 0.01, 0.01), cells=(10, 2, 2), quadratic=quadratic
        )
        state = fx.statics(fx.build(robot), {"gravity": (0, 0, -1e-4)}).unwrap().volume("block")
        return -state.displacements[state.rest[:, 0] > 0.0999, 2].mean()

    assert least < tip(True) / beam < 1.0
    assert tip(False) / beam < most


def test_quadratic_elements_converge_to_a_beam():
    """Part of Timoshenko's deflection that is missing: elements longer than the bar is thick.

    Curvature is constant along them: of second order in their length. Poisson's ratio is 0, so that
    the clamp does not hinder the cross-section.
    """
    length, thick = 0.5, 0.01
    foam = fx.Material(young=5e5, poisson=0.0, density=1000.0)
    weight, inertia = 1000.0 * thick**2 * 1e-6, thick**4 / 12.0
    beam = weight * length**4 / (8 * 5e5 * inertia)
    beam += weight * length**2 / (2 * 5 / 6 * foam.shear_modulus * thick**2)
    missing = []
    for count in (4, 8, 16, 32):
        size, cells = (length, thick, thick), (count, 1, 1)
        robot = held_block(material=foam, size=size, cells=cells, quadratic=True)
        state = fx.statics(fx.build(robot), {"gravity": (0, 0, -1e-6)}).unwrap().volume("block")
        tip = -state.displacements[state.rest[:, 0] > 0.999 * length, 2].mean()
        missing.append(1.0 - tip / beam)
    orders = np.log2(np.divide(missing[:-1], missing[1:]))
    assert (orders > 1.9).all()
    assert 0.0 < missing[-1] < 3e-4


@pytest.mark.parametrize("law", LAWS)
def test_quadratic_elements_bend_evenly_without_any_force(law):
    """u = k (-x z, 0, x²/2) is even bending for Poisson's ratio 0, by stress at the end only."""
    foam = fx.Material(young=5e5, poisson=0.0)
    robot = held_block(law, foam, cells=(3, 2, 2), quadratic=True)
    model = fx.build(robot)
    particles, k = model.layout.particles, 1e-5
    x, z = particles.rest[:, 0], particles.rest[:, 2] - 0.01
    bent = k * np.stack([-x * z, 0.0 * x, 0.5 * x**2], axis=1)
    free, numbers = particles.dof >= 0, np.zeros(model.n_dof)
    numbers[particles.dof[free][:, None] + np.arange(3)] = bent[free]
    assembly = Assembly(model)
    assembly.evaluate(State(np.empty((0, 4, 4)), numbers, np.empty(0)), model.read_inputs({}))
    force = assembly.particles.force
    end, begin = x > 0.1 - 1e-9, x < 1e-9
    moment = 5e5 * k * 0.02**4 / 12.0
    second = (k * 0.1) ** 2 * 5e5 * 0.02**2  # what is left is of second order in k, and below 1e-4
    assert np.abs(force[~end & ~begin]).max() < second < 1e-4 * moment / 0.02
    assert -force[end, 0] @ z[end] == pytest.approx(moment, rel=1e-4)


def test_quadratic_elements_are_those_of_scikit_fem():
    skfem = pytest.importorskip("skfem")
    from skfem.models.elasticity import lame_parameters, linear_elasticity

    points, tetrahedra = block(cells=(3, 1, 1))
    mesh = skfem.MeshTet(points.T, tetrahedra.T)
    basis = skfem.Basis(mesh, skfem.ElementVector(skfem.ElementTetP2()))
    K = linear_elasticity(*lame_parameters(5e5, 0.3)).assemble(basis)
    weight = skfem.LinearForm(lambda v, w: -1e-3 * v[2]).assemble(basis)
    fixed = basis.get_dofs(lambda x: x[0] < 1e-9).all()
    wanted = skfem.solve(*skfem.condense(K, weight, D=fixed))
    at = basis.doflocs.T
    robot = held_block(cells=(3, 1, 1), quadratic=True)
    result = fx.statics(fx.build(robot), {"gravity": (0.0, 0.0, -1e-6)}).unwrap()
    state = result.volume("block")
    for i, x in enumerate(at):
        node = np.argmin(np.linalg.norm(state.rest - x, axis=1))
        component = i % 3
        moved = state.displacements[node, component]
        assert moved == pytest.approx(wanted[i], abs=1e-4 * np.abs(wanted).max())


def test_nearly_incompressible_blocks_keep_their_volume():
    rubber = fx.Material(young=5e5, poisson=0.499)
    robot = held_block("neo-hookean", rubber, cells=(5, 1, 1), quadratic=True)
    result = fx.statics(fx.build(robot), {"pull": (0, 0, 0, 0.1, 0.0, 0.02)}).unwrap()
    state = result.volume("block")
    assert np.ptp(state.points[:, 0]) > 0.1001
    assert state.volume == pytest.approx(4e-5, rel=2e-3)


def test_pressure_in_a_cavity_does_work_on_its_volume():
    cells = (5, 3, 3)
    hole = [(i, 1, 1) for i in (1, 2, 3)]
    points, tetrahedra = block((0.05, 0.03, 0.03), cells, hole)
    walls = cavity(points, tetrahedra, (0.01, 0.01, 0.01), (0.04, 0.02, 0.02))
    volume = fx.Volume("b", (points, tetrahedra), SILICONE, surfaces={"chamber": walls})
    robot = fx.Robot(
        "b",
        volumes=[volume],
        joints=[fx.Clamp("world", fx.Nodes("b", box=((0, 0, 0), (0, 0.03, 0.03))))],
        loads=[fx.Pressure("air", volume="b", surface="chamber")],
    )
    model = fx.build(robot)
    results = [fx.statics(model, {"air": p}).unwrap() for p in (0.0, 9.9e3, 1e4, 1.01e4)]
    volumes = [-result.evaluation.conjugate[0] for result in results]
    assert volumes[0] == pytest.approx(0.03 * 0.01 * 0.01)
    assert volumes[2] > volumes[0]
    # dU = p dV along equilibria
    gained = results[3].energy - results[1].energy
    assert gained == pytest.approx(1e4 * (volumes[3] - volumes[1]), rel=1e-4)


def test_pressure_all_around_makes_a_cube_smaller_as_its_bulk_modulus_says():
    points, tetrahedra = block((0.01, 0.01, 0.01), (2, 2, 2))
    volume = fx.Volume("b", (points, tetrahedra), SILICONE)
    corner = fx.Nodes("b", indices=[0])
    robot = fx.Robot(
        "b",
        volumes=[volume],
        bodies=[fx.Body("pin", mass=0.0)],
        joints=[fx.Clamp("pin", corner), fx.Ball("ball", "world", "pin")],
        loads=[fx.Pressure("air", volume="b", surface="boundary")],
    )
    lam, mu = volume.lame
    bulk, p = lam + 2.0 / 3.0 * mu, 100.0
    model = fx.build(robot)
    # nothing but one point is held: motions that meet no force change no strain
    assembly = Assembly(model)
    side = 1.0 - p / (3.0 * bulk)
    numbers = np.zeros(model.n_dof)
    own = model.layout.particles
    free = own.dof >= 0
    numbers[own.dof[free][:, None] + np.arange(3)] = (side - 1.0) * points[free]
    start = State(np.tile(np.eye(4), (model.layout.n_coordinates, 1, 1)), numbers, np.zeros(0))
    assembly.evaluate(start, model.read_inputs({"air": p}))
    # the law is linear in the stretch, the pressure acts on the smaller area: (1 - ε)²
    assert np.abs(assembly.residual).max() < 2.1 * (1.0 - side) * p * 1e-4 / 4.0


def test_tendons_by_length_pull_or_hang():
    points, tetrahedra = block(cells=(6, 2, 2))
    volume = fx.Volume("block", (points, tetrahedra), SILICONE)
    robot = fx.Robot(
        "b",
        volumes=[volume],
        joints=[fx.Clamp("world", fx.Nodes("block", box=((0, 0, 0), (0, 0.02, 0.02))))],
        tendons=[
            fx.Tendon(
                "t",
                volume="block",
                drive="length",
                pull=(-0.01, 0.01, 0.018),
                points=[(x, 0.01, 0.018) for x in (0.02, 0.04, 0.06, 0.08, 0.1)],
            )
        ],
    )
    model = fx.build(robot)
    taut = fx.statics(model, {"t": 4e-3}).unwrap()
    assert taut.tendon_length("t") == pytest.approx(0.11 - 4e-3, abs=1e-10)
    assert taut.tension("t") > 0.0
    assert taut.points("block")[:, 2].max() > 0.021  # it bends towards the tendon
    by_tension = fx.build(
        fx.Robot(
            "b",
            volumes=[volume],
            joints=robot.joints,
            tendons=[
                fx.Tendon(
                    "t", volume="block", points=robot.tendons[0].points, pull=(-0.01, 0.01, 0.018)
                )
            ],
        )
    )
    same = fx.statics(by_tension, {"t": taut.tension("t")}).unwrap()
    assert same.points("block") == pytest.approx(taut.points("block"), abs=1e-9)
    slack = fx.statics(model, {"t": -1e-3}).unwrap()
    assert slack.slack("t")
    assert np.abs(slack.volume("block").displacements).max() < 1e-12


def test_rigid_motions_of_everything_change_nothing():
    base = soft_platform()
    turned = fx.lie.se3.pose(position=(0.2, -0.1, 0.4), rotation=(0.7, -0.9, 0.3))
    R, t = turned[:3, :3], turned[:3, 3]
    volume = base.volumes[0]
    points = volume.mesh.points @ R.T + t
    moved = fx.Robot(
        "moved",
        volumes=[fx.Volume("block", (points, volume.mesh.cells), SILICONE)],
        joints=[fx.Clamp("world", fx.Nodes("block", indices=base.joints[0].nodes.find(volume)))],
        loads=[
            fx.PointLoad(
                "f", at=fx.On("block", R @ (0.1, 0.01, 0.01) + t), force=R @ (0.2, 0.1, 0.3)
            )
        ],
    )
    still = fx.Robot(
        "still",
        volumes=[volume],
        joints=[base.joints[0]],
        loads=[fx.PointLoad("f", at=fx.On("block", (0.1, 0.01, 0.01)), force=(0.2, 0.1, 0.3))],
    )
    a, b = (fx.statics(fx.build(robot)).unwrap() for robot in (still, moved))
    assert b.points("block") == pytest.approx(a.points("block") @ R.T + t, abs=1e-9)
    assert b.energy == pytest.approx(a.energy, rel=1e-9)
    assert b.volume("block").von_mises == pytest.approx(a.volume("block").von_mises, rel=1e-6)
    pose = b.pose(fx.On("block", R @ (0.052, 0.011, 0.007) + t))
    before = a.pose(fx.On("block", (0.052, 0.011, 0.007)))
    # axes of points are those of the world where the mesh is at rest, however it lies there
    assert pose[:3, :3] == pytest.approx(R @ before[:3, :3] @ R.T, abs=1e-9)
    assert pose[:3, 3] == pytest.approx(R @ before[:3, 3] + t, abs=1e-9)


@pytest.mark.parametrize("names", ["ab", "ba"])
def test_bodies_that_only_volumes_hold_are_at_the_origin(names):
    """A plate on the end of a block, with rods on it: as soft as the block alone, in any order."""
    points, tetrahedra = block((0.1, 0.02, 0.02), (4, 1, 1))
    steel = fx.Material(young=1e11, poisson=0.3)
    offsets = {"a": (0.1, 0.005, 0.01), "b": (0.1, 0.015, 0.01)}
    ends = [fx.Nodes("v", box=((x, 0, 0), (x, 1, 1))) for x in (0.0, 0.1)]
    robot = fx.Robot(
        "r",
        rods=[fx.Rod(name, 0.05, fx.Circle(1e-3), steel) for name in names],
        bodies=[fx.Body("plate")],
        volumes=[fx.Volume("v", (points, tetrahedra), SILICONE)],
        joints=[fx.Clamp("world", ends[0]), fx.Clamp("plate", ends[1])]
        + [
            fx.Weld("plate", f"{x}.base", offset=fx.lie.se3.pose(position=offsets[x]))
            for x in names
        ],
        loads=[fx.PointLoad("f", at="a.tip", force=(0.0, 0.0, -1e-6))],
    )
    result = fx.statics(fx.build(robot, rods=fx.LinearStrain(2))).unwrap()
    assert result.pose("plate") == pytest.approx(np.eye(4), abs=1e-5)
    assert result.pose("a.tip")[:3, 3] == pytest.approx((0.15, 0.005, 0.01), abs=1e-6)
