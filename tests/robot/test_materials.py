import re
from pathlib import Path

import numpy as np
import pytest

import flexura as fx
from flexura.errors import UnknownName
from flexura.robot import Material, materials

DOCS = (Path(__file__).parents[2] / "docs/materials.md").read_text()
NAMES = materials.names()
FIBERS = ("carbon_fiber", "glass_fiber")


def test_the_table_is_part_of_the_library():
    assert fx.materials is materials
    assert {"nitinol", "spring_steel", "ecoflex_00_30", "pla"} <= set(NAMES)
    for name in NAMES:
        assert materials.find(name) is getattr(materials, name)


@pytest.mark.parametrize("name", NAMES)
def test_every_material_is_whole_and_real(name):
    """What a Material does not check: metals, plastics and rubbers lie in Ashby's chart."""
    material = materials.find(name)
    assert isinstance(material, Material)
    assert 900.0 < material.density < 9000.0
    assert 5e4 < material.young < 250e9
    assert (material.poisson is None) == (name in FIBERS)
    if material.poisson is not None:
        assert 0.28 < material.poisson < 0.5


@pytest.mark.parametrize("name", NAMES)
def test_the_page_has_every_material_with_its_numbers(name):
    row = re.search(rf"^\| `{name}` \|(.*)\|$", DOCS, flags=re.MULTILINE)
    young, ratio, density, source = (cell.strip() for cell in row[1].split("|")[1:])
    material = materials.find(name)
    assert float(young) == pytest.approx(material.young / 1e9, rel=5e-3)
    if material.poisson is None:
        assert ratio == f"G = {material.shear / 1e9:g} GPa"
    else:
        assert float(ratio) == material.poisson
    assert float(density) == material.density
    assert len(source) > 5


@pytest.mark.parametrize(
    ("name", "megapascals"),
    [("ecoflex_00_30", 0.069), ("ecoflex_00_50", 0.083), ("dragon_skin_30", 0.593)],
)
def test_rubber_stretched_to_twice_its_length_has_its_published_tension(name, megapascals):
    """Of a neo-Hookean rubber, E/3 (λ - 1/λ²); the data sheets round to a kilopascal."""
    young = materials.find(name).young
    assert young / 3.0 * (2.0 - 0.25) == pytest.approx(1e6 * megapascals, abs=0.5e3)


def test_unknown_names_are_answered_with_the_known():
    for ask in (materials.find, lambda name: getattr(fx.materials, name)):
        with pytest.raises((UnknownName, AttributeError)) as caught:
            ask("nitinoll")
        assert "no material 'nitinoll'" in str(caught.value)
        assert "Did you mean 'nitinol'?" in str(caught.value)
        assert all(repr(name) in str(caught.value) for name in NAMES)
    with pytest.raises(AttributeError, match="Did you mean 'spring_steel'"):
        _ = fx.materials.steel
    assert not hasattr(fx.materials, "unobtainium")
    with pytest.raises(UnknownName):
        materials.find(3)


def test_names_of_files_are_no_materials_in_python():
    for name, words in (("nitinol", "write fx.materials.nitinol"), ("nitnol", "mean 'nitinol'")):
        with pytest.raises(fx.ModelError, match=words):
            fx.Rod("arm", 0.1, fx.Circle(radius=1e-3), name)


@pytest.mark.parametrize("name", [np.array([]), [], None, 3], ids=repr)
def test_what_is_no_name_of_a_material(name):
    with pytest.raises(UnknownName, match="no material"):
        materials.find(name)
