"""Documents that a question may be answered from, and those that support its answer."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ....kg.errors import BadRequest
from ....kg.store import Graph
from ....kg.types import Passage
from ....loaders.questions.files import Paragraph, Question
from .evidence import all_supporting, document_error_rate, supporting_recall


@dataclass(frozen=True, slots=True)
class Gold:
    """The supporting documents of a question.

    They are known by id where the graph holds all of them as the question's own paragraphs, else by
    title in any case: another edition of the same article supports the answer too.

    Args:
        sets: ids or titles, each set enough to answer: one, but for claims with several sets of
            evidence; none where the file names no documents.
        by_title: see above.
        same: other documents that hold a passage of one of these → that one.
    """

    sets: tuple[frozenset[str], ...]
    by_title: bool = False
    same: Mapping[str, str] = field(default_factory=dict, compare=False)

    @staticmethod
    def of(question: Question, graph: Graph) -> "Gold":
        """Collect the supporting documents of a question; paragraphs without a text are none."""
        if question.evidence_sets:
            return _by_title([title for title, _ in group] for group in question.evidence_sets)
        supporting = [p for p in question.paragraphs if p.is_supporting]
        textless = {p.title for p in supporting if not p.text}
        titles, ids = set(question.supporting_titles) - textless, document_ids(supporting)
        elsewhere = titles.difference(p.title for p in supporting)
        if elsewhere or len(graph.documents(ids)) < len(ids):
            return _by_title([titles])
        return Gold((frozenset(ids),) if ids else (), same=_same(ids, graph))

    @property
    def every(self) -> frozenset[str]:
        """The documents of all sets."""
        return frozenset().union(*self.sets)

    def among(self, passages: Iterable[Passage]) -> list[str]:
        """Return the documents of these passages, each once and in order, called as in `sets`."""
        if self.by_title:
            return list(dict.fromkeys(passage.title.casefold() for passage in passages))
        documents = (passage.document_id for passage in passages)
        return list(dict.fromkeys(self.same.get(id_, id_) for id_ in documents))

    def recall(self, found: Sequence[str], k: int | None = None) -> float | None:
        """Return the share of a set among the first k, for the best set; None without any."""
        return max((supporting_recall(found, one, k) for one in self.sets), default=None)

    def all_found(self, found: Sequence[str], k: int | None = None) -> float | None:
        """Return 1 when a whole set is among the first k, else 0; None without any set."""
        return max((all_supporting(found, one, k) for one in self.sets), default=None)

    def error_rate(self, found: Sequence[str]) -> float | None:
        """Return the share of those found that are in no set; None without set or found."""
        return document_error_rate(found, self.every) if self.sets else None


def _same(ids: Collection[str], graph: Graph) -> dict[str, str]:
    """Documents that hold a copy of a passage of these → which of these."""
    copies = graph.copies(graph.passages_of(ids))
    held = graph.passages(sorted(set().union(*copies.values(), copies)))
    return {
        held[copy].document_id: held[id_].document_id
        for id_, others in copies.items()
        for copy in others
        if copy in held and held[copy].document_id not in ids
    }


class Holdings:
    """The documents of one graph, by title in any case.

    Args:
        graph: read once, when a title is first asked for.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def of_title(self, title: str) -> list[str]:
        """Return the ids of the documents of a title, sorted."""
        return self._titled.get(title.casefold(), [])

    def own(self, question: Question) -> set[str]:
        """Return the ids of a question's own documents: paragraphs, and those named by title."""
        named = (self.of_title(title) for title in (*question.documents, *question.sources))
        return document_ids(question.paragraphs).union(*named)

    def require_paragraphs(self, dataset: str, questions: Collection[Question]) -> None:
        """Refuse a graph that lacks paragraphs of the questions.

        Raises:
            BadRequest: it does.
        """
        wanted = set().union(*(document_ids(q.paragraphs) for q in questions))
        missing = len(wanted) - len(self.graph.documents(wanted))
        if missing:
            raise BadRequest(
                f"{missing:,} of the {len(wanted):,} paragraphs of {dataset} are not in "
                f"{self.graph.where}. Ingest the file first, or leave --graph out to measure in a "
                "temporary graph."
            )

    def require_linked(self, dataset: str, questions: Collection[Question]) -> None:
        """Refuse a graph that lacks all articles that the questions link to.

        Raises:
            BadRequest: it does.
        """
        linked = {title for q in questions for title in q.documents}
        if linked and not any(map(self.of_title, linked)):
            raise BadRequest(
                f"None of the {len(linked):,} articles that {dataset} links to is in the graph. "
                "Name what holds them: --corpus context_articles.json, or --graph WHERE."
            )

    @cached_property
    def _titled(self) -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = {}
        for identity, document in self.graph.documents().items():
            found.setdefault(document.title.casefold(), []).append(identity)
        return found


def document_ids(paragraphs: Iterable[Paragraph]) -> set[str]:
    """Return the ids of paragraphs; those without a text are no documents."""
    return {paragraph.document_id for paragraph in paragraphs if paragraph.text}


def _by_title(groups: Iterable[Iterable[str]]) -> Gold:
    """What has no title can't be told."""
    sets = (frozenset(title.casefold() for title in group if title) for group in groups)
    return Gold(tuple(dict.fromkeys(filter(None, sets))), by_title=True)
