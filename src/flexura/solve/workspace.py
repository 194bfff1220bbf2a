"""Arrays for a solve, kept from one solve of a model to the next."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from flexura.model.assemble import Assembly
from flexura.model.model import Model


@contextmanager
def workspace(model: Model) -> Iterator[Assembly]:
    """An assembly that nobody else uses: a spare one of the model, or a new one."""
    try:
        assembly = model.spare.pop()
    except IndexError:
        assembly = Assembly(model)
    assembly.relief = np.zeros(model.joints.n_rows)
    yield assembly
    model.spare.append(assembly)
