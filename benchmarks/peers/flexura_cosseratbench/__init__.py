"""flexura as a solver of cosseratbench: scenarios in, trajectories out."""
