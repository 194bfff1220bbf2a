"""Laws: what acts along rods, one file each."""
