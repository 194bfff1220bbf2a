"""What introduces itself: in a few lines, and in a notebook as a table with a picture."""

import base64
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, NamedTuple


class Facts(NamedTuple):
    """What a thing says of itself.

    Attributes:
        title: what it is, and its name.
        rows: names and what there is to know of them.
    """

    title: str
    rows: Sequence[tuple[str, str]]


class Shown(ABC):
    """A thing with facts: prints them, in a notebook too; its classes say ``repr=False``."""

    @abstractmethod
    def _facts(self) -> Facts:
        """What it says of itself."""

    def _picture(self) -> Any:
        """What a picture of it would show; None if it has none."""
        return None

    def __repr__(self) -> str:
        title, rows = self._facts()
        width = max((len(name) for name, _ in rows), default=0)
        return "\n".join([title, *(f"  {name:<{width}}   {value}" for name, value in rows)])

    def _repr_html_(self) -> str:
        title, rows = self._facts()
        return f"<div><b>{escape(title)}</b>{html_table((), rows)}{_painted(self._picture())}</div>"


def html_table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Rows of texts as a table; without a heading, the first of each row is one."""
    head = "".join(f"<th>{escape(text)}</th>" for text in heading)
    body = "".join(f"<tr>{_cells(row, not heading)}</tr>" for row in rows)
    return f'<table style="text-align: left">{f"<tr>{head}</tr>" if head else ""}{body}</table>'


def _cells(row: Sequence[str], headed: bool) -> str:
    """The cells of a row."""
    style = ' style="text-align: left"'
    cells = [f"<td{style}>{escape(text)}</td>" for text in row]
    if headed:
        cells[0] = f"<th{style}>{escape(row[0])}</th>"
    return "".join(cells)


def _painted(subject: Any) -> str:
    """A picture for a notebook; nothing where pictures cannot be made."""
    if subject is None:
        return ""
    try:
        from flexura.view.notebook import png  # what is shown knows it only when it is looked at

        content = png(subject)
    except ImportError:  # what draws pictures is an extra
        return ""
    except Exception as error:  # graphics fail in many ways; the table shall be seen all the same
        return f"<p>no picture: {escape(str(error) or type(error).__name__)}</p>"
    data = base64.b64encode(content).decode("ascii")
    return f'<img style="max-width: 40em" src="data:image/png;base64,{data}"/>'
