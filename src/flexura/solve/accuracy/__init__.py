"""How wrong the discretization of a result may be, from the result itself."""
