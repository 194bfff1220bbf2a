"""Terms: what acts on nodes, one file each."""
