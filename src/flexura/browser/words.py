"""What the studio says of equilibria."""

import html
import math

from flexura.browser.study import Finding
from flexura.view.paint import shades
from flexura.view.remark import remark_of
from flexura.view.scene import Scale

GOOD, BAD = "#2b9a3e", "#c8322b"
TICKS = 5


def report(finding: Finding, accuracy: float | None) -> str:
    """Status, energy, stability, accuracy and time of a solve, as a page has it.

    Args:
        finding: the solve.
        accuracy: of what is shown [m]; None where it is not known yet.
    """
    result = finding.result
    color = GOOD if finding.good and not finding.words else BAD
    sentence = "not solved" if finding.refused else remark_of(result) or "equilibrium"
    stays = "" if finding.good else "; the last equilibrium stays, in grey"
    if finding.unheld:
        sentence, stays = "no equilibrium", "; unloaded, in grey: play it"
    stable = {True: "stable", False: "unstable", None: "not told"}[result.stable]
    far = "…"
    if accuracy is not None:
        far = size(accuracy, "m") if math.isfinite(accuracy) else "not known"
    rows = [
        ("stability", stable),
        ("energy", size(result.energy, "J")),
        ("accuracy", far),
        ("iterations", str(result.iterations)),
        ("time", f"{1e3 * finding.seconds:.1f} ms"),
    ]
    cells = "".join(
        f'<tr><td style="color:#7d8591;padding-right:1em">{name}</td><td>{value}</td></tr>'
        for name, value in rows
    )
    notes = [finding.words, *(result.remarks if not finding.good else ())]
    said = "".join(f"<div>{html.escape(note)}</div>" for note in notes if note)
    return (
        f'<div style="padding:0.2em 0.8em;font-size:0.85em"><div data-flexura="status">'
        f'<span style="color:{color}">●</span> {html.escape(sentence)}{stays}</div>'
        f'<table data-flexura="facts">{cells}</table>{said}</div>'
    )


def note(text: str) -> str:
    """Words as a page has them: nothing in them is markup."""
    style = "padding:0.2em 0.8em;font-size:0.85em;white-space:pre-wrap"
    return f'<div style="{style}">{html.escape(text)}</div>'


def color_bar(scale: Scale | None) -> str:
    """What colours mean."""
    if scale is None:
        return ""
    low, high = scale.limits
    bands = shades(scale.component.signed)
    stops = ",".join(
        f"{c} {100 * i / len(bands):.1f}% {100 * (i + 1) / len(bands):.1f}%"
        for i, c in enumerate(bands)
    )
    ticks = "".join(
        f"<span>{low + (high - low) * i / (TICKS - 1):.3g}</span>" for i in range(TICKS)
    )
    return (
        f'<div style="padding:0.2em 0.8em;font-size:0.8em"><div>{scale.component.heading}</div>'
        f'<div style="height:0.7em;background:linear-gradient(to right,{stops})"></div>'
        f'<div style="display:flex;justify-content:space-between">{ticks}</div></div>'
    )


def size(value: float, unit: str) -> str:
    """A number with its unit, in thousands or thousandths where that reads better."""
    if value == 0.0 or not math.isfinite(value):
        return f"{value:g} {unit}"
    power = min(2, max(-4, math.floor(math.log10(abs(value)) / 3.0)))
    prefix = {-4: "p", -3: "n", -2: "µ", -1: "m", 0: "", 1: "k", 2: "M"}[power]
    return f"{value / 1000.0**power:.3g} {prefix}{unit}"
