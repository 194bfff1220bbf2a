"""The rooms of the library and who imports whom, drawn from the imports as they are."""

import ast
import importlib.util
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
MARK = "<!-- rooms -->"
TABLE = "<!-- allowed -->"
WIDE, HIGH, ACROSS, UP = 132, 44, 30, 46  # boxes, and the space between them


def on_page_markdown(markdown, page, config, files):
    """Put the picture where a page has its mark."""
    if MARK not in markdown:
        return None
    rules = rules_of_imports()
    return markdown.replace(MARK, drawing(rooms(rules), sizes(rules))).replace(TABLE, table(rules))


def rooms(rules):
    """Which rooms each room imports when it is imported itself, without those in between."""
    graph = defaultdict(set)
    for path in rules.FILES:
        own = rules.module_of(path).split(".")[0]
        if not own or own in rules.GROUND or own == "__main__":
            continue
        graph[own] |= {
            name
            for name in (module.split(".")[0] for module in _at_once(path))
            if name not in rules.GROUND and name != own
        }
    return dict(graph)


def sizes(rules):
    """Lines of code of each room."""
    found = defaultdict(int)
    for path in rules.FILES:
        found[rules.module_of(path).split(".")[0]] += len(path.read_text().splitlines())
    return found


def layers(graph):
    """Rooms by height: each above all that it imports."""
    heights = {}

    def height(room, trail=()):
        if room in trail:
            raise ValueError(f"rooms import each other: {' -> '.join([*trail, room])}")
        if room not in heights:
            below = [height(other, (*trail, room)) for other in graph.get(room, ())]
            heights[room] = 1 + max(below, default=-1)
        return heights[room]

    for room in graph:
        height(room)
    return heights


def reduced(graph):
    """The graph without imports that others imply."""

    def reach(room):
        found = set()
        for other in graph.get(room, ()):
            found |= {other} | reach(other)
        return found

    return {
        room: {o for o in others if not any(o in reach(p) for p in others - {o})}
        for room, others in graph.items()
    }


def drawing(graph, lines):
    """An SVG of the rooms: what is above knows what is below."""
    heights = layers(graph)
    rows = [sorted(r for r in heights if heights[r] == h) for h in range(max(heights.values()) + 1)]
    widest = max(map(len, rows)) * (WIDE + ACROSS)
    place = {}
    for number, row in enumerate(reversed(rows)):
        left = (widest - len(row) * (WIDE + ACROSS) + ACROSS) / 2
        for i, room in enumerate(row):
            place[room] = (left + i * (WIDE + ACROSS), 8 + number * (HIGH + UP))
    tall = len(rows) * (HIGH + UP)
    parts = [f'<svg class="flexura-rooms" viewBox="0 0 {widest} {tall}" role="img">']
    for room, others in sorted(reduced(graph).items()):
        for other in sorted(others):
            (x, y), (u, v) = place[room], place[other]
            a, b = x + WIDE / 2, u + WIDE / 2
            middle = (y + HIGH + v) / 2
            parts.append(
                f'<path d="M{a:.0f} {y + HIGH:.0f} C{a:.0f} {middle:.0f} {b:.0f} {middle:.0f} '
                f'{b:.0f} {v:.0f}"/>'
            )
    for room, (x, y) in sorted(place.items()):
        parts.append(
            f"<g><title>{room} imports {', '.join(sorted(graph.get(room, ()))) or 'nobody'}</title>"
            f'<rect x="{x:.0f}" y="{y:.0f}" width="{WIDE}" height="{HIGH}" rx="6"/>'
            f'<text x="{x + WIDE / 2:.0f}" y="{y + 18:.0f}" text-anchor="middle">{room}</text>'
            f'<text x="{x + WIDE / 2:.0f}" y="{y + 35:.0f}" text-anchor="middle" '
            f'opacity="0.6">{lines[room]} lines</text></g>'
        )
    return "".join([*parts, "</svg>"])


def table(rules):
    """The list of who may know whom, as a table."""
    rows = ["| room | may import |", "|---|---|"]
    for room, others in rules.ALLOWED.items():
        names = ", ".join(f"`{other}`" for other in sorted(others)) or "the ground alone"
        rows.append(f"| `{room}` | {names} |")
    return "\n".join(rows)


def _at_once(path):
    """Modules of the library that a file imports where it begins, not inside functions."""
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("flexura."):
            yield node.module.removeprefix("flexura.")
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("flexura."):
                    yield alias.name.removeprefix("flexura.")


def rules_of_imports():
    """The list that tests hold the imports to."""
    spec = importlib.util.spec_from_file_location("rules", ROOT / "tests/rooms.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
