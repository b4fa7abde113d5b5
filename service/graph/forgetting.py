"""Recorded questions and answers that are to go: by name, by age, or all of them."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from ...kg.answers import Recorded
from ...kg.errors import BadRequest, NotFound
from ...kg.store import Graph
from ...kg.text.words import clean
from .names import questions, recorded

_DAYS = re.compile(r"(\d{1,6}) ?d(?:ays?)?")


def forgettable(
    graph: Graph, names: Sequence[str], older_than: str = "", everything: bool = False
) -> list[Recorded]:
    """Return the recorded answers that are meant, newest first.

    Args:
        graph: what holds them.
        names: questions by text or id, and answers by id; of a question all its answers.
        older_than: of these, or of all where there are no names, those before a date
            ("2026-01-31", UTC) or older than some days ("30d").
        everything: all there are.

    Raises:
        BadRequest: nothing says which, or `older_than` is no date.
        NotFound: a name that means no recorded question.
    """
    if everything == bool(names or older_than):
        raise BadRequest(
            "Say which recorded questions to forget: by text or id, by age, or all of them; not "
            "all of them and some."
        )
    before = moment(older_than) if older_than else None
    ids = {id_ for name in names for id_ in _meant(graph, name)}
    found = [
        one
        for one in recorded(graph)
        if (not names or one.id in ids or one.question_id in ids)
        and (before is None or one.created_at < before)
    ]
    return sorted(found, key=lambda one: one.created_at, reverse=True)


def moment(text: str) -> str:
    """Return a time as the graph writes it, of a date or of how many days ago.

    Raises:
        BadRequest: it is neither.
    """
    try:
        if days := _DAYS.fullmatch(text.strip().lower()):
            found = datetime.now(UTC) - timedelta(days=int(days[1]))
        else:
            found = datetime.fromisoformat(text.strip())
    except (ValueError, OverflowError):
        raise BadRequest(
            f"{text!r} is no date such as 2026-01-31, nor an age in days such as 30d."
        ) from None
    found = found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    return found.isoformat(timespec="microseconds")


def _meant(graph: Graph, name: str) -> list[str]:
    found = graph.find(clean(name)) if name.strip() else []
    ids = [thing.id for thing in found if thing.kind in ("question", "answer")]
    ids = ids or [question.id for question in questions(graph, name)]
    if not ids:
        raise NotFound(f"No question {name!r} is recorded in {graph.where}. Nothing was forgotten.")
    return ids
