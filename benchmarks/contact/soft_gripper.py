"""Three soft fingers lift a cube by friction and hold it while it is shaken: the example.

Steps of any length shall get there.
"""

import time
from pathlib import Path
from runpy import run_path

from benchmarks.progress import track
from benchmarks.table import Table

STEPS = (0.025, 0.02, 0.016, 0.0125, 0.01)  # [s]
EXAMPLE = run_path(str(Path(__file__).parents[2] / "examples" / "29_soft_gripper.py"))
grip = EXAMPLE["main"]


def run(quick: bool = False) -> Table:
    """Lift the cube with several lengths of steps.

    Args:
        quick: only the longest.
    """
    rows, data = [], {}
    for step in track(STEPS[:1] if quick else STEPS, "gripper"):
        began = time.process_time()
        motion = grip(step)
        spent = time.process_time() - began
        height = float(motion[-1].pose("cube")[2, 3] - 0.5 * EXAMPLE["SIDE"])
        data[step] = {"motion": motion, "height": height}
        rows.append(
            [
                f"{1e3 * step:g}",
                motion.status.name,
                f"{motion.t[-1]:.3f}",
                str(len(motion.cuts)),
                f"{1e3 * height:.1f}",
                f"{spent:.1f}",
            ]
        )
    return Table(
        title="three soft fingers lift a cube by 50 mm, and shake it",
        header=("step [ms]", "status", "until [s]", "cuts", "height [mm]", "CPU [s]"),
        rows=rows,
        data=data,
    )
