"""Tables drawn with characters in text: by a browser for terminals, a database's shell, by hand.

┌──────┬─────────┐     +------+---------+
│ City │ Country │     | City | Country |
"""

import itertools
import re
from collections.abc import Sequence

from ...tables import Cell, Row, rows, unmarked

_SIDES = "|│┃║"
_SIDE = re.compile(f"[{_SIDES}]")
_RULES = frozenset("-=─━═")
_RULED = _RULES.union("+|: ", map(chr, range(0x2502, 0x2580)))  # … and box drawing's corners


def with_rows(lines: Sequence[str]) -> tuple[list[str], list[Row]]:
    """Put rows ("City: Vienna; Country: Austria") in the place of drawn tables: (lines, rows)."""
    written, table = list[str](), list[Row]()
    for drawn, run in itertools.groupby(lines, _is_drawn):
        block = list(run)
        found = _read(block) if drawn else None
        if found is None:
            written += block
            continue
        table += found
        written += ["", *(line for one in found for line in one.text.split("\n")), ""]
    return written, table


def _is_drawn(line: str) -> bool:
    bare = line.strip()
    return len(bare) > 2 and (_is_rule(bare) or (bare[0] in _SIDES and bare[-1] in _SIDES))


def _is_rule(bare: str) -> bool:
    """Whether a line is drawn between rows: "+------+---------+", but not "-----"."""
    drawn = set(bare)
    ends = {bare[0], bare[-1]}
    return drawn <= _RULED and ends.isdisjoint(_RULES) and not drawn.isdisjoint(_RULES)


def _read(lines: Sequence[str]) -> list[Row] | None:
    """The rows of a table; None where its lines have unlike columns, or no rule parts them."""
    groups = [
        [[cell.strip() for cell in _SIDE.split(line.strip()[1:-1])] for line in run]
        for rule, run in itertools.groupby(lines, lambda line: _is_rule(line.strip()))
        if not rule
    ]
    if len(groups) < 2 or len({len(cells) for group in groups for cells in group}) != 1:
        return None
    named = len(groups) == 2  # names, and below them a row in each line
    if named:
        groups[1:] = [[cells] for cells in groups[1]]
    grid = [[Cell(text) for text in map(_joined, *group)] for group in groups]
    if (written := rows(grid, header=True) if named else unmarked(grid)) is not None:
        return written
    return [Row(", ".join(cell.text for cell in cells if cell.text)) for cells in grid]


def _joined(*lines: str) -> str:
    """What the lines of a cell say."""
    return " ".join(filter(None, lines))
