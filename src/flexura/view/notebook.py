"""Pictures for notebooks."""

import io

from flexura.result.static import StaticResult
from flexura.robot import Robot
from flexura.view.picture import picture

SIZE = (960, 600)  # in pixels; twice what a notebook shows


def png(subject: StaticResult | Robot) -> bytes:
    """A picture of a result, or of a robot without load, as the content of a PNG file."""
    from PIL import Image

    content = io.BytesIO()
    Image.fromarray(picture(subject, size=SIZE)).save(content, format="PNG")
    return content.getvalue()
