"""The columns of aligned rows: two equations beside each other are two statements, and are never multiplied."""

from __future__ import annotations

from collections.abc import Sequence

from grpo_symbolic.reading.document.prose import Role, role
from grpo_symbolic.reading.document.ranges import COMPARISONS, EQUALITIES, Range, range_of
from grpo_symbolic.reading.document.relations import QUANTIFIERS, SETS, joins, relations_in, stripped
from grpo_symbolic.reading.tex.symbols import PUNCTUATION
from grpo_symbolic.reading.tex.tree import Atom, Group, Nodes, Row, Space, Words, place_of

#: Environments in which a space stands between any two cells, not only between pairs of them.
_SPACED = frozenset({"array", "eqnarray", "IEEEeqnarray"})


def columns_of(rows: Sequence[tuple[Row, str]]) -> list[list[tuple[int, Nodes]]]:
    """Return, for every row with its environment, its statements, each with the number of its column.

    A cell that begins or ends with a sign goes on from the one before it, and words or a range are said of it, unless
    another row has a statement of its own in this column.
    """
    own = {
        (environment, number)
        for row, environment in rows
        for number, _ in _pieces(_cells(row, environment), frozenset())
        if number
    }
    return [
        _pieces(_cells(row, environment), frozenset(number for name, number in own if name == environment))
        for row, environment in rows
    ]


def _cells(row: Row, environment: str) -> list[Nodes]:
    """What stands between two wide gaps."""
    if environment in _SPACED:
        return list(row.cells)
    return [tuple(node for cell in row.cells[at : at + 2] for node in cell) for at in range(0, len(row.cells), 2)]


def _pieces(cells: Sequence[Nodes], own: frozenset[int]) -> list[tuple[int, Nodes]]:
    pieces: list[tuple[int, Nodes]] = []
    for number, cell in enumerate(cells):
        if not cell:
            continue
        column, before = pieces[-1] if pieces else (0, ())
        if number in own and not _is_remark(cell, before):
            pieces.append((number, cell))
        elif not before:
            pieces.append((0, cell))
        elif joins(before[-1]) or joins(cell[0]):
            pieces[-1] = (column, before + cell)
        elif _is_remark(cell, before) or isinstance(before[-1], Words) or not _stands(before, cell):
            pieces[-1] = (column, (*before, Space(place_of(cell)), *cell))
        else:
            pieces.append((number, cell))
    return pieces


def _stands(before: Nodes, cell: Nodes) -> bool:
    """Whether a cell stands by itself; not after a condition such as ``\\text{if } x > 0``, or as a part of a word."""
    core = stripped(before, PUNCTUATION)
    if not core or (isinstance(core[0], Words) and role(core[0].text, core[1:]) is Role.RESTRICTS):
        return False
    return bool(relations_in(core) or relations_in(cell))


def _is_remark(cell: Nodes, before: Nodes) -> bool:
    """Whether a cell is about the formula before it: words, a condition in brackets, or a range."""
    core = stripped(cell, PUNCTUATION)
    if not core or isinstance(core[0], Words) or (isinstance(core[0], Atom) and core[0].text in QUANTIFIERS):
        return True
    if len(core) == 1 and isinstance(core[0], Group) and core[0].open in ("(", "["):
        return True
    signs = set(relations_in(core))
    if not signs or joins(core[0]) or not relations_in(before):
        return False
    if signs <= SETS:
        return True
    return signs <= COMPARISONS and bool(EQUALITIES & set(relations_in(before))) and range_of(core) is Range.CONDITION
