"""Elasticity of all rods."""

from flexura.model.laws.elastic import Elastic
from flexura.model.site import Site
from flexura.rods.nested_group import NestedRods


def add_elasticity(site: Site) -> None:
    """Every rod is elastic; for tubes see ``tubes``."""
    for group, plans, laws in zip(site.groups, site.plans, site.laws, strict=True):
        if isinstance(group, NestedRods):  # tubes have a law of their own
            continue
        rods = [plan.rod for plan in plans]
        laws.append(Elastic.of(rods, group.points, group.complementary))
