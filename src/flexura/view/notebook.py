"""Pictures for notebooks."""

import io
from collections.abc import Sequence

from flexura.result.static import StaticResult
from flexura.robot import Robot
from flexura.view.picture import picture

SIZE = (960, 600)  # in pixels; twice what a notebook shows


def png(subject: StaticResult | Robot | Sequence[StaticResult]) -> bytes:
    """A picture of results, or of a robot without load, as the content of a PNG file."""
    from PIL import Image

    content = io.BytesIO()
    Image.fromarray(picture(subject, size=SIZE)).save(content, format="PNG")
    return content.getvalue()
