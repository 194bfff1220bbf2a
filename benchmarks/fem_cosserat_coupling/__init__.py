"""A soft finger with cables that are rods: finite elements coupled to Cosserat rods."""
