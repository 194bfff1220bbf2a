"""Published results and speed, reproduced: ``python -m benchmarks`` from the repository root."""
