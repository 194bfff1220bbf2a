"""Robot files: TOML, one-to-one with the classes of ``flexura.robot``.

The arguments of the dataclasses are the keys of the tables and their annotations say which classes
a table may hold, so that a class added to ``flexura.robot`` needs nothing here. What is written are
the fields.
"""

import dataclasses
import inspect
import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias, get_args, get_origin, get_type_hints

import tomli_w

from flexura.errors import FileError, ModelError, UnknownName, show
from flexura.io import volume_table
from flexura.io.key import join, under
from flexura.io.target import PathLike, as_path, write_whole
from flexura.robot import materials as published
from flexura.robot.body import Body
from flexura.robot.check import BadField, instance
from flexura.robot.contact import Contact
from flexura.robot.frame import At
from flexura.robot.joint import Joint
from flexura.robot.load import Load
from flexura.robot.material import Material
from flexura.robot.mesh import Mesh
from flexura.robot.obstacle import Obstacle
from flexura.robot.robot import Robot
from flexura.robot.rod import Rod
from flexura.robot.tendon import Tendon
from flexura.robot.tubes import TubeSet
from flexura.robot.volume import Volume

Table: TypeAlias = dict[str, Any]

PUBLISHED = {name: published.find(name) for name in published.names()}
LARGEST = 10_000_000  # [bytes]; a robot of a thousand rods takes less than one million
UNTYPED = (
    Robot,
    Rod,
    Body,
    Material,
    At,
    Tendon,
    Obstacle,
    Contact,
    TubeSet,
    Volume,
)  # their place in the file says what they are: no "type" key

# tomllib takes seconds for a dotted key of ten thousand parts and minutes for more; four will do.
ENDLESS_KEY = re.compile(
    r"""(?<![\w-])(?:(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){16}"""
)


def load(path: PathLike) -> Robot:
    """Read a robot from a TOML file.

    Nothing in the file is executed. ``docs/robot_file.md`` describes the format.

    Raises:
        FileError: If the file cannot be read or does not describe a robot; it names the file and
            the key.
    """
    file = as_path(path)
    return robot_of_text(_text(file), str(file), file.parent)


def robot_of_text(
    text: str,
    where: str,
    folder: Path | None = None,
    meshes: Collection[str] | None = None,
) -> Robot:
    """The robot of a TOML text; paths of meshes are relative to a folder.

    Args:
        text: of the file.
        where: what errors begin with.
        folder: that paths of meshes are relative to.
        meshes: the files of meshes that may be read, by their whole paths; None for any.

    Raises:
        FileError: if the text does not describe a robot; it begins with ``where``.
    """
    document = _parse(where, text)
    with _in_file(where):
        volume_table.read(document, folder, meshes)
        return _robot(document)


def save(robot: Robot, path: PathLike) -> None:
    """Write a robot to a TOML file, so that ``load(path) == robot``.

    The file appears whole or not at all.

    Raises:
        FileError: If the robot holds a function, which a file cannot, or if writing fails.
    """
    instance("save", "robot", robot, Robot)
    file = as_path(path)
    with _in_file(str(file)):
        text = text_of_robot(robot, file.parent)
    write_whole(file, text.encode())


def text_of_robot(robot: Robot, folder: Path | None = None) -> str:
    """The robot as TOML text.

    Meshes that come from files are named by their paths relative to a folder; without one, and
    others, they are written out.

    Raises:
        BadField: if it holds a function, which a text cannot.
    """
    document = _encode(robot, "")
    parts: list[Rod | Volume] = [*robot.slender, *robot.volumes]
    names = _material_names(part.material for part in parts)
    tubes = [table for own in document.get("tubes", ()) for table in own["tubes"]]
    tables = (*document.get("rods", ()), *tubes, *document.get("volumes", ()))
    for part, table in zip(parts, tables, strict=True):
        table["material"] = names.get(part.material, table["material"])
    volume_table.name_meshes(robot, document, folder)
    if names:
        document["materials"] = {name: _encode(m, name) for m, name in names.items()}
    return _compact(tomli_w.dumps(document))


def _material_names(used: Iterable[Material]) -> dict[Material, str]:
    """Names for the materials that are written once: published ones and those of several rods."""
    uses = Counter(used)
    names = {material: name for name, material in PUBLISHED.items() if material in uses}
    shared = [material for material, count in uses.items() if count > 1 and material not in names]
    return names | {material: f"material_{i}" for i, material in enumerate(shared, start=1)}


# -- reading ---------------------------------------------------------------------------------------


def _text(file: Path) -> str:
    """The text of a file of sensible size."""
    try:
        with file.open("rb") as stream:
            content = stream.read(LARGEST + 1)
    except FileNotFoundError:
        raise FileError(f"{file}: there is no such file; check the path") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileError(f"{file}: cannot be read: {reason}; give a readable TOML file") from error
    if len(content) > LARGEST:
        raise FileError(f"{file}: larger than {LARGEST} bytes; a robot file is a few kilobytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if content.startswith(b"PK"):  # a zip archive, as .npz is
            raise FileError(
                f"{file}: this is no robot file but a saved result; load_result reads it, and so "
                "does flexura show"
            ) from error
        raise FileError(
            f"{file}: byte {error.start} is not UTF-8; give a TOML text saved as UTF-8"
        ) from error


def _parse(file: str, text: str) -> Table:
    """The TOML document as nested tables."""
    too_deep = f"{file}: nested too deeply; a robot file needs four levels at most"
    if ENDLESS_KEY.search(text):
        raise FileError(too_deep)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise FileError(too_deep) from None
    except ValueError as error:  # TOMLDecodeError, or a number with thousands of digits
        raise FileError(f"{file}: not valid TOML: {error}; correct the file there") from error


@contextmanager
def _in_file(file: str) -> Iterator[None]:
    """Turn errors of the description into errors of the file."""
    try:
        yield
    except ModelError as error:
        key = f"{error.field}: " if isinstance(error, BadField) and error.field else ""
        raise FileError(f"{file}: {key}{error}") from error


def _robot(document: Table) -> Robot:
    """The robot of a document, with references checked under the key that makes them."""
    tables = document.pop("materials", {})
    if not isinstance(tables, dict):
        raise BadField(
            f"must hold tables, got {show(tables)}; write [materials.steel]", "materials"
        )
    materials = {
        name: _decode(table, Material, f"materials.{name}", {}) for name, table in tables.items()
    }
    for name, material in materials.items():
        instance("Robot", f"materials.{name}", material, Material)
    values = _values(Robot, document, "", PUBLISHED | materials)
    rods = {rod.name: rod for rod in values.get("rods", ()) if isinstance(rod, Rod)}
    bodies = {body.name: body for body in values.get("bodies", ()) if isinstance(body, Body)}
    solid = {x.name: x for x in values.get("obstacles", ()) if isinstance(x, Obstacle)}
    soft = {x.name: x for x in values.get("volumes", ()) if isinstance(x, Volume)}
    for own in values.get("tubes", ()):
        if isinstance(own, TubeSet):
            rods |= {rod.name: rod for rod in (own.centreline, *own.tubes)}
    clash = rods.keys() & bodies.keys()  # of which the robot tells: nothing can be found by name
    for field in () if clash else ("joints", "loads", "tendons", "contacts"):
        for i, entry in enumerate(values.get(field, ())):
            with under(f"{field}[{i}]"):
                if isinstance(entry, Joint | Load):
                    entry.check(rods, bodies)
                elif isinstance(entry, Tendon):
                    entry.check(rods)
                elif isinstance(entry, Contact):
                    entry.check(rods, bodies, solid, soft)
    return Robot(**values)


def _decode(value: Any, hint: Any, key: str, materials: Mapping[str, Material]) -> Any:
    """The value of a field whose annotation is ``hint``; plain values are left to the class."""
    classes = _classes(hint)
    if not classes or (isinstance(value, dict) and _is_mapping(hint)):
        return value
    if isinstance(value, list) and _is_mapping(hint):
        hint = next(part for part in get_args(hint) if get_origin(part) is Sequence)
    if get_origin(hint) in (Sequence, tuple):
        return _decode_list(value, hint, key, materials)
    if isinstance(value, dict):
        return _build(classes, value, key, materials)
    if isinstance(value, str) and Material in classes:
        if value not in materials:
            raise BadField(str(UnknownName("material", value, materials)), key)
        return materials[value]
    return value


def _decode_list(value: Any, hint: Any, key: str, materials: Mapping[str, Material]) -> Any:
    """The value of a list of objects, or of a tuple, whose length is left to the class."""
    hints = get_args(hint)
    if get_origin(hint) is Sequence:
        if not isinstance(value, list):
            table, _, name = key.rpartition(".")
            remedy = f"write {name} = [...]" if table else f"write [[{name}]]"
            raise BadField(f"must be a list of tables, got {show(value)}; {remedy}", key)
        hints *= len(value)
    if not isinstance(value, list) or len(value) != len(hints):
        return value
    entries = zip(value, hints, strict=True)
    return [_decode(item, h, f"{key}[{i}]", materials) for i, (item, h) in enumerate(entries)]


def _build(
    classes: tuple[type, ...], table: Table, key: str, materials: Mapping[str, Material]
) -> Any:
    """An object of one of the classes, which the table's key "type" chooses."""
    by_name = {cls.__name__: cls for cls in classes if cls not in UNTYPED}
    untyped = [cls for cls in classes if cls in UNTYPED]
    if by_name and not (untyped and "type" not in table):
        if "type" not in table:
            names = ", ".join(repr(name) for name in by_name)
            raise BadField(f"this key is missing; write one of {names}", join(key, "type"))
        name = table["type"]
        if not isinstance(name, str) or name not in by_name:
            raise BadField(str(UnknownName("type", name, by_name)), join(key, "type"))
        cls = by_name[name]
        table = {field: value for field, value in table.items() if field != "type"}
    else:
        (cls,) = untyped
    values = _values(cls, table, key, materials)
    with under(key):
        return cls(**values)


def _values(cls: Any, table: Table, key: str, materials: Mapping[str, Material]) -> dict[str, Any]:
    """The arguments of a class from a table that must have just these as keys."""
    arguments = inspect.signature(cls).parameters
    for name in table:
        if name not in arguments:
            known = [*arguments, "materials"] if cls is Robot else arguments
            raise BadField(str(UnknownName("key", name, known)), join(key, name))
    for name, argument in arguments.items():
        if name not in table and argument.default is argument.empty:
            raise BadField(f"this key of a {cls.__name__} is missing; add it", join(key, name))
    hints = get_type_hints(cls.__init__)
    return {
        name: _decode(value, hints[name], join(key, name), materials)
        for name, value in table.items()
    }


@cache
def _classes(hint: Any) -> tuple[type, ...]:
    """The dataclasses that an annotation mentions."""
    if dataclasses.is_dataclass(hint):
        return (hint,)  # type: ignore[return-value]
    return tuple(
        cls for part in get_args(hint) if not isinstance(part, list) for cls in _classes(part)
    )


def _is_mapping(hint: Any) -> bool:
    """Whether an annotation allows a mapping, besides the pairs that it is kept as."""
    return any(get_origin(part) is Mapping for part in get_args(hint))


# -- writing ---------------------------------------------------------------------------------------


def _encode(value: Any, key: str) -> Any:
    """A description as tables, lists and plain values; fields at their default are left out."""
    if isinstance(value, Mesh):
        return volume_table.mesh_table(value)
    if dataclasses.is_dataclass(value):
        table = {} if isinstance(value, UNTYPED) else {"type": type(value).__name__}
        hints = get_type_hints(type(value))
        for field in dataclasses.fields(value):
            entry = getattr(value, field.name)
            if entry != field.default:
                own = join(key, field.name)
                pairs = _is_mapping(hints[field.name]) and all(isinstance(k, str) for k, _ in entry)
                table[field.name] = _encode(dict(entry) if pairs else entry, own)
        return table
    if isinstance(value, dict):
        return {name: _encode(entry, join(key, name)) for name, entry in value.items()}
    if isinstance(value, tuple):
        return [_encode(entry, f"{key}[{i}]") for i, entry in enumerate(value)]
    if callable(value):
        raise BadField(
            f"is the function {show(value)}, which a file cannot hold; give constant numbers, or "
            "keep this robot in a Python script",
            key,
        )
    return value


def _compact(text: str) -> str:
    """TOML with each list of numbers on one line.

    A list that tomli_w breaks into lines cannot be part of a text: there, line ends are escaped.
    """
    numbers = re.compile(r"\[\n\s+((?:[-+.\w]+,\s+)+)\]")
    return numbers.sub(lambda match: f"[{' '.join(match[1].split())[:-1]}]", text)
