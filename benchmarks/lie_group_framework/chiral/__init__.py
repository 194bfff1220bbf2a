"""Section 8.3: four rods between two plates, of which one is guided, twist when compressed."""
