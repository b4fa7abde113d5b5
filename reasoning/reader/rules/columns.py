"""What a table's row says in the column that a question asks for: the surest thing there is."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from ....kg.text.words import stems, words
from ..asked.alike import alike
from ..asked.names import key
from ..asked.question import Asked
from ..candidates import AnswerCandidate
from ..fields import WHOM, YEARS, Fields
from ..kinds import RELEASE
from ..pages import Evidence, Page
from .rulings import Ruling

_VERDICTS = {"yes": "yes", "true": "yes", "y": "yes", "no": "no", "false": "no", "n": "no"}
_BRACKETS = re.compile(r"\([^()]*\)")
_LISTED = re.compile(r", [^\W\d]")
_LITTLE = re.compile(
    r"[(\[].*|\bp\.? ?[ahm]\b|\b(?:per|no|nr|net|gross|approx|incl|excl)\b", re.IGNORECASE
)
_MEASURES = {  # "How big is X?" – "Size: 12"
    stem: frozenset(stems(columns))
    for said, columns in {
        "big large": "size", "long": "length duration", "old": "age", "heavy": "weight",
        "high tall": "height", "far": "distance", "fast": "speed", "deep": "depth", "wide": "width",
    }.items()
    for stem in stems(said)
}  # fmt: skip
_TOLD = {  # "Where is X?" – "Room: 4"
    "where": frozenset(stems("location place venue address room site office building town city")),
    "when": frozenset(stems("date day time")),
    "until": frozenset(stems("end until deadline expiry")),
}
_HOLDS = re.compile(r"\b(?:carry|hold|seat|sleep|take|fit|accommodate)s?\b")
_HELD = frozenset(stems("carry hold seat sleep take fit accommodate"))
_CAPACITY = frozenset(stems("capacity"))
_LIVES = frozenset(stems("live reside"))
_WORKPLACE = frozenset(stems("office room venue site"))
"""Columns that do not tell where somebody lives."""
_DAY = re.compile(
    r"\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:days?)?\b", re.IGNORECASE
)
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_YEARS = re.compile(r"(?=1[5-9]|20)" + YEARS)
_IN_FULL = {
    short: full
    for line in (
        "ext extension", "tel telephone", "qty quantity", "perf performance", "dept department",
        "max maximum", "min minimum", "avg average", "temp temperature", "whole full",
        "entire full",
    )
    for short, full in [stems(line)]
}  # fmt: skip
"""What columns shorten, and what says the same."""
_EXTENSION, _PHONE = frozenset(stems("extension")), frozenset(stems("phone telephone"))
_HIRED = frozenset(stems("rent hire book buy"))
_PRICES = frozenset(stems("charge cost fee price rate rent tariff"))
_GENERAL = frozenset(
    stems("number date name value amount work belong get cost take speak live have hold own")
)
"""Words of a question that leave a column what it is: "What is Ann's phone number?", "phone"."""
_OF_A_LETTER = frozenset({"From", "Date"})
_WRITTEN = frozenset(stems("answer date e-mail email letter mail message reply send sent write"))
_WRITTEN |= frozenset(stems("wrote written"))
"""Words of a question that asks when a letter was written, not when that is which it is about."""
_NOTHING_SAID = re.compile(
    r"(?:not (?:stated|given|known|recorded|specified|available)|unknown|n/?a|none given|\?+"
    r"|[-–—]+|\.{2,}|…)",
    re.IGNORECASE,
)
_EDGES = tuple(  # "When does the term start?" – "First day: 3 May"
    (frozenset(stems(verbs)), frozenset(stems(columns)))
    for verbs, columns in (
        ("begin start commence", "first start begin beginning"),
        ("end finish stop", "last end finish"),
    )
)
_MUCH = 3  # of a row's words
_CODE = re.compile(r"\S*\d\S*")
_RUNS = frozenset(
    stems("run last end valid expire until")
)  # "Until when does X run?" – "End: 3 May"

Value = tuple[Page, int, int]
"""Where a row's value stands: page, first character, one past the last."""


def says_nothing(text: str) -> bool:
    """Whether a table's field says that nothing is known."""
    return _NOTHING_SAID.fullmatch(text.strip()) is not None


def value_asked(evidence: Evidence) -> Value | None:
    """Find the value asked for; None unless the rows have one such.

    The row says all names of the question, and nothing of the question is left that neither the
    column's name nor the row's other values and names of columns say, nor title and heading.
    """
    asked = evidence.asked
    if asked.kind in ("choice", "yesno") or asked.identity:
        return None
    values = {}
    for page, _, start, end in _values(evidence):
        text = page.text[start:end]
        if _fits(text, asked) and not says_nothing(text):
            values[key(text)] = page, start, end
    return next(iter(values.values())) if len(values) == 1 else None


def left_empty(evidence: Evidence) -> Value | None:
    """Find the one field that is asked for where it tells nothing, as "Phone: –" does."""
    asked = evidence.asked
    if asked.kind in ("choice", "yesno") or asked.identity:
        return None
    found = {(page, start, end) for page, _, start, end in _values(evidence)}
    page, start, end = found.pop() if len(found) == 1 else (None, 0, 0)
    return (page, start, end) if page and says_nothing(page.text[start:end]) else None


def in_column(value: Value | None, found: Sequence[AnswerCandidate]) -> int | None:
    """Find the number of the candidate that is a value; None without any."""
    return next(
        (
            number
            for number, candidate in enumerate(found)
            if any(value == (m.page, m.start, m.end) for m in candidate.mentions)
        ),
        None,
    )


def by_row(evidence: Evidence) -> Ruling | None:
    """Decide "Does Ann Lee work remotely?" by "Name: Ann Lee; Remote: yes", or return None."""
    if evidence.asked.kind != "yesno" or not evidence.asked.names:
        return None
    found = {}
    for page, sentence, start, end in _values(evidence):
        value = page.text[start:end]
        verdict = _VERDICTS.get(value.casefold())
        for statement in page.statements if verdict else ():
            if statement.triple.tail == value and page.sentence_of(statement) == sentence:
                found[verdict] = statement
    if len(found) != 1:
        return None
    [(verdict, statement)] = found.items()
    return Ruling(verdict, "path", (statement,))


def _values(evidence: Evidence) -> Iterator[tuple[Page, int, int, int]]:
    """Page, sentence and place of every value that a row gives to the question."""
    for page in evidence.pages:
        for sentence, fields in page.fields.items():
            for start, end in _asked_for(evidence, page, sentence, fields):
                yield page, sentence, start, end


def _asked_for(
    evidence: Evidence, page: Page, sentence: int, fields: Fields
) -> list[tuple[int, int]]:
    """Where the values stand that a row gives to the question.

    What names the row, or whom it is about, is what the question names, or what it asks for: of
    "Child: Ann; Father: Ben; Born: 1990" nothing tells when Ben was born.
    """
    asked, head = evidence.asked, page.heads.get(sentence, frozenset())
    if not _says_releases(
        asked, f"{page.passage.title} {page.passage.heading} {page.texts[sentence]}"
    ):
        return []
    letter = _OF_A_LETTER.issubset(column for column, _, _ in fields)
    if letter and asked.kind == "date" and asked.stems.isdisjoint(_WRITTEN):
        return []
    columns = [_words(column) for column, _, _ in fields]
    years = frozenset(
        s for column, _, _ in fields if _YEARS.fullmatch(column) for s in stems(column)
    )
    asked_names = [name - years for name in asked.names if name - years]  # "T2 in 2024"
    values = [frozenset(stems(page.text[start:end])) for _, start, end in fields]
    heads = [bool(value) and value <= head for value in values]
    if heads[:1] == [True] and heads.count(True) == 1 and len(fields) > 1:  # "Code: E-31; Item: …"
        first = page.text[fields[0][1] : fields[0][2]]
        heads[1] = first.isupper() and _CODE.fullmatch(first) is not None
    said = asked.stems | (_PRICES if asked.form == "money" else frozenset())
    named = [
        any(name <= value for name in asked_names)
        or (of_row and _bare(page.text[start:end]) <= said)
        for value, of_row, (_, start, end) in zip(values, heads, fields, strict=True)
    ]
    if any(heads):
        pairs = zip(columns, values, named, strict=True)
        about = frozenset[str]().union(*(c | v for c, v, names in pairs if names))
        free = any(
            names and (of_row or column.casefold() in WHOM)
            for of_row, names, (column, _, _) in zip(heads, named, fields, strict=True)
        )
    else:  # what it is about stands above it
        about, free = head, True
    above = frozenset(stems(f"{page.passage.title} {page.passage.heading}"))
    own = [name for name in asked_names if not name <= above]
    if not own and not any(of_row and names for of_row, names in zip(heads, named, strict=True)):
        own = asked_names
    own = [name for name in own if not any(name <= column for column in columns)]  # "Fee 2025"
    if not any(named) and any(heads):
        return []
    if (len(fields) < 2 and not head) or not all(name <= about for name in own):
        return []
    told = (value for value, names in zip(values, named, strict=True) if names)
    known = frozenset().union(*told) if any(heads) else about
    known = frozenset(stem for stem in known if not _YEAR.fullmatch(stem))
    if not asked_names and not (known and known <= asked.stems):
        return []
    kept = [name for name in asked_names if not any(name <= column for column in columns)]
    said_above = frozenset[str]().union(*(name for name in kept if name <= above))
    measured = _MEASURES.keys() & asked.stems if asked.text.lower().startswith("how ") else set()
    left = in_full(asked.stems - said_above - about - asked.typed - measured)
    left -= _RUNS if _asks(asked, "until") else frozenset()
    edges = [(verbs, said) for verbs, said in _EDGES if asked.kind == "date" and verbs & left]
    left = left.difference(*(verbs for verbs, _ in edges))
    typed = asked.typed.union(*(_MEASURES[stem] for stem in measured))
    typed |= _PRICES if asked.form == "money" or "much" in asked.typed else frozenset()
    told = frozenset[str]().union(*(said for word, said in _TOLD.items() if _asks(asked, word)))
    holds = asked.kind == "number" and _HOLDS.search(asked.text)
    told, left = (told | _CAPACITY, left - _HELD) if holds else (told, left)
    told -= _WORKPLACE if asked.stems & _LIVES else frozenset()
    told = told.union(*(said for _, said in edges))
    wanted = left.union(typed, *map(alike, left | typed), told)  # an office is a position, too
    needed, focus = left - _GENERAL - above, frozenset(stems(asked.focus))
    needed -= _HIRED if asked.form == "money" else frozenset()
    needed -= _generic(asked, needed, about)
    chosen = bool(focus) and focus in columns
    if chosen:  # "In which room does Ann teach?" is not "Teaches: cello"
        needed -= asked.doing
    return [
        (start, end)
        for (_, start, end), column, names, of_row in zip(
            fields, columns, named, heads, strict=True
        )
        if not names and (free or of_row)
        if _says(
            _without_rest(column, columns, asked_names),
            wanted,
            needed.difference(stems(page.text[start:end]) if holds else ()),
        )
        if not chosen or column == focus
    ]


def _generic(asked: Asked, needed: frozenset[str], about: frozenset[str]) -> frozenset[str]:
    """What a question's thing is called besides: "clock" of "for a three train clock"."""
    said = words(asked.text)
    return frozenset(
        stem
        for before, word in pairwise(said)
        for stem in stems(word)
        if stem in needed & asked.things and stem not in asked.named_stems
        if len(about & asked.stems) >= _MUCH and about.issuperset(stems(before)) and stems(before)
    )


def _without_rest(
    column: frozenset[str], columns: Sequence[frozenset[str]], names: Sequence[frozenset[str]]
) -> frozenset[str]:
    """A column without what only it adds to a name: "Sawmill" of "Sawmill Analytics"."""
    for name in names:
        if len(name) == 1 and name < column and sum(name <= other for other in columns) == 1:
            return name if "".join(column - name).isalpha() else column
    return column


def _says_releases(asked: Asked, text: str) -> bool:
    """Whether a text says each "3.0.0" of the question as it stands, not its figures alone."""
    releases = (name for name in asked.called if RELEASE.fullmatch(name))
    return all(re.search(rf"(?<![\d.]){re.escape(one)}(?!\.?\d)", text) for one in releases)


def _bare(value: str) -> frozenset[str]:
    """What a row's name says, but for what it adds: "Junior (under 18)", "Summer 2025"."""
    return frozenset(stems(_YEAR.sub("", _BRACKETS.sub("", value)))) or frozenset(["?"])


def _fits(value: str, asked: Asked) -> bool:
    """Whether a value can be of the kind asked for: a date and a place are no place, nor a date."""
    figures = any(map(str.isdigit, value))
    if asked.kind == "person":
        return not figures
    if asked.kind == "place":
        return not figures or (_asks(asked, "where") and not _YEAR.search(value))
    if asked.kind == "date" and _DAY.search(value):
        return True
    return asked.kind not in ("date", "number") or (figures and _LISTED.search(value) is None)


def _asks(asked: Asked, word: str) -> bool:
    return re.search(rf"\b{word}\b", asked.text, re.IGNORECASE) is not None


def _words(column: str) -> frozenset[str]:
    """What a column's name says: "hours", "week" of "Hours per week", "loan" of "Loan no."."""
    told = in_full(stems(_LITTLE.sub(" ", column)))
    return told - _PHONE if told >= _EXTENSION else told


def in_full(said: Iterable[str]) -> frozenset[str]:
    """Return stems with those of whole words for short ones: "ext." is an extension."""
    return frozenset(_IN_FULL.get(stem, stem) for stem in said)


def _says(column: frozenset[str], wanted: frozenset[str], needed: frozenset[str]) -> bool:
    """Whether a column's name says all that is needed, and nothing that is not asked for."""
    held = column.union(*map(alike, column))
    return bool(column) and column <= wanted and needed <= held
