"""Elasticity of all rods."""

from flexura.model.laws.elastic import Elastic
from flexura.model.site import Site


def add_elasticity(site: Site) -> None:
    """Every rod is elastic; for tubes see ``tubes``."""
    for part in site.rod_parts:
        group, rods = site.groups[part], [plan.rod for plan in site.plans[part]]
        site.laws[part].append(Elastic.of(rods, group.points, group.complementary))
