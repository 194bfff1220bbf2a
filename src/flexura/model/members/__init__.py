"""What acts on particles: elements of volumes, loads, segments of tendons, pressure, threads."""
