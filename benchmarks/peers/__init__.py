"""flexura beside other simulators, case by case."""
