"""Meshes of soft robots, made with gmsh: finger, trunk, block with a chamber, gripper.

``python examples/meshes/make.py`` writes them beside this file; lengths are metres. Named surfaces
are for clamps, pressure and contact.
"""

from pathlib import Path

import gmsh

HERE = Path(__file__).parent


def finger() -> float:
    """A finger with notches on its back, and a hole across its base to bolt it to something."""
    bar = [gmsh.model.occ.addBox(0, -0.0075, 0, 0.081, 0.015, 0.025)]
    cuts = [gmsh.model.occ.addBox(x, -0.01, 0.013, 0.008, 0.02, 0.02) for x in (0.024, 0.048)]
    cuts.append(gmsh.model.occ.addCylinder(0.012, -0.01, 0.0125, 0, 0.02, 0, 0.004))
    _cut(bar, cuts)
    return 0.0271


def trunk() -> float:
    """A trunk that becomes thinner, as long as that of the paper."""
    gmsh.model.occ.addCone(0, 0, 0, 0.195, 0, 0, 0.015, 0.0065)
    return 0.00587


def block() -> float:
    """A block with a chamber inside."""
    box = [gmsh.model.occ.addBox(0, 0, 0, 0.06, 0.02, 0.02)]
    _cut(box, [gmsh.model.occ.addBox(0.008, 0.005, 0.011, 0.044, 0.01, 0.005)])
    return 0.006


def gripper() -> float:
    """A finger of a gripper: thick at its base, thin at its tip, with a pad that is flat."""
    corners = [(0.0, 0.0), (0.07, 0.0), (0.07, 0.008), (0.0, 0.018)]
    points = [gmsh.model.occ.addPoint(x, -0.008, z) for x, z in corners]
    pairs = zip(points, points[1:] + points[:1], strict=True)
    loop = gmsh.model.occ.addCurveLoop([gmsh.model.occ.addLine(a, b) for a, b in pairs])
    gmsh.model.occ.extrude([(2, gmsh.model.occ.addPlaneSurface([loop]))], 0, 0.016, 0)
    return 0.0075


# Named surfaces of each, by boxes that they lie in.
SURFACES = {
    finger: {
        "base": (-1e-6, -1, -1, 1e-6, 1, 1),
        "hole": (0.0079, -1, 0.0084, 0.0161, 1, 0.0166),
    },
    trunk: {"base": (-1e-6, -1, -1, 1e-6, 1, 1), "tip": (0.194999, -1, -1, 1, 1, 1)},
    block: {
        "base": (-1e-6, -1, -1, 1e-6, 1, 1),
        "chamber": (0.0079, 0.0049, 0.0109, 0.0521, 0.0151, 0.0161),
    },
    gripper: {"base": (-1e-6, -1, -1, 1e-6, 1, 1), "pad": (-1, -1, -1e-6, 1, 1, 1e-6)},
}


def make() -> None:
    """Write all of them."""
    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    for shape, surfaces in SURFACES.items():
        gmsh.clear()
        size = shape()
        gmsh.model.occ.synchronize()
        for name, box in surfaces.items():
            inside = [tag for _, tag in gmsh.model.getEntitiesInBoundingBox(*box, dim=2)]
            gmsh.model.addPhysicalGroup(2, inside, name=name)
        volumes = [tag for _, tag in gmsh.model.getEntities(3)]
        gmsh.model.addPhysicalGroup(3, volumes, name="volume")
        gmsh.option.setNumber("Mesh.MeshSizeMax", size)
        gmsh.option.setNumber("Mesh.MeshSizeMin", 0.9 * size)
        gmsh.option.setNumber("Mesh.MeshSizeFromCurvature", 0)
        gmsh.option.setNumber("Mesh.MeshSizeExtendFromBoundary", 0)
        gmsh.model.mesh.generate(3)
        gmsh.model.mesh.optimize("Netgen")
        gmsh.write(str(HERE / f"{shape.__name__}.msh"))
        count = len(gmsh.model.mesh.getElementsByType(4)[0])
        print(f"{shape.__name__}: {count} tetrahedra")
    gmsh.finalize()


def _cut(bodies: list[int], tools: list[int]) -> None:
    """Cut bodies out of others."""
    gmsh.model.occ.cut([(3, tag) for tag in bodies], [(3, tag) for tag in tools])


if __name__ == "__main__":
    make()
