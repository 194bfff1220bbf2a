"""Motion: steps in time, each an equilibrium with inertia."""
