"""Arrays that stay read-only, which is also a type to kernels, when their owner is copied."""

from typing import Any

import numpy as np

from flexura.typing import frozen


class ReadOnly:
    """What has read-only arrays has them so when it is copied or comes out of a pickle."""

    def __setstate__(self, state: dict[str, Any]) -> None:
        for value in state.values():
            if isinstance(value, np.ndarray):
                frozen(value)
        self.__dict__.update(state)
