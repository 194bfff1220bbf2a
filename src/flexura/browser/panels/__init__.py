"""What users can do in the studio, a panel each."""
