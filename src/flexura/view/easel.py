"""A plotter that draws scene after scene: what was there before is kept, or changed where it is.

New actors cost more than all the rest of a picture: their shaders are compiled anew.
"""

from typing import Any

import pyvista as pv


class Easel:
    """Takes what ``draw`` adds to a plotter, and compares it with the scene before."""

    def __init__(self, plotter: Any) -> None:
        self._plotter = plotter
        self._meshes: list[tuple[Any, dict[str, Any]]] = []
        self._texts: list[Any] = []
        self._drawn = self._written = 0
        self._bar: Any = None
        self._first = True

    def __getattr__(self, name: str) -> Any:
        """All else is the plotter's."""
        return getattr(self._plotter, name)

    def add_mesh(self, mesh: Any, **style: Any) -> Any:
        """Draw a mesh, with the actor that was drawn in the same turn and style before."""
        i, self._drawn = self._drawn, self._drawn + 1
        if i < len(self._meshes) and self._meshes[i][1] == style:
            actor = self._meshes[i][0]
            if actor.mapper.dataset is not mesh:
                if "scalars" in style:
                    mesh.set_active_scalars(style["scalars"])
                actor.mapper.dataset = mesh
            return actor
        actor = self._plotter.add_mesh(mesh, **style)
        if i < len(self._meshes):
            self._plotter.remove_actor(self._meshes[i][0])
            self._meshes[i] = (actor, style)
        else:
            self._meshes.append((actor, style))
        return actor

    def add_actor(self, actor: Any) -> None:
        """Draw a text or a line beside it, unless it is there already."""
        i, self._written = self._written, self._written + 1
        if i < len(self._texts):
            if _same(self._texts[i], actor):
                return
            self._plotter.remove_actor(self._texts[i])
            self._texts[i] = actor
        else:
            self._texts.append(actor)
        self._plotter.add_actor(actor)

    def add_scalar_bar(self, **options: Any) -> Any:
        """The bar of the first scene, which is that of all."""
        if self._bar is None:
            self._bar = self._plotter.add_scalar_bar(**options)
        return self._bar

    def set_background(self, *colors: Any, **more: Any) -> None:
        """Once."""
        if self._first:
            self._plotter.set_background(*colors, **more)

    def remove_all_lights(self) -> None:
        """Once."""
        if self._first:
            self._plotter.remove_all_lights()

    def add_light(self, light: Any) -> None:
        """Once."""
        if self._first:
            self._plotter.add_light(light)

    def finish(self) -> None:
        """Take away what this scene has no more, and be ready for the next one."""
        for actor, _ in self._meshes[self._drawn :]:
            self._plotter.remove_actor(actor)
        for text in self._texts[self._written :]:
            self._plotter.remove_actor(text)
        del self._meshes[self._drawn :], self._texts[self._written :]
        self._drawn = self._written = 0
        self._first = False


def _same(a: Any, b: Any) -> bool:
    """Whether two texts say the same at the same place."""
    if not (isinstance(a, pv.Text) and isinstance(b, pv.Text)) or a.input != b.input:
        return False
    return _place(a) == _place(b) and a.prop.color == b.prop.color


def _place(text: Any) -> tuple[Any, ...]:
    """Where a text is."""
    place = text.GetPositionCoordinate()
    at = place.GetReferenceCoordinate()
    return place.GetValue(), None if at is None else at.GetValue()
