"""The graph of one question under way, and how prompts show it (KnowTrace §3.2)."""

from collections.abc import Collection, Iterable, Sequence

from ....kg.text.words import normal_form, words
from ....kg.tracing import TracedTriple, Tracing, named
from ....kg.types import Passage, Statement, Triple
from ...extraction import locate
from ...prompts.showing import triple_text
from ...replies.exploring import Pair


class QuestionGraph:
    """What was traced so far: G_q.

    Attributes:
        triples: with round and pair that brought them, in that order.
        passages: ids of those that state a triple.
        read: pairs that passages were read for.
    """

    def __init__(self) -> None:
        self.triples: list[TracedTriple] = []
        self.passages: dict[Triple, tuple[str, ...]] = {}
        self.read: set[Pair] = set()
        self._known: dict[tuple[str, str, str], Triple] = {}
        self._names: dict[str, str] = {}
        self._began: dict[str, None] = {}
        self._called: dict[str, str] = {}

    @property
    def shown(self) -> list[Triple]:
        """The triples as prompts show them."""
        return [one.triple for one in self.triples]

    @property
    def spellings(self) -> str:
        """All names in it."""
        return "\n".join(self._names.values())

    def new(self, pairs: Iterable[Pair], most: int) -> list[Pair]:
        """The pairs that no passage was read for yet, as many as that."""
        unasked = [pair for pair in dict.fromkeys(pairs) if pair not in self.read][:most]
        for pair in unasked:
            if normal_form(pair.entity) not in self._names:
                self._began[normal_form(pair.entity)] = None
        return unasked

    def add(self, number: int, pair: Pair, triple: Triple, passages: Iterable[str]) -> Triple:
        """Take a triple in; where the graph has one that says the same, that is given."""
        key = (triple.head_id, " ".join(words(triple.relation)), triple.tail_id)
        held = self._known.setdefault(key, triple)
        if held is triple:
            self.triples.append(TracedTriple(triple, number, pair.entity, pair.guidance))
            for end in (triple.head, triple.tail):
                self._names.setdefault(normal_form(end), end)
        self.passages[held] = tuple(dict.fromkeys((*self.passages.get(held, ()), *passages)))
        return held

    def rename(self, pair: Pair, brought: Collection[Triple]) -> None:
        """See whether triples name the entity of their pair in other words, as "Grieg" for it all.

        Then it is the one end that holds all its words, or all whose words it holds.
        """
        explored = normal_form(pair.entity)
        ends = {end for triple in brought for end in (triple.head_id, triple.tail_id)}
        if explored in ends:
            return
        mine = set(words(explored))
        like = [end for end in sorted(ends) if mine <= (its := set(words(end))) or its <= mine]
        if len(like) == 1:
            self._called[explored] = like[0]

    def tracing(self, told: str) -> Tracing:
        """The graph as it is recorded.

        Args:
            told: thought and answer, whose entities are the targets; "" where there is no answer.
        """
        meant = {key: self._names[called] for key, called in self._called.items()}
        triples = tuple(
            TracedTriple(o.triple, o.round, meant.get(normal_form(o.entity), o.entity), o.guidance)
            for o in self.triples
        )
        initial = dict.fromkeys(self._called.get(key, key) for key in self._began)
        entities = {key: words(key) for key in self._names}
        return Tracing(triples, tuple(initial), tuple(named(words(told), entities)))


def as_paths(triples: Sequence[Triple]) -> str:
    """Show triples as paths: one goes on where a triple's object is another's subject.

    Each triple stands in one path at least, as in the paper some in several.
    """
    paths: list[list[Triple]] = []
    covered: set[Triple] = set()
    for triple in triples:
        if triple in covered:
            continue
        path = [triple]
        while before := [t for t in triples if t.tail_id == path[0].head_id and t not in path]:
            path.insert(0, before[0])
        while after := [t for t in triples if t.head_id == path[-1].tail_id and t not in path]:
            path.append(next((t for t in after if t not in covered), after[0]))
        covered |= set(path)
        paths.append(path)
    return "\n".join(" → ".join(map(triple_text, path)) for path in paths)


def stated(triple: Triple, passages: Sequence[Passage]) -> Statement | None:
    """Find which of the passages states a triple that was read from them together.

    It is the first that holds most of the words of its ends, title and text taken together; None
    where no passage holds any of them.
    """
    ends = [set(words(triple.head)), set(words(triple.tail))]

    def share(passage: Passage) -> float:
        held = set(words(f"{passage.title} {passage.text}"))
        return sum(len(end & held) / len(end) for end in ends if end)

    best = max(passages, key=share, default=None)
    if best is None or not share(best):
        return None
    return Statement(best.id, triple, *locate(best.text, triple))
