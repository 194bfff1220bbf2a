"""Unknown numbers of a robot from measurements of it, by least squares."""
