"""Compiled part of ``tube_mesh``: where sections end, what tubes have there, how that moves."""

from flexura._kernel import kernel


@kernel
def sort_breaks(
    inserted, tube, left, beyond, places, order, rank, ends, piece, mark_set, mark_rank,
    section_nodes, angle_nodes, angle_at, at,
):  # fmt: skip
    """Order of the breaks of all sets along their centrelines, ends of sections, pieces of tubes.

    Breaks behind the plate come first, as far behind as they are. ``beyond`` is the piece of its
    tube that begins with a break, -1 for its tip, and ``piece`` that of each tube in a section.
    Marks, which are breaks, are found ``at`` nodes.
    """
    for i in range(len(tube)):
        for b in range(tube.shape[1]):
            place = places[i, b] = inserted[i, tube[i, b]] - left[i, b]
            k = b
            while k > 0 and places[i, order[i, k - 1]] > place:
                order[i, k] = order[i, k - 1]
                k -= 1
            order[i, k] = b
        ends[i, 0] = 0.0
        for j in range(piece.shape[2]):
            piece[i, 0, j] = 0
        for k in range(tube.shape[1]):
            b = order[i, k]
            rank[i, b] = k
            ends[i, k + 1] = max(places[i, b], 0.0)
            for j in range(piece.shape[2]):
                piece[i, k + 1, j] = beyond[i, b] if j == tube[i, b] else piece[i, k, j]
    for m in range(len(mark_set)):
        angle_at[m] = section_nodes[mark_set[m], 1 + rank[mark_set[m], mark_rank[m]]]
        at[m] = angle_nodes[angle_at[m]]


@kernel
def fill_points(
    rod, section, part_of, section_length, least, bends, inserted, lengths, ends, piece,
    table_stiffness, table_rest, scale, stiff_scale, part, s, own, present, stiffness, rest,
):  # fmt: skip
    """What there is at all points; tables have the stiffness and the rest strains of pieces.

    Sections without length are curved as if they had a ``least`` one if anything ``bends`` there.
    """
    for q in range(len(rod)):
        i, k = rod[q], section[q]
        length = ends[i, k + 1] - ends[i, k]
        scale[q] = length / section_length[i]
        stiff_scale[q] = max(scale[q], least[q])
        part[q] = 1.0 if bends else scale[q] / stiff_scale[q]
        s[q] = ends[i, k] + part_of[q] * length
        for j in range(inserted.shape[1]):
            own[q, j] = s[q] - inserted[i, j] + lengths[i, j]
            p = piece[i, k, j]
            present[q, j] = p >= 0
            stiffness[q, j, 0] = table_stiffness[i, j, 0]
            for c in range(6):
                if c > 0:
                    stiffness[q, j, c] = table_stiffness[i, j, c] if p >= 0 else 0.0
                rest[q, j, c] = table_rest[i, j, p, c] if p >= 0 else 0.0


@kernel
def stretches(where, section_length, ends, out):
    """Lengths of sections by those of reference, of elements in sets and sections ``where``."""
    for e in range(len(where)):
        i, k = where[e, 0], where[e, 1]
        out[e] = (ends[i, k + 1] - ends[i, k]) / section_length[i]


@kernel
def move(
    inserted, change, tube, left, rank, rod, section, part_of, section_length, where, ends, scale,
    own, stretch,
):  # fmt: skip
    """How ends of sections, scales, own arc lengths and stretches move with insertions."""
    for i in range(len(tube)):
        ends[i, 0] = 0.0
        for b in range(tube.shape[1]):
            j = tube[i, b]
            outside = inserted[i, j] - left[i, b] >= 0.0
            ends[i, 1 + rank[i, b]] = change[i, j] if outside else 0.0
    for q in range(len(rod)):
        i, k = rod[q], section[q]
        length = ends[i, k + 1] - ends[i, k]
        scale[q] = length / section_length[i]
        for j in range(change.shape[1]):
            own[q, j] = ends[i, k] + part_of[q] * length - change[i, j]
    stretches(where, section_length, ends, stretch)
