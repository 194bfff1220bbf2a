"""What contacts exert on the frames that they act on, for laws and terms to add."""

from typing import NamedTuple

from flexura.typing import Array


class Pressed(NamedTuple):
    """Wrenches of contacts.

    Attributes:
        load: gradient of the energy on each frame, as a load has it, (k, 6).
        tangent: its derivative in the exponential chart, (k, 36).
    """

    load: Array
    tangent: Array
