"""Rows beside the one that a candidate stands in: another is asked about, or several fit alike."""

import re
from collections.abc import Iterator

from ....kg.text.words import stems
from ..asked.alike import alike
from ..asked.names import key
from ..asked.question import Asked
from ..candidates import Mention
from ..fields import Fields
from ..pages import Evidence, Page

_FEWEST = 2  # fields of a table's row; a line of one is a record's
_NAMES = frozenset({"person", "group", "work", "place", "other"})  # kinds of answers
_MOST = 12  # rows that are all the answer; a longer list is a whole table


def of_another_row(asked: Asked, page: Page, sentence: int) -> bool:
    """Whether a row has another value in a column that the question gives one of.

    "Thing: dry suit; Size: L; Price: 10" says nothing of "a dry suit of size S".
    """
    said = (
        (re.search(rf"(?i:\b{re.escape(name)}) ([A-Z\d][\w.-]*|[a-z]\b)", asked.text), start, end)
        for name, start, end in page.fields[sentence]
    )
    return any(
        given is not None and given[1].casefold() not in page.text[start:end].casefold().split()
        for given, start, end in said
    )


def of_another_head(evidence: Evidence, mention: Mention) -> bool:
    """Whether the question names another row, and nothing of the one that a candidate stands in.

    "Role: Safety rep; Backup: Bo Ek" says nothing of the backup of the data steward, who has a row
    of her own without one.
    """
    asked, page = evidence.asked, mention.page
    fields = page.fields[mention.sentence]
    if len(fields) < _FEWEST:
        return False
    own = _head(page, mention.sentence)
    others = (
        frozenset(stems(page.text[start:end]))
        for _, start, end in fields
        if not (start <= mention.start < end)
    )
    if not own or own <= asked.stems or any(value and value <= asked.stems for value in others):
        return False
    columns = frozenset(stem for name, _, _ in fields for stem in stems(name))
    return any(
        (head := _head(other, n)) and head <= asked.stems and not head <= columns
        for other, n, beside in _rows(evidence)
        if beside[0][0] == fields[0][0] and not (other is page and n == mention.sentence)
    )


def of_lesser_row(evidence: Evidence, mention: Mention) -> bool:
    """Whether another row's values say what those of a candidate's do of the question, and more.

    Of "How many pumps has the station with the eel pass?" that is the row that notes an eel pass.
    """
    asked, page = evidence.asked, mention.page
    fields = page.fields[mention.sentence]
    if len(fields) < _FEWEST or _head(page, mention.sentence) <= asked.stems:
        return False
    columns = frozenset(stem for name, _, _ in fields for stem in stems(name))
    wanted = asked.stems - asked.typed - columns
    mine = _told(page, fields, wanted)
    return any(
        mine < _told(other, beside, wanted)
        for other, _, beside in _rows(evidence)
        if beside[0][0] == fields[0][0]
    )


def alike_rows(evidence: Evidence, mention: Mention) -> list[str]:
    """Collect what all rows that say as much of the question as the candidate's have in its column.

    "Who is the first-aider?" is not answered by the first of two who are.

    Returns:
        The values in the order of the rows, each once; [] unless there are several.
    """
    asked, page = evidence.asked, mention.page
    fields = page.fields.get(mention.sentence, ())
    if len(fields) < _FEWEST or asked.kind not in _NAMES:
        return []
    place = mention.start, mention.end
    column = next((name for name, *at in fields if (*at,) == place), None)
    given = dict(_given(page, fields, asked))
    if column is None or not given:
        return []
    said = _said(page, mention.sentence, place, asked)
    found: dict[str, str] = {}
    for other, n, beside in _rows(evidence):
        own = {name: key(other.text[start:end]) for name, start, end in beside}
        at = next(((start, end) for name, start, end in beside if name == column), None)
        if at is None or any(own.get(name) != value for name, value in given.items()):
            continue
        if _said(other, n, at, asked) == said:
            value = other.text[slice(*at)]
            found.setdefault(key(value), value)
    return list(found.values()) if 1 < len(found) <= _MOST else []


def _rows(evidence: Evidence) -> Iterator[tuple[Page, int, Fields]]:
    """All rows as (page, sentence, fields), in the order of the document."""
    ordered = sorted(
        evidence.pages, key=lambda page: (page.passage.document_id, page.passage.position)
    )
    for page in ordered:
        for sentence, fields in page.fields.items():
            yield page, sentence, fields


def _head(page: Page, sentence: int) -> frozenset[str]:
    """What a row is about: by its triples, else its first value."""
    _, start, end = page.fields[sentence][0]
    return page.heads.get(sentence) or frozenset(stems(page.text[start:end]))


def _given(page: Page, fields: Fields, asked: Asked) -> Iterator[tuple[str, str]]:
    """Columns and keys of the values of a row that the question says in full."""
    for name, start, end in fields:
        value = page.text[start:end]
        own = frozenset(stems(value))
        if own and own <= asked.stems:
            yield name, key(value)


def _said(page: Page, sentence: int, without: tuple[int, int], asked: Asked) -> frozenset[str]:
    """The question's words that a row says, but for one of its values."""
    fields = page.fields[sentence]
    values = (
        f"{name} {'' if (start, end) == without else page.text[start:end]}"
        for name, start, end in fields
    )
    return asked.stems.intersection(stems(" ".join(values)))


def _told(page: Page, fields: Fields, wanted: frozenset[str]) -> frozenset[str]:
    """Which words the values of a row say, or others alike."""
    said = frozenset(stem for _, start, end in fields for stem in stems(page.text[start:end]))
    return frozenset(w for w in wanted if w in said or not said.isdisjoint(alike(w)))
