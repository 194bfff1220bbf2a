"""Pictures, one after the other, as GIF and MP4 files."""

import io
import tempfile
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from flexura.view.plotter import Pixels

COLORS = 256  # of a GIF, the same for all of its pictures
EVEN = 0.3  # power of the number of pixels of a colour by which it counts: 0 would be not at all
FASTEST_GIF = 50.0  # pictures per second; browsers slow down what is faster
QUALITY = 8.0  # of a video, from 0 to 10


def gif(frames: Iterator["Pixels"], fps: float, samples: Sequence["Pixels"]) -> bytes:
    """An endless GIF in the colours of some of its pictures."""
    from PIL import Image

    palette = Image.fromarray(_swatches(samples)).quantize(COLORS, Image.Quantize.MEDIANCUT)
    images = [
        Image.fromarray(frame).quantize(palette=palette, dither=Image.Dither.NONE)
        for frame in frames
    ]
    content = io.BytesIO()
    images[0].save(
        content, format="GIF", save_all=True, append_images=images[1:], loop=0,
        duration=durations(len(images), fps),
    )  # fmt: skip
    return content.getvalue()


def _swatches(samples: Sequence["Pixels"]) -> "Pixels":
    """All colours of pictures; frequent ones more often, but less so than in the pictures."""
    pixels = np.concatenate([sample.reshape(-1, 3) for sample in samples]).astype(np.uint32)
    codes = (pixels[:, 0] << 16) | (pixels[:, 1] << 8) | pixels[:, 2]
    found, counts = np.unique(codes, return_counts=True)
    colors = np.stack([found >> 16, (found >> 8) & 255, found & 255], axis=1).astype(np.uint8)
    return np.asarray(np.repeat(colors, np.ceil(counts**EVEN).astype(int), axis=0)[None])


def durations(count: int, fps: float) -> list[int]:
    """How long each picture is shown [ms]: hundredths of a second, which add up to the time."""
    ends = np.round(100.0 * np.arange(count + 1) / fps).astype(int)
    return [10 * int(n) for n in np.diff(ends)]


def mp4(frames: Iterator["Pixels"], fps: float) -> bytes:
    """A video as any player takes it: H.264."""
    import imageio_ffmpeg

    first = next(frames)
    height, width = first.shape[:2]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "film.mp4"
        writer = imageio_ffmpeg.write_frames(
            str(file), (width, height), fps=fps, quality=QUALITY, macro_block_size=2,
            ffmpeg_log_level="error",
        )  # fmt: skip
        writer.send(None)
        try:
            for frame in chain([first], frames):
                writer.send(np.ascontiguousarray(frame))
        finally:
            writer.close()
        return file.read_bytes()
