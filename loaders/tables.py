"""Rows of tables as they are read: "column: value; column: value", and what each row states.

A row's name is the first cell of its own, or the one marked as its header; every other is a fact:
⟨name; column; value⟩.
"""

import itertools
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ..kg.text.words import clean
from ..kg.types import Fact, Section
from .persons import with_whole_names

MAX_COLUMN = 80  # characters of a column's name: longer ones are text
MAX_NAME = 60  # … where its file does not mark it as one
MAX_VALUE = 160  # characters of a fact's ends; a longer cell is text of its own
MAX_DESCRIPTION = 600  # … of a cell beside a name, where nothing says that it is one
MAX_RECORD = 800  # … of names and values that are fields of one thing
LONGER = 2  # times as long are descriptions as the names of what they are of
MAX_SPAN = 1000  # rows or columns over which a cell spreads at most
MAX_CELLS = 1_000_000  # of a table, once cells are spread
LABEL = re.compile(  # of a form's field
    r"\b(?:address|amount|author|birth|born|category|city|client|contact|country|currency|customer"
    r"|date|department|due|duration|e-?mail|employer|fax|id|location|manager|mobile|name|nationality"
    r"|no|number|owner|period|phone|place|position|postcode|project|reference|room|signature|size"
    r"|start|status|street|subject|telephone|time|title|total|type|version|website|weight)\b",
    re.IGNORECASE,
)
_NAMES_COLUMN = re.compile(
    r"(?:action|character|comment|default|definition|description|device|effect|explanation|function"
    r"|meaning|name|purpose|[\w ]*size|use|value)s?",
    re.IGNORECASE,
)
"""What a second column is called, above what stands beside names."""
_NAMES = frozenset(["name", "full name", "title"])
_PARAMETER = re.compile(
    r"(?:data ?)?type|format|(?:default|allowed|possible)(?: values?)?|values?|mandatory|required"
    r"|optional|units?|scope|range|minimum|maximum|obsolete.*",
    re.IGNORECASE,
)
"""What a column is called that says how the thing is which a heading names."""
_MEASURE = re.compile(r"[-+±<>≤≥~]? ?\d[\d.,]* ?(?:[°%‰Ωµ]?[A-Za-z]{1,4}(?:/[A-Za-z]{1,3})?|[%°])")
"""A figure with its unit: names no row."""
ABOVE = "\ue010"
"""Head of the facts about what a row stands under: the heading above it, else the title."""
_YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as its file has it.

    Args:
        header: marked as one.
        columns: how many it spreads over; its text stands in each.
        rows: likewise.
    """

    text: str
    header: bool = False
    columns: int = 1
    rows: int = 1


class Row(NamedTuple):
    """A row as text: a line, and one for each long cell; the first states the facts.

    Args:
        facts: (head, relation, tail).
    """

    text: str
    facts: tuple[tuple[str, str, str], ...] = ()


def row(values: Mapping[str, str], name: str) -> Row:
    """Write a row.

    Args:
        values: by column, in the file's order; empty ones give nothing.
        name: of the row, unless it is a person's with a whole name; the cell that says it is no
            fact.
    """
    values, whole = with_whole_names(values)
    short, long, facts = [], [], []
    head = _line(whole or name)
    for column, value in values.items():
        column, value = _line(column), _line(value)
        if not value:
            continue
        said = f"{column}: {value}" if column else value
        (short if len(value) <= MAX_VALUE else long).append(said)
        if column and head and value != head and max(len(value), len(head)) <= MAX_VALUE:
            facts.append((head, column, value))
    return Row("\n".join(filter(None, ["; ".join(short), *long])), tuple(facts))


def rows(
    table: Sequence[Sequence[Cell]], header: bool = False, about: str = ""
) -> list[Row] | None:
    """Write a table of rows under named columns; None for what is set out as one.

    Such are tables of one column or one row, without names of columns, or too large; one of names
    and values, a row each, is a single row about what stands above it, or first in it.

    Args:
        table: rows of cells, as the file has them.
        header: whether its first row names the columns, though no cell is marked.
        about: the heading above it, "" without any.
    """
    grid = _spread(table)
    if grid is None or max(map(len, grid), default=0) < 2:
        return None
    if all(map(_names_a_value, grid)):
        return list(_records(grid, about))
    named = _headers(grid) or int(header)
    if named and _are_pairs(grid):
        return list(_records(grid, about or ABOVE))
    columns = _columns(grid[:named])
    if len(grid) <= named or not columns or sum(map(bool, columns)) < 2:
        return None
    body = [cells for cells in grid[named:] if any(cell.text for cell in cells)]
    if len(body) == 1 and _are_parameters(columns, body[0]):
        return [_under(columns, body[0], about=about or ABOVE)]
    naming = _naming(columns, body)
    return [_under(columns, cells, naming) for cells in body]


def record(pairs: Iterable[tuple[str, str]], about: str) -> list[Row]:
    """Write names and values as one row: facts of what stands above.

    A line each without that, or where these are no fields of one thing: many, or long.
    """
    held = [(name, value) for name, value in pairs if name and value]
    many = sum(len(name) + len(value) for name, value in held) > MAX_RECORD
    if not about or many or len({name for name, _ in held}) < len(held):
        return [row({name: value}, about if many else "") for name, value in held]
    return [row(dict(held), about)]


def labelled(table: Sequence[Sequence[Cell]], about: str = "") -> list[Row] | None:
    """Write a table of names and what each is, of which nothing marks the names; None for others.

    "--quiet | Prints nothing." is the line "--quiet: Prints nothing.", but for a row that says so
    ("Option | Meaning"): of that each is a row with these columns.
    """
    filled = [cells for cells in table if any(cell.text for cell in cells)]
    plain = all(
        len(cells) == 2 and all(c.columns == c.rows == 1 for c in cells) for cells in filled
    )
    names = [cells[0].text for cells in filled]
    short = all(0 < len(name) <= MAX_NAME and not name.endswith((".", "!", "?")) for name in names)
    values = [cells[-1].text for cells in filled]
    if not plain or not short or len(filled) < 2 or len(set(names)) < len(names):
        return None
    if max(map(len, values)) > MAX_DESCRIPTION or not _are_labels(names, values):
        return None
    if _NAMES_COLUMN.fullmatch(values[0]):
        return rows(filled, header=True)
    pairs = zip((name.rstrip(" :") for name in names), values, strict=True)
    return [row({name: value}, about) for name, value in pairs]


def _are_labels(names: Sequence[str], values: Sequence[str]) -> bool:
    """Whether short texts read like names of what stands beside them: it says more, or figures."""
    if all(name.endswith(":") or name[0] in "-/" for name in names):
        return True
    figures = sum(any(map(str.isdigit, value)) for value in values)
    named = sum(any(map(str.isdigit, name)) for name in names)
    longer = sum(map(len, values)) >= LONGER * sum(map(len, names))
    return longer or (2 * figures > len(values) and not named)


def unmarked(table: Sequence[Sequence[Cell]], about: str = "") -> list[Row] | None:
    """Write a table whose file marks no names, by how it reads; arguments as of `rows`."""
    if _reads_as_record(table):
        named = [[replace(name, header=True), value] for name, value in table]
        return rows(named, about=about)
    return rows(table, header=names_columns(table), about=about)


def names_columns(table: Sequence[Sequence[Cell]]) -> bool:
    """Whether the first row reads like names of columns: short, different, without a sentence."""
    names = [cell.text for cell in table[0]] if len(table) > 1 else []
    if len(names) > 2 and not names[0]:  # above names of rows
        names = names[1:]
    short = all(0 < len(name) <= MAX_NAME and not name.endswith((".", ":")) for name in names)
    return short and len(set(names)) == len(names) and len(names) > 1


def _reads_as_record(table: Sequence[Sequence[Cell]]) -> bool:
    """Whether each row reads like a name and its value: values of all sorts, also the first."""
    if len(table) < 2 or any(len(line) != 2 or line[0].columns > 1 for line in table):
        return False
    names, values = [line[0].text for line in table], [line[1].text for line in table]
    if len(set(names)) < len(names) or not all(0 < len(name) <= MAX_NAME for name in names):
        return False
    if all(name.endswith(":") for name in names):
        return True
    if not all(name[0].isalpha() and not name.endswith(".") for name in names):
        return False
    if 2 * sum(LABEL.search(name) is not None for name in names[1:]) > len(names) - 1:
        return True
    figures = [any(map(str.isdigit, value)) for value in values]
    if figures[0]:
        return not (_YEAR.fullmatch(values[0]) and all(figures))  # "Goods", "2025"
    return min(sum(figures[1:]), len(figures) - 1 - sum(figures[1:])) > 1


def _names_a_value(cells: Sequence[Cell]) -> bool:
    """Whether a row is a name and its value, or a single cell over its whole width."""
    return _whole(cells) or (len(cells) == 2 and cells[0].header and not cells[1].header)


def _whole(cells: Sequence[Cell]) -> bool:
    return len(cells) > 1 and len({id(cell) for cell in cells}) == 1


def _are_pairs(grid: Sequence[Sequence[Cell]]) -> bool:
    """Whether the first row is no names of columns, as its first cell ends in a colon.

    It is a name then, and its value stands beside it, though both are in bold.
    """
    pairs = [cells for cells in grid if not _whole(cells)]
    if not pairs or any(len(cells) != 2 or not cells[0].text for cells in pairs):
        return False
    colons = sum(cells[0].text.endswith(":") for cells in pairs)
    first, beside = pairs[0]
    return first.text.endswith(":") and not beside.text.endswith(":") and 2 * colons > len(pairs)


def _are_parameters(columns: Sequence[str], cells: Sequence[Cell]) -> bool:
    """Whether a table's only row says how its heading is: "type", "5 kW", no thing's name."""
    named = [column.strip("|* ") for column in columns if column]
    known = sum(_PARAMETER.fullmatch(name) is not None for name in named)
    a_name = any(name.casefold() in _NAMES for name in named) or any(c.header for c in cells)
    told = known > 1 and _PARAMETER.fullmatch(named[0]) is not None
    measured = bool(cells) and _MEASURE.fullmatch(cells[0].text.strip()) is not None
    return (told or measured) and not a_name


def _records(grid: Sequence[Sequence[Cell]], about: str) -> Iterator[Row]:
    """Rows of names and values; what a header over the whole width says first they are about."""
    first = grid[0][0]
    about = first.text if _whole(grid[0]) and first.header and first.text else about
    for whole, run in itertools.groupby(grid, _whole):
        if whole:
            yield from (Row(cells[0].text) for cells in run if cells[0].text)
        else:
            yield from record([(name.text.rstrip(" :"), value.text) for name, value in run], about)


def located(
    text: str, found: Iterable[Row], sections: Sequence[Section] = (), title: str = ""
) -> tuple[Fact, ...]:
    """Find the rows in the text that they were written into, in its order: what they state.

    Args:
        sections: of the text; what is said of `ABOVE` is about their headings.
        title: what it is about where no heading stands above.
    """
    facts, place = list[Fact](), 0
    headed = [section for section in sections if section.heading]
    starts = [section.start for section in headed]
    for one in found:
        start = text.find(one.text, place) if one.text else -1
        if start >= 0:
            end = start + len(one.text.split("\n", 1)[0])
            above = bisect_right(starts, start)
            about = headed[above - 1].heading if above else title
            known = 0 < len(about) <= MAX_VALUE
            for head, relation, tail in one.facts:
                if head != ABOVE:
                    facts.append(Fact(start, end, head, relation, tail))
                elif known and tail != about:
                    facts.append(Fact(start, end, about, relation, tail))
            place = start + len(one.text)
    return tuple(facts)


def _naming(columns: Sequence[str], body: Sequence[Sequence[Cell]]) -> int | None:
    """The column called "Name", where rows are alike in the first and differ in that."""
    place = next((n for n, column in enumerate(columns) if column.casefold() in _NAMES), 0)
    if not place or any(len(cells) <= place for cells in body):
        return None
    firsts, names = [cells[0].text for cells in body], [cells[place].text for cells in body]
    return place if len(set(firsts)) < len(firsts) and len(set(names)) == len(names) else None


def _under(
    columns: Sequence[str], cells: Sequence[Cell], naming: int | None = None, about: str = ""
) -> Row:
    """A row under columns of these names; what one cell spreads over says nothing of a column."""
    texts = [cell.text for cell in cells]
    if _whole(cells):
        return Row(texts[0])
    marked = next((cell.text for cell in cells if cell.header), "")
    own = next((cell.text for cell in cells if cell.rows == 1 and cell.text), texts[0])
    own = own if naming is None else texts[naming]
    values: dict[str, str] = {}
    for place, text in enumerate(texts):
        column = columns[place] if place < len(columns) else ""
        before = values.get(column)
        values[column] = f"{before}, {text}" if before and text and before != text else text
    return row(values, about or marked or own)


def _headers(grid: Sequence[Sequence[Cell]]) -> int:
    """How many rows at the top hold nothing but headers."""
    count = 0
    for cells in grid:
        if not all(cell.header or not cell.text for cell in cells):
            break
        count += 1
    return count


def _columns(grid: Sequence[Sequence[Cell]]) -> list[str]:
    """Names of columns, from one row of headers or several above each other; none where long."""
    width = max(map(len, grid), default=0)
    named = [
        " ".join(
            dict.fromkeys(c[place].text for c in grid if place < len(c) and c[place].text)
        ).rstrip(" :")
        for place in range(width)
    ]
    if any(len(name) > MAX_COLUMN for name in named):
        return []
    cells, told = grid[-1] if grid else [], distinct(named)
    for place in range(1, len(cells)):
        if cells[place] is cells[place - 1]:  # a merged one, whose columns have one name
            told[place] = told[place - 1]
    return told


def distinct(names: Sequence[str]) -> list[str]:
    """Tell columns of the same name apart: the second "Name" is "Name (2)"."""
    told, taken = list[str](), set(names)
    times = Counter[str]()
    for name in names:
        times[name] += 1
        again = name
        while name and times[name] > 1 and (again := f"{name} ({times[name]})") in taken:
            times[name] += 1
        taken.add(again)
        told.append(again)
    return told


def _spread(table: Sequence[Sequence[Cell]]) -> list[list[Cell]] | None:
    """Every cell in each place that it takes; None where that is too many."""
    grid: list[list[Cell]] = []
    falling: dict[int, tuple[Cell, int]] = {}  # by column: a cell from above, rows left
    total = 0
    for cells in table:
        line: list[Cell] = []
        waiting = list(cells)[::-1]
        while waiting or len(line) in falling:
            place = len(line)
            if place in falling:
                cell, left = falling.pop(place)
                if left > 1:
                    falling[place] = cell, left - 1
                line.append(cell)
                continue
            cell = waiting.pop()
            for _ in range(min(max(cell.columns, 1), MAX_SPAN)):
                if cell.rows > 1:
                    falling[len(line)] = cell, min(cell.rows, MAX_SPAN) - 1
                line.append(cell)
        total += len(line)
        if total > MAX_CELLS:
            return None
        grid.append(line)
    return grid


def _line(text: str) -> str:
    return " ".join(clean(text).split())
