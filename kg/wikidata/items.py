"""Items with what is stated of them, as one query brings them."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from .endpoint import Endpoint
from .values import LANGUAGES, Row, Value, entity_id, ids, language_list

LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
ALIAS = "http://www.w3.org/2004/02/skos/core#altLabel"
DESCRIPTION = "http://schema.org/description"


@dataclass(frozen=True, slots=True)
class Stated:
    """What a property states of an item.

    Args:
        pid: of the property.
        value: an item, a text, a time as the endpoint writes it, …
        label: of a value that is an item; "" where it has none.
        aliases: of a value that is an item.
    """

    pid: str
    value: Value
    label: str = ""
    aliases: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Give what to call the value."""
        return self.label or self.value.item or self.value.text


@dataclass(frozen=True, slots=True)
class Item:
    """A thing that Wikidata knows.

    Args:
        id: QID.
        label: "" where it has none that is read.
        aliases: sorted.
        statements: direct claims, by property and value.
        at: when the endpoint said so (seconds since 1970).
    """

    id: str
    label: str = ""
    aliases: tuple[str, ...] = ()
    description: str = ""
    statements: tuple[Stated, ...] = ()
    at: float = 0.0

    @property
    def properties(self) -> frozenset[str]:
        """Give the PIDs that state something of it."""
        return frozenset(one.pid for one in self.statements)

    @property
    def names(self) -> tuple[str, ...]:
        """Give label and aliases."""
        return (self.label, *self.aliases) if self.label else self.aliases


def read_items(endpoint: Endpoint, qids: Collection[str]) -> dict[str, Item]:
    """Ask what items are and what is stated of them, by QID; those without anything are left out.

    Raises:
        EndpointUnavailable: as `Endpoint.ask_each`.
    """
    answered = endpoint.ask_each(
        "statements", "items", qids, lambda some: ids(some, "Q"), languages=language_list()
    )
    rows = defaultdict[str, list[Row]](list)
    for row in answered.rows:
        if item := row["item"].item:
            rows[item].append(row)
    return {item: item_of(item, rows[item], answered.at) for item in sorted(rows)}


def item_of(qid: str, rows: Iterable[Row], at: float) -> Item:
    """Put an item together from its rows of `queries/statements.rq`."""
    texts = defaultdict[str, list[Value]](list)
    stated = dict[tuple[str, Value], list[Row]]()
    for row in rows:
        pid = entity_id(row["property"].text)
        if pid is None:
            texts[row["property"].text].append(row["value"])
        else:
            stated.setdefault((pid, row["value"]), []).append(row)
    label = best(texts[LABEL])
    statements = (Stated(pid, value, *names_of(named)) for (pid, value), named in stated.items())
    return Item(
        qid,
        label,
        tuple(sorted({one.text for key in (LABEL, ALIAS) for one in texts[key]} - {label})),
        best(texts[DESCRIPTION]),
        tuple(sorted(statements, key=lambda s: (int(s.pid[1:]), s.text, s.value.text))),
        at,
    )


def names_of(rows: Iterable[Row]) -> tuple[str, tuple[str, ...]]:
    """Read label and aliases off the columns kind and name."""
    named = [(row["kind"].text, row["name"]) for row in rows if "name" in row]
    label = best(name for kind, name in named if kind == LABEL)
    return label, tuple(sorted({name.text for _, name in named} - {label}))


def best(texts: Iterable[Value]) -> str:
    """Choose among texts: the first of LANGUAGES, then one without a language, then by letters."""
    order = {language: place for place, language in enumerate((*LANGUAGES, ""))}
    ranked = sorted((order.get(one.language, len(order)), one.text) for one in texts)
    return ranked[0][1] if ranked else ""
