"""What comes out of a solve: frozen records with a status."""
