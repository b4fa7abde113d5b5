"""What users call things of a graph: by name, by file, by the words of a question."""

from collections.abc import Iterable, Iterator

import numpy as np

from ...kg.answers import Recorded
from ...kg.errors import BadRequest, NotFound
from ...kg.store import Graph, GraphStore
from ...kg.text.words import clean, fold
from ...kg.types import Batch, Found
from ...kg.where import Condition, documents
from ...loaders.sources import as_source

ALL = 10_000_000  # things of one name: all there are
PAGE = 1000  # answers read at once
MOST_NAMED = 10  # documents that an error lists
_ORDER = {"entity": 0, "document": 1}


def called(graph: Graph, name: str) -> list[Found]:
    """Return everything that a name may mean: entities, then documents by source, then the rest.

    Args:
        graph: what holds them.
        name: a name in any spelling, a title, an id; a file, by path or name, or a folder; a
            question in any case.
    """
    if not name.strip():
        return []
    found = graph.find(name, ALL) or graph.find(as_source(name), ALL)
    found = found or questions(graph, name) or files(graph, name)
    there = graph.documents([thing.id for thing in found if thing.kind == "document"])

    def place(thing: Found) -> tuple[int, str]:
        info = there.get(thing.id) if thing.kind == "document" else None
        return _ORDER.get(thing.kind, 2), info.source if info else ""

    return sorted(found, key=place)


def files(graph: Graph, name: str) -> list[Found]:
    """Return the documents of a file of this name, wherever it was, or below such a folder."""
    meant = Condition("source", "=", name)
    return [
        Found("document", one.id, one.title or one.source)
        for one in documents(graph)
        if meant.holds(one)
    ]


def removable(graph: Graph, name: str) -> list[str]:
    """Return the ids of the documents of an id, a source, or a title or the end of one source.

    Raises:
        BadRequest: it is empty, or a title in several sources, or the end of several.
        NotFound: no document is called so.
    """
    if not name.strip():
        raise BadRequest("An empty name means no document. Nothing was removed.")
    of_source = [one.id for one in graph.find(as_source(name), ALL) if one.kind == "document"]
    if of_source:
        return of_source
    titled = [one.id for one in graph.find(name, ALL) if one.kind == "document"]
    found = graph.documents(titled or [one.id for one in files(graph, name)])
    sources = sorted({one.source for one in found.values()})
    if not sources:
        raise NotFound(f"No document {name!r} in {graph.where}. Nothing was removed.")
    if len(sources) > 1:
        more = f" and {len(sources) - MOST_NAMED:,} more" if len(sources) > MOST_NAMED else ""
        raise BadRequest(
            f"{name!r} means {len(sources):,} sources: {', '.join(sources[:MOST_NAMED])}{more}. "
            "Name those that are meant by more of their paths. Nothing was removed."
        )
    return list(found)


def unread(graph: GraphStore, names: Iterable[str]) -> dict[str, str]:
    """Return the sources that could not be read, of names that mean no document: by name."""
    failed = {failure.source for failure in graph.failures()}
    meant = {name: as_source(name) for name in names if name.strip()}
    return {
        name: source
        for name, source in meant.items()
        if source in failed and not graph.find(source, 1)
    }


def forget_failures(graph: GraphStore, sources: Iterable[str]) -> None:
    """Forget that sources could not be read."""
    info = graph.info()
    if info is not None and (cleared := sorted(sources)):
        nothing = np.zeros((0, info.fingerprint.dimension), np.float32)
        graph.add(Batch((), (), nothing, cleared=cleared))


def questions(graph: Graph, text: str) -> list[Found]:
    """Return the recorded questions of these words, whatever their case and last mark."""
    meant = _wording(text)
    asked = (one for one in recorded(graph) if _wording(one.question) == meant)
    return list(dict.fromkeys(Found("question", one.question_id, one.question) for one in asked))


def recorded(graph: Graph) -> Iterator[Recorded]:
    """Give all recorded answers by id, read page by page."""
    page = graph.recorded("", PAGE)
    while page:
        yield from page
        page = graph.recorded(page[-1].id, PAGE)


def _wording(question: str) -> str:
    return fold(" ".join(clean(question).split())).rstrip(" ?!.")
