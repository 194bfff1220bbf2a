"""Several results in one picture."""

import numpy as np
import pytest
from view.view_robots import arm, chain, hollow, platform, puppet, solved

import flexura as fx
from flexura.errors import ModelError
from flexura.view import scene
from flexura.view.style import PALETTE


def pulled(*forces):
    model = fx.build(arm())
    return [fx.statics(model, {"pull": (0, 0, 0, 0, f, 0)}).unwrap() for f in forces]


def test_every_result_is_where_it_is_alone():
    results = pulled(0.5, 1.0)
    both = scene(results)
    for surface, result in zip(both.of("rod"), results, strict=True):
        points = scene(result).of("rod")[0].points
        np.testing.assert_allclose(surface.points, points, rtol=0.0, atol=1e-15)
    low, high = both.points.min(axis=0), both.points.max(axis=0)
    for surface in both.of("rod"):
        assert (surface.points >= low).all()
        assert (surface.points <= high).all()
    assert both.extent >= max(scene(result, ghost=False).extent for result in results)


@pytest.mark.parametrize("color", ["bending", "moment_z"])
def test_they_share_one_scale(color):
    results = pulled(0.5, 2.0)
    alone = [scene(result, color).scale.limits for result in results]
    low, high = scene(results, color).scale.limits
    assert (low, high) == (min(a for a, _ in alone), max(b for _, b in alone))


def test_a_result_without_strain_does_not_blow_up_the_scale():
    weightless = {"gravity": (0.0, 0.0, 0.0), "pull": np.zeros(6)}
    nothing = fx.statics(fx.build(arm()), weightless)
    assert scene(nothing).scale.limits[1] == 1.0
    (some,) = pulled(0.1)
    assert scene([nothing, some]).scale.limits == scene(some).scale.limits


def test_in_plain_colours_each_has_its_own():
    results = pulled(0.5, 1.0, 1.5)
    assert [rod.color for rod in scene(results, None).of("rod")] == list(PALETTE[:3])
    assert {rod.color for rod in scene([solved(chain), solved(arm)], None).of("rod")[:3]} == {
        PALETTE[0]
    }
    assert [rod.color for rod in scene(solved(chain), None).of("rod")] == list(PALETTE[:3])


def test_what_all_have_in_one_place_is_drawn_once():
    results = pulled(0.5, 3.0)
    both = scene(results)
    assert len(both.of("holder")) == 1
    assert [axes.name for axes in both.axes] == ["world", "arm.tip", "arm.tip"]
    assert len(both.of("ghost")) == 1
    assert sum(arrow.role == "gravity" for arrow in both.arrows) == 1
    assert sum(arrow.name == "pull" for arrow in both.arrows) == 2


def test_only_their_names_are_written():
    results = pulled(0.5, 1.0)
    assert [label.text for label in scene(results).labels] == ["gravity 9.81 m/s²"]
    labels = scene(results, None, names=["weak", "strong"]).labels
    assert [label.text for label in labels] == ["weak", "strong", "gravity 9.81 m/s²"]
    for label, result, color in zip(labels, results, PALETTE, strict=False):
        tip = result.pose("arm.tip")[:3, 3]
        np.testing.assert_allclose(label.point, tip, rtol=0.0, atol=1e-15)
        assert label.color == color
    alone = scene(results[0], names=["weak"]).labels
    assert {"weak", "pull 0.5 N"} <= {label.text for label in alone}
    assert scene(results, names=["weak", "strong"], labels=False).labels == ()


def test_robots_and_results_of_different_models_are_shown_together():
    found = scene([solved(arm), chain(), solved(platform)])
    assert found.title == "arm, chain, platform"
    assert found.remark == "chain: unloaded"
    assert [rod.values is None for rod in found.of("rod")] == [False, *[True] * 3, *[False] * 4]
    assert scene([arm(), chain()]).scale is None


def test_many_and_paths_are_sequences():
    many = fx.statics_many(fx.build(puppet()), {"a": [0.2, 0.4]}).unwrap()
    assert len(scene(many).of("rod")) == 2


@pytest.mark.parametrize("names", ["ab", ["a"], ["a", "b", "c"], ["a", 2], 3])
def test_names_that_do_not_fit_are_refused(names):
    with pytest.raises(ModelError, match="names must be 2 texts, one for each"):
        scene([arm(), chain()], names=names)


@pytest.mark.parametrize("subject", [[], (), [3], [[arm()]]])
def test_what_cannot_be_shown_is_refused(subject):
    with pytest.raises(ModelError, match="a view shows"):
        scene(subject)


def test_rods_with_tendons_inside_are_like_glass():
    assert scene(hollow()).of("rod")[0].opacity < 0.5
    assert scene(hollow(), opacity=1.0).of("rod")[0].opacity == 1.0
    assert scene(puppet()).of("rod")[0].opacity == 1.0  # its tendons run outside
    assert scene(puppet(), opacity=0.4).of("rod")[0].opacity == 0.4
    assert scene(arm()).of("rod")[0].opacity == 1.0


@pytest.mark.parametrize(
    ("routing", "inside"),
    [
        (fx.Convergent(0.03, 0.0), False),  # comes into the rod at its very end
        (fx.Convergent(0.009, 0.0), True),
        (fx.Helical(0.009, 2.0), True),
        (fx.Helical(0.011, 2.0), False),
        (fx.Discs((0.1, 0.2, 0.5), 0.0, 0.005), True),
        (fx.Discs((0.1, 0.2, 0.5), 0.0, 0.02), False),
    ],
)
@pytest.mark.parametrize("section", [fx.Circle(0.01), fx.Tube(0.01, 0.0095)])
def test_inside_is_within_the_outline_of_the_section(routing, inside, section):
    rod = fx.Rod("arm", 0.5, section, fx.materials.dragon_skin_30)
    tendons = [fx.Tendon("t", "arm", routing)]
    robot = fx.Robot("arm", [rod], [fx.Weld("world", "arm.base")], tendons=tendons)
    assert (scene(robot).of("rod")[0].opacity < 1.0) == inside


def test_the_corner_of_a_rectangle_is_inside():
    rod = fx.Rod("arm", 0.5, fx.Rectangle(0.02, 0.04), fx.materials.dragon_skin_30)
    tendons = [fx.Tendon("t", "arm", fx.Parallel(0.009, 0.019))]
    robot = fx.Robot("arm", [rod], [fx.Weld("world", "arm.base")], tendons=tendons)
    assert scene(robot).of("rod")[0].opacity < 1.0


@pytest.mark.parametrize("opacity", [0.0, -1.0, 1.1, float("nan"), "glass"])
def test_bad_opacities_are_refused(opacity):
    with pytest.raises(ModelError, match="opacity must be a number above 0 and up to 1"):
        scene(arm(), opacity=opacity)
