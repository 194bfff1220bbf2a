"""Elasticity of all rods."""

from flexura.model.laws.elastic import Elastic
from flexura.model.site import Site


def add_elasticity(site: Site) -> None:
    """Every rod is elastic."""
    for group, plans, laws in zip(site.groups, site.plans, site.laws, strict=True):
        rods = [plan.rod for plan in plans]
        laws.append(Elastic.of(rods, group.points, group.complementary))
