"""Contact: closed forms, and the solver of the small problem."""
