"""The paper on a continuum parallel robot without constraints [ParallelRobots2025]."""
