import numpy as np
import pytest
from support import refused

from flexura.errors import ModelError
from flexura.robot import Circle, Material, Rectangle, Rod, Section, Taper, Tube

STEEL = Material(young=8.0, shear=3.0, density=10.0)
CIRCLE = Circle(1e-3)


def rod(**changes):
    return Rod(**{"name": "r", "length": 2.0, "section": CIRCLE, "material": STEEL} | changes)


def test_stiffness_is_torsion_bending_stretch_shear():
    stiffness = rod(section=Section(2.0, 3.0, 5.0, 7.0), shear_factor=0.5).stiffness(0.3)
    assert stiffness.tolist() == [3 * 7, 8 * 3, 8 * 5, 8 * 2, 0.5 * 3 * 2, 0.5 * 3 * 2]


def test_properties_follow_the_taper():
    tapered = rod(section=Taper(Section(4, 4, 4, 4), Section(2, 2, 2, 2)))
    assert tapered.section_at(1.0) == Section(3, 3, 3, 3)
    assert [tapered.mass_per_length(s) for s in (0.0, 1.0, 2.0)] == [40.0, 30.0, 20.0]
    assert tapered.stiffness(2.0)[3] == 16.0


def test_inertia_is_that_of_the_section():
    """The polar moment is Iy + Iz, whatever the torsion constant is."""
    inertia = rod(section=Section(2.0, 3.0, 5.0, 7.0)).inertia(0.3)
    assert inertia.tolist() == pytest.approx([80.0, 30.0, 50.0, 20.0, 20.0, 20.0], rel=1e-15)
    ring = rod(section=Tube(2e-3, 1e-3)).inertia([0.0, 2.0])[1]
    moment = 10.0 * np.pi / 4.0 * (2.0**4 - 1.0) * 1e-12
    np.testing.assert_allclose(ring[:3], [2.0 * moment, moment, moment], rtol=1e-14)


def test_mass_and_moments_per_arc_length_instead_of_the_section():
    taper = Taper(Section(4, 4, 8, 4), Section(2, 2, 4, 2))
    line = rod(section=taper, line_mass=6, line_inertia=np.array([3, 2, 1]))
    s = np.array([0.0, 1.0, 2.0])
    assert line.mass_per_length(s).tolist() == [6.0] * 3
    assert line.inertia(s).tolist() == [[3.0, 2.0, 1.0, 6.0, 6.0, 6.0]] * 3
    assert line.inertia(1.0).shape == (6,)
    assert line.inertia([]).shape == (0, 6)
    spread = rod(section=taper, line_mass=6.0).inertia(s)  # radii of gyration are 1 and √2
    np.testing.assert_allclose(spread, [[18.0, 6.0, 12.0, 6.0, 6.0, 6.0]] * 3, rtol=1e-15)
    only_moments = rod(section=taper, line_inertia=(0, 0, 0)).inertia(s)
    assert only_moments[:, 3].tolist() == [40.0, 30.0, 20.0]
    assert not only_moments[:, :3].any()
    assert not rod(line_mass=0).inertia(s).any()


def test_a_line_mass_of_density_times_area_is_that_density():
    solid, line = rod(), rod(material=Material(8.0, 0.3), line_mass=10.0 * np.pi * 1e-6)
    np.testing.assert_allclose(line.inertia(0.5), solid.inertia(0.5), rtol=1e-15)


def test_viscosity_resists_stretch_of_fibres_three_times_as_much_as_shear():
    thick = Material(young=8.0, shear=3.0, viscosity=2.0)
    of_section = rod(material=thick, section=Section(2.0, 3.0, 5.0, 7.0)).viscosity([0.3])
    assert of_section.tolist() == [[14.0, 18.0, 30.0, 12.0, 4.0, 4.0]]
    assert not rod().viscosity(0.0).any()


@pytest.mark.parametrize(
    "section",
    [
        CIRCLE,
        Taper(Circle(2e-3), Circle(1e-3)),
        Taper(Tube(3e-3, 1e-3), Tube(2e-3, 0.0)),
        Taper(Rectangle(1e-3, 5e-3), Rectangle(3e-3, 2e-3)),
        Taper(Section(4, 4, 4, 4), Section(2, 3, 2, 1)),
    ],
)
def test_many_arc_lengths_at_once_are_each_of_them(section):
    for rest in (None, (1, 2, 3), lambda s: (s, 0, -s, 1.1, 0, 0)):
        one = rod(section=section, rest=rest)
        s = np.array([[0.0, 0.3, 1.0], [1.7, 2.0, 2.0 * (1 + 1e-13)]])
        queries = one.stiffness, one.rest_strain, one.mass_per_length, one.inertia, one.viscosity
        for query in queries:
            each = [[query(x) for x in row] for row in s.tolist()]
            np.testing.assert_array_equal(query(s), each)
        exact = [[one.section_at(x).torsion for x in row] for row in s.tolist()]
        np.testing.assert_array_equal(one.stiffness(s)[..., 0], 3.0 * np.array(exact))
        assert one.stiffness([]).shape == one.rest_strain([]).shape == (0, 6)


@pytest.mark.parametrize("s", [[0.1, 2.001], [np.nan], ["tip"], [[0.0], [0.0, 1.0]], [True]])
def test_each_arc_length_is_on_the_rod(s):
    one = rod(line_mass=1.0, line_inertia=(0, 0, 0))
    for query in (rod().stiffness, rod().rest_strain, rod().mass_per_length, rod().lengths):
        with pytest.raises(ModelError, match="Rod 'r': s must be"):
            query(s)
    for query in (one.mass_per_length, one.inertia, one.viscosity):
        with pytest.raises(ModelError, match="Rod 'r': s must be"):
            query(s)


@pytest.mark.parametrize("rest", [None, (0, 0, 3), lambda s: (0, s, 0)])
def test_a_piece_is_the_rod_between_two_arc_lengths(rest):
    own = {"line_mass": 2.0, "line_inertia": (1.0, 2.0, 3.0)}
    whole = rod(section=Taper(Circle(1e-2), Circle(1e-3)), rest=rest, **own)
    piece = whole.piece(1.0, 1.5)
    assert piece.length == 0.5
    assert piece.section_at(0.0).radius == pytest.approx(0.0055, rel=1e-15)
    s = np.linspace(0.0, 0.5, 7)
    np.testing.assert_allclose(piece.stiffness(s), whole.stiffness(1.0 + s), rtol=1e-14)
    np.testing.assert_array_equal(piece.inertia(s), whole.inertia(1.0 + s))
    np.testing.assert_array_equal(piece.rest_strain(s), whole.rest_strain(1.0 + s))
    assert whole.piece(0.0, 2.0) is whole


def test_a_piece_outside_the_rod():
    for ends in ((-0.1, 1.0), (1.0, 2.1), (1.5, 1.0)):
        with pytest.raises(ModelError, match=r"Rod 'r': (begin|end|length) must be"):
            rod().piece(*ends)


@pytest.mark.parametrize(
    ("rest", "strain"),
    [
        (None, [0, 0, 0, 1, 0, 0]),
        ((1, 2, 3), [1, 2, 3, 1, 0, 0]),
        (np.array([1.0, 2.0, 3.0]), [1, 2, 3, 1, 0, 0]),
        ([1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6]),
        (lambda s: (0, 0, s), [0, 0, 0.5, 1, 0, 0]),
        (lambda s: np.array([0, 0, s, 1.1, 0, 0]), [0, 0, 0.5, 1.1, 0, 0]),
    ],
)
def test_rest_strain(rest, strain):
    value = rod(rest=rest).rest_strain(0.5)
    assert value.dtype == np.float64
    assert value.tolist() == strain


def test_equal_rods_have_equal_hashes():
    first, second = rod(rest=[0, 0, 1]), rod(rest=np.array([0.0, 0.0, 1.0]), length=np.int64(2))
    assert first == second
    assert hash(first) == hash(second)
    assert first != rod(rest=(0, 0, 2))
    assert rod(line_inertia=[1, 1, 1]) == rod(line_inertia=np.ones(3)) != rod(line_mass=1.0)
    assert hash(rod(line_mass=1)) == hash(rod(line_mass=np.float64(1.0)))
    shape = lambda s: (0, 0, s)  # noqa: E731
    assert rod(rest=shape) == rod(rest=shape)


def test_a_miss_by_rounding_is_the_tip():
    assert rod(length=0.3).clamp(0.1 + 0.2) == 0.3


@pytest.mark.parametrize("s", [-1e-3, 2.001, float("nan"), None, "tip"])
def test_outside_the_rod(s):
    for query in (rod().section_at, rod().stiffness, rod().rest_strain, rod().mass_per_length):
        with pytest.raises(ModelError, match="Rod 'r': s must be"):
            query(s)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": ""}, ["Rod", "name", "''", "such as"]),
        ({"name": " r"}, ["name", "' r'"]),
        ({"name": "a\nb"}, ["name", "printable"]),
        ({"name": 3}, ["name", "got 3"]),
        ({"name": "a.b"}, ["name", "without '.'", "'a.b'"]),
        ({"name": "a@1"}, ["name", "'@'", "'a@1'"]),
        ({"name": "world"}, ["name", "other than 'world'"]),
        ({"length": 0.0}, ["Rod 'r'", "length", "> 0", "0.0"]),
        ({"length": "2 m"}, ["length", "'2 m'", "plain number"]),
        ({"section": 1e-3}, ["section", "Circle or Tube", "float 0.001"]),
        ({"section": Circle}, ["section", "the class Circle"]),
        ({"section": STEEL}, ["section", "Material"]),
        ({"material": "steel"}, ["material", "Material", "'steel'"]),
        ({"rest": (1, 2)}, ["rest", "3 or 6", "(1, 2)", "list"]),
        ({"rest": (1, 2, float("nan"))}, ["rest[2]", "finite", "nan"]),
        ({"rest": "straight"}, ["rest", "'straight'"]),
        ({"rest": [[0, 0, 1]]}, ["rest", "3 or 6"]),
        ({"rest": (0, 0, 0, 0, 0, 0)}, ["rest", "stretch", "> 0", "is 1"]),
        ({"shear_factor": 0}, ["shear_factor", "> 0"]),
        ({"line_mass": -1}, ["Rod 'r'", "line_mass", ">= 0", "-1"]),
        ({"line_mass": np.inf}, ["line_mass", "finite", "inf"]),
        ({"line_mass": (1, 2)}, ["line_mass", "finite number", "(1, 2)"]),
        ({"line_inertia": 1.0}, ["Rod 'r'", "line_inertia", "3 finite numbers"]),
        ({"line_inertia": (1, 1, -1)}, ["line_inertia[2]", ">= 0", "-1"]),
        ({"line_inertia": (3, 1, 1)}, ["line_inertia", "sum of the others", "(3, 1, 1)"]),
        ({"material": Material(1e50, 0.3), "section": Circle(1e10)}, ["stiffness", "units"]),
        ({"material": Material(1, 0.3, density=1e50), "section": Circle(1e10)}, ["e+70 kg/m"]),
    ],
)
def test_bad_values_are_named(changes, words):
    with refused(words):
        rod(**changes)


@pytest.mark.parametrize(
    ("rest", "words"),
    [
        (lambda s: 1 / s, ["s = 0.0 m", "ZeroDivisionError", "6 strains"]),
        (lambda s: (0, 0, 1 / (2 - s)), ["s = 2.0 m", "ZeroDivisionError"]),
        (lambda s: (0, 0) if s == 1 else (0, 0, 0), ["s = 1.0 m", "3 or 6", "(0, 0)"]),
        (lambda s: None, ["s = 0.0 m", "None"]),
        (lambda s: (0, 0, np.inf), ["s = 0.0 m", "rest[2]", "inf"]),
        (lambda: (0, 0, 0), ["s = 0.0 m", "TypeError"]),
        (lambda s: (0, 0, 0, 1 - s, 0, 0), ["s = 1.0 m", "stretch"]),
    ],
)
def test_a_bad_rest_function_is_named_with_its_arc_length(rest, words):
    with refused(["Rod 'r'", "rest", *words]):
        rod(rest=rest)


def test_the_cause_of_a_failing_rest_function_is_kept():
    with pytest.raises(ModelError) as caught:
        rod(rest=lambda s: {}["k"])
    assert isinstance(caught.value.__cause__, KeyError)


def test_a_rest_function_may_fail_later():
    late = rod(rest=lambda s: (0, 0, np.nan if s == 0.3 else 0))
    with pytest.raises(ModelError, match=r"s = 0\.3 m"):
        late.rest_strain(0.3)
