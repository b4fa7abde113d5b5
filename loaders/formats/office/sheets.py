"""Sheets of a workbook, whichever program wrote it: a heading, then one table or several."""

from dataclasses import replace

from ...layout import Layout
from ...tables import MAX_CELLS, Cell, rows

LONGER = 2  # times a column's longest value, and more: no value of it
WORDS = 3  # of a note
MAX_COLUMNS = 16_384  # of a sheet, as Excel and Calc have them


def write(layout: Layout, name: str, sheet: list[tuple[int, list[Cell]]]) -> None:
    """Write a sheet: its name as a heading, then its tables.

    Args:
        sheet: number and cells of each row that holds something.
    """
    if not sheet:
        return
    begun = layout.heading()
    layout.add(name)
    layout.end_heading(begun)
    layout.sections[-1:] = [replace(one, apart=True) for one in layout.sections[-1:]]
    grid: list[list[Cell]] = []
    rows_begun = False  # no longer lines above the table
    last = max((place for place, (_, cells) in enumerate(sheet) if _several(cells)), default=-1)
    for place, (number, cells) in enumerate(sheet):
        apart = rows_begun and number != sheet[place - 1][0] + 1
        if apart and (_begins_table(grid, _together(sheet, place)) or place > last):
            _write_table(layout, grid)
            grid, rows_begun = [], False
        grid.append(cells)
        rows_begun = rows_begun or _several(cells)
    _write_table(layout, grid)


def _together(sheet: list[tuple[int, list[Cell]]], place: int) -> list[list[Cell]]:
    """The rows from this one up to the next empty one."""
    end = place + 1
    while end < len(sheet) and sheet[end][0] == sheet[end - 1][0] + 1:
        end += 1
    return [cells for _, cells in sheet[place:end]]


def _begins_table(before: list[list[Cell]], after: list[list[Cell]]) -> bool:
    """Whether what follows an empty row behind a table's is another table.

    It has a title, or names where the last row has figures, or names over figures where the table
    has none. Rows that are merely set apart go on in the same columns.
    """
    names, *below = after
    if not _several(names):
        return bool(below) and _several(below[0])
    if any(_is_figure(cell.text) for cell in names):
        return False
    return any(
        _has_figure(before[-1], place)
        or (
            below
            and all(_has_figure(cells, place) for cells in below)
            and not any(_has_figure(cells, place) for cells in before)
        )
        for place, cell in enumerate(names)
        if cell.text
    )


def _has_figure(cells: list[Cell], place: int) -> bool:
    return place < len(cells) and _is_figure(cells[place].text)


def _several(cells: list[Cell]) -> bool:
    return sum(bool(cell.text) for cell in cells) > 1


def _is_figure(text: str) -> bool:
    return bool(text) and text[0] in "-0123456789" and text[-1] not in ".:"


def _write_table(layout: Layout, grid: list[list[Cell]]) -> None:
    """What stands above a table as lines, then its rows."""
    above = 0
    while above < len(grid) and not _several(grid[above]):
        above += 1
    for cells in grid[:above]:
        _line(layout, cells)
    below = _notes_at(grid[above:]) + above
    table = grid[above:below]
    for start in range(0, max(len(table) - 1, 1), MAX_CELLS // MAX_COLUMNS):
        part = [*table[:1], *table[1:][start : start + MAX_CELLS // MAX_COLUMNS]]
        written = rows(part, header=True)
        if written is not None:
            layout.rows(written)
            continue
        for cells in part[bool(start) :]:
            _line(layout, cells)
    for cells in grid[below:]:
        _line(layout, cells)


def _notes_at(table: list[list[Cell]]) -> int:
    """Where notes below a table begin: a cell each, far longer than what its column holds."""
    lengths = dict[int, int]()
    for cells in filter(_several, table[1:]):
        for place, cell in enumerate(cells):
            lengths[place] = max(lengths.get(place, 0), len(cell.text))
    end = len(table)
    while end > 1 and not _several(table[end - 1]):
        said = ((n, cell.text) for n, cell in enumerate(table[end - 1]) if cell.text)
        place, text = next(said, (0, ""))
        if len(text) <= LONGER * lengths.get(place, len(text)) or len(text.split()) < WORDS:
            break
        end -= 1
    return end


def _line(layout: Layout, cells: list[Cell]) -> None:
    layout.block()
    layout.add(", ".join(cell.text for cell in cells if cell.text))
