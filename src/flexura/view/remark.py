"""What a picture says of how solves ended, if they did not end in a stable equilibrium."""

import re
from collections.abc import Sequence

from flexura.result.static import StaticResult
from flexura.text import few


def remark_of(result: StaticResult) -> str:
    """How a solve failed, without the advice, or that the equilibrium is unstable; or nothing."""
    if result.converged:
        return "unstable equilibrium" if result.stable is False else ""
    sentence = str(result.status).split("; ")[0]
    return re.sub(r" \(.*?\)", "", sentence)


def listed(remarks: Sequence[str], names: Sequence[str]) -> str:
    """Different remarks in a line each, with the names of those that they are about, if not all."""
    lines = []
    for remark in dict.fromkeys(filter(None, remarks)):
        about = [name for name, own in zip(names, remarks, strict=True) if own == remark]
        lines.append(remark if len(about) == len(names) else f"{few(about)}: {remark}")
    return "\n".join(lines)
