"""Keys of robot files, as errors name them."""

from collections.abc import Iterator
from contextlib import contextmanager

from flexura.errors import ModelError
from flexura.robot.check import BadField


def join(key: str, field: str) -> str:
    """The key of a field of the table of another key."""
    return f"{key}.{field}" if key and field else key or field


@contextmanager
def under(key: str) -> Iterator[None]:
    """Let errors of the description know the key of their table."""
    try:
        yield
    except ModelError as error:
        field = error.field if isinstance(error, BadField) else ""
        raise BadField(str(error), join(key, field)) from error
