"""Published static cases of single rods and of a frame."""
