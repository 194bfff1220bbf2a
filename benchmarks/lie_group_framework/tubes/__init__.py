"""The concentric tubes of section 8.2 [LieGroup2025]."""
