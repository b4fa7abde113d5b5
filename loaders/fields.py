"""A record's fields → a document: the same for CSV, TSV and JSON."""

import math
import re
from collections.abc import Iterator, Mapping
from itertools import accumulate
from pathlib import Path, PurePath
from typing import cast

from ..kg.text.titles import may_link
from ..kg.text.words import clean, normal_title, stable_id, words
from ..kg.types import Document
from .options import Options
from .persons import with_whole_names
from .records import Record
from .tables import MAX_NAME, MAX_VALUE, Row, located, row

TEXTS = ("text", "body", "content", "abstract", "passage", "description", "answer")
TITLES = ("title", "name", "heading", "headline", "question")
IDS = ("id", "_id", "url")
"""Names of fields that are looked for where none is named, in this order, in any case."""

_UNTOLD = frozenset(
    """all book copy csv data database dataset dump entries excel export file final import input
    json list new old output query record records result results rows sample sheet table temp test
    tmp untitled upload values""".split()
)
"""In the name of a file says nothing of its rows."""
_CODE = re.compile(r"[A-Za-z]{1,8}[-_/ ]\d[\w-]{0,11}")  # an id that people say: "INC-33"
_DEEPEST = 3  # objects in each other that a row shows
Plain = str | int | float | bool


class Fields:
    """Makes documents of one file's records.

    Args:
        path: of the file.
        options: which fields are what.
    """

    def __init__(self, path: Path, options: Options) -> None:
        self.source = clean(options.place or str(path.resolve()))
        self._options = options
        self._called = _called(options.place or path.name)
        self._ids = set[str]()
        self._named: tuple[str, ...] = ()
        self._named += options.text_fields + (options.metadata_fields or ())
        self._named += tuple(filter(None, (options.title_field, options.id_field)))
        self._first = True

    def document(self, record: Record) -> Document | None:
        """Make a document of a record; None where its text is empty.

        Its id is made of the file and the record's own id where it has one, so that an edited
        record replaces itself; else of title and text, so that a record in several files is one.

        Raises:
            SourceError: a field that was named is missing, or one holds what it can't.
        """
        names = {name.strip().casefold(): name for name in reversed(record.data)}
        self._check(record)
        texts = self._options.text_fields or _first(names, TEXTS)
        titles = _chosen(self._options.title_field, names, TITLES)
        ids = _chosen(self._options.id_field, names, IDS)
        if not any(name in record.data for name in texts):
            return self._row(record, titles, ids)
        parts = (_text(record, name) for name in texts)
        text = "\n\n".join(part for part in parts if part)
        title = " ".join(record.text(titles[0], "").split()) if titles else ""
        if not title and ids and _CODE.fullmatch(own := record.text(ids[0], "").strip()):
            title = own
        if not text:
            return None
        identity = self._identity(record, ids) or stable_id("record", title, text)
        others = self._others(record, {*texts, *titles, *ids}, title)
        text = "\n\n".join(filter(None, (text, others.text)))
        metadata = self._metadata(record, {*texts, *titles})
        facts = located(text, [others])
        return Document(identity, title, text, self.source, metadata, facts=facts)

    def _others(self, record: Record, used: set[str], title: str) -> Row:
        """What a record says beside its text, as a row, where nobody has said which is which.

        A list of prices has a description, too; of the title's facts, else of the first one's.
        """
        if self._options.text_fields or self._options.metadata_fields is not None:
            return Row("")
        fields = {n: v for n, v in record.data.items() if n.strip() and n not in used}
        values = dict(_values({n: v for n, v in fields.items() if n.casefold() not in IDS}))
        return row(values, title or next(filter(None, values.values()), ""))

    def _row(
        self, record: Record, titles: tuple[str, ...], ids: tuple[str, ...]
    ) -> Document | None:
        """Make a document of a record that has no text: of its row, titled by the row's name.

        That is the title's field, else the first; of plain values, and lists of them. What the file
        is called stands in parentheses behind it: "Slime matters (seminars 2025)". What stands
        around records and begins with a number is what the file is called.
        """
        values = dict(_values(record.data))
        empty = sum(not value for value in record.data.values())
        if sum(map(bool, values.values())) + empty < 2:
            what = f"has no text among its fields ({_listed(record)})"
            raise record.error(f"{what}; name the one that holds it: --text-field NAME")
        if not any(values.values()):
            return None
        first = next((n for n in values if values[n] and n not in ids), next(iter(values)))
        values, whole = with_whole_names(values)
        name = whole or " ".join(values.get(titles[0] if titles else first, "").split())
        if record.around and not any(map(str.isalpha, name.removeprefix("v"))):  # a version
            name = self._called
        written = row({n: v for n, v in values.items() if n not in ids or n == first}, name)
        if not written.text:
            return None
        identity = self._identity(record, ids) or stable_id("record", name, written.text)
        metadata = self._metadata(record, set(titles))
        title = self._with_file(name if len(name) <= MAX_VALUE else "", written.text)
        facts = located(written.text, [written])
        return Document(identity, title, written.text, self.source, metadata, facts=facts)

    def _with_file(self, name: str, text: str) -> str:
        """A row's title: whose parentheses are no part of its name; the row may say them itself."""
        if (
            not self._called
            or name.endswith(")")
            or set(words(self._called)) <= set(words(f"{name} {text}"))
        ):
            return name
        return f"{name} ({self._called})" if name else self._called

    def _check(self, record: Record) -> None:
        """The first record must have every field that was named: a misspelt one is found at once.

        Later ones may lack some, as JSON lines often leave out what is null.
        """
        missing = [name for name in self._named if self._first and name not in record.data]
        self._first = False
        if missing:
            raise record.error(f"has no field {missing[0]!r}; its fields: {_listed(record)}")

    def _identity(self, record: Record, ids: tuple[str, ...]) -> str:
        own = record.text(ids[0], "").strip() if ids else ""
        if not own:
            if self._options.id_field:
                raise record.error(f"field {self._options.id_field!r} is empty; it is the identity")
            return ""
        identity = stable_id("record of", self.source, own)
        if identity in self._ids:  # what is called an id need not be one
            if self._options.id_field:
                raise record.error(
                    f"field {ids[0]!r} is {own!r} again; an id stands once in a file"
                )
            return ""
        self._ids.add(identity)
        return identity

    def _metadata(self, record: Record, used: set[str]) -> dict[str, Plain]:
        wanted = self._options.metadata_fields
        if wanted is None:
            chosen = {n: v for n, v in record.data.items() if n not in used}
            return _plain({name: value for name, value in chosen.items() if name.strip()})
        chosen = {name: record.data[name] for name in wanted if record.data.get(name) is not None}
        for name, value in chosen.items():
            if not isinstance(value, Plain):
                chosen[name] = ", ".join(record.texts(name))
        return _plain(chosen)


def _called(file: str) -> str:
    """A file's name in words, "" where it tells nothing: "export_2.csv"."""
    name = " ".join(re.split(r"[\s_-]+", clean(PurePath(file.rpartition(":")[2]).stem))).strip()
    tell = [one for one in words(name) if len(one) > 2 and one.isalpha() and one not in _UNTOLD]
    return name if tell and may_link(normal_title(name)) and len(name) <= MAX_NAME else ""


def _text(record: Record, name: str) -> str:
    """A text, or the sentences of one: HotpotQA's Wikipedia."""
    if isinstance(record.data.get(name), list):
        return joined(list(record.texts(name)))[0]
    return record.text(name, "").strip()


def _values(
    fields: Mapping[str, object], above: str = "", depth: int = 0
) -> Iterator[tuple[str, str]]:
    """Fields as a row shows them, those of an object in one under both names: "supplier city"."""
    for name, value in fields.items():
        if isinstance(value, dict) and depth < _DEEPEST:
            yield from _values(cast("dict[str, object]", value), f"{above}{name} ", depth + 1)
        else:
            yield f"{above}{name}", _shown(value)


def _shown(value: object) -> str:
    """What a row shows of a value: texts, numbers, true and false, and lists of these."""
    if isinstance(value, list) and all(isinstance(one, Plain) for one in value):
        return ", ".join(map(str, value))
    return str(value).strip() if isinstance(value, Plain) else ""


def _plain(values: Mapping[str, object]) -> dict[str, Plain]:
    """What a graph keeps of these: texts that are not empty, numbers, true and false."""
    found: dict[str, Plain] = {}
    for name, value in values.items():
        if isinstance(value, str) and value.strip():
            found[clean(name)] = clean(value.strip())
        elif isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
            found[clean(name)] = value
        elif isinstance(value, list) and (shown := clean(_shown(value))):  # "tags": ["a", "b"]
            found[clean(name)] = shown
    return found


def _first(names: Mapping[str, str], wanted: tuple[str, ...]) -> tuple[str, ...]:
    return next(((names[name],) for name in wanted if name in names), ())


def _chosen(
    given: str | None, names: Mapping[str, str], wanted: tuple[str, ...]
) -> tuple[str, ...]:
    if given is None:
        return _first(names, wanted)
    return (given,) if given else ()


def _listed(record: Record) -> str:
    return ", ".join(clean(name) for name in record.data) or "none"


def joined(sentences: list[str]) -> tuple[str, tuple[int, ...]]:
    """Join sentences to one text, and say where in it each begins."""
    # HotpotQA's sentences carry the space before them, 2WikiMultihopQA's do not.
    spaced = any(sentence[:1].isspace() for sentence in sentences[1:])
    between = "" if spaced else " "
    text = between.join(sentences)
    cut = len(text) - len(text.lstrip())
    ends = accumulate(len(sentence) + len(between) for sentence in sentences)
    return text.strip(), tuple(max(0, place - cut) for place in (0, *ends))[:-1]
