"""What Wikidata states of items, with ranks, qualifiers, precision and units."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime

from ..linked import Claim
from .endpoint import Answered, Endpoint
from .items import best, read_items
from .knowledge import is_known
from .properties import Properties
from .values import ENTITY, Row, Value, ids, language_list

STATEMENT = "http://www.wikidata.org/prop/statement/"
STATEMENT_ID = f"{ENTITY}statement/"
YEAR, MONTH, DAY = 9, 10, 11
"""Wikibase's precisions of a time."""
_TIME = re.compile(r"([+-]?)(\d{1,16})-(\d\d)-(\d\d)T")


def read_claims(
    endpoint: Endpoint,
    qids: Collection[str],
    properties: Properties,
    pids: Collection[str] | None = None,
) -> list[Claim]:
    """Ask what is stated of items, by (item, property, id); deprecated and unknown values are not.

    Args:
        endpoint: one that has direct claims alone gives these, without ranks and qualifiers.
        qids: of the items.
        properties: name what is stated; what they do not know is left out.
        pids: of these properties alone.

    Raises:
        EndpointUnavailable: as `Endpoint.ask_each`.
    """
    answered = endpoint.ask_each(
        "claims", "items", qids, lambda some: ids(some, "Q"), languages=language_list()
    )
    claims = _full(endpoint, answered, properties)
    bare = [qid for qid in qids if qid not in {claim.item_id for claim in claims}]
    claims += _direct(endpoint, bare, properties) if bare else []
    kept = [claim for claim in claims if pids is None or claim.pid in pids]
    by_id = {claim.id: claim for claim in kept}
    return sorted(by_id.values(), key=lambda claim: (claim.item_id, claim.pid, claim.id))


def time_text(value: str, precision: int | None) -> str:
    """Write a time with as many parts as are known: "1899-05-02", "1899-05", "1899".

    Without a precision 1 January is taken for a year alone, as Wikidata writes one.
    """
    found = _TIME.match(value)
    if not found:
        return value
    sign, year, month, day = found.groups()
    parts = [f"{'-' if sign == '-' else ''}{year.lstrip('0').rjust(4, '0')}", month, day]
    if precision is None:
        precision = YEAR if (month, day) in (("01", "01"), ("00", "00")) else DAY
    return "-".join(parts[: {MONTH: 2}.get(precision, 1 if precision < MONTH else 3)])


def _full(endpoint: Endpoint, answered: Answered, properties: Properties) -> list[Claim]:
    rows = defaultdict[tuple[str, str], list[Row]](list)
    for row in answered.rows:
        if row["property"].text.startswith(STATEMENT):
            rows[row["statement"].text, row["property"].text].append(row)
    claims = []
    for (statement, prop), some in sorted(rows.items()):
        pid, item, value = prop.removeprefix(STATEMENT), some[0]["item"].item, some[0]["value"]
        if item is None or pid not in properties.by_id or not is_known(value):
            continue
        rank = some[0]["rank"].text
        claims.append(
            Claim(
                item,
                pid,
                properties.by_id[pid].label,
                _text(value, some),
                value.item,
                "preferred" if rank.endswith("PreferredRank") else "normal",
                best(_all(some, "unit")) if not value.item else "",
                _when(some, "start"),
                _when(some, "end"),
                _when(some, "point"),
                statement.removeprefix(STATEMENT_ID),
                endpoint.url,
                _at(answered.at),
            )
        )
    return claims


def _direct(endpoint: Endpoint, qids: Collection[str], properties: Properties) -> list[Claim]:
    claims = []
    for item in read_items(endpoint, qids).values():
        for one in item.statements:
            if one.pid in properties.by_id and is_known(one.value):
                label = properties.by_id[one.pid].label
                text = one.text if one.value.item else time_text(one.text, None)
                said = ("normal", "", "", "", "", "", endpoint.url, _at(item.at))
                claims.append(Claim(item.id, one.pid, label, text, one.value.item, *said))
    return claims


def _text(value: Value, rows: Iterable[Row]) -> str:
    if value.item:
        return best(_all(rows, "name")) or value.item
    return time_text(value.text, _precision(rows, "precision"))


def _when(rows: Iterable[Row], name: str) -> str:
    """A qualifier: the first, where a statement has several."""
    times = sorted(value.text for value in _all(rows, name) if value.kind == "literal")
    return time_text(times[0], _precision(rows, f"{name}Precision")) if times else ""


def _precision(rows: Iterable[Row], name: str) -> int | None:
    found = [value.text for value in _all(rows, name) if value.text.isdecimal()]
    return min(map(int, found), default=None)


def _all(rows: Iterable[Mapping[str, Value]], name: str) -> list[Value]:
    return list(dict.fromkeys(row[name] for row in rows if name in row))


def _at(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")
