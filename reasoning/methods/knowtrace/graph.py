"""The graph of one question under way, and how prompts show it (KnowTrace §3.2)."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

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
        self._leads: dict[Triple, str] = {}

    @property
    def shown(self) -> list[Triple]:
        """The triples as prompts show them."""
        return [one.triple for one in self.triples]

    @property
    def entities(self) -> set[str]:
        """Ids of the entities that its triples name."""
        return set(self._names)

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

    def lead(self, pair: Pair, brought: Collection[Triple], known: Collection[str]) -> None:
        """See from which end triples lead that name the entity of their pair at neither.

        From the one that is nearer to it, or to what was known before, over what the pair brought.
        Where nothing of that names the entity, it is called like the one end that holds all its
        words, or all whose words it holds: "Grieg" for "Edvard Grieg".

        Args:
            known: ids of the entities that were known before.
        """
        explored = normal_form(pair.entity)
        ends = {end for triple in brought for end in (triple.head_id, triple.tail_id)}
        if explored not in ends:
            mine = set(words(explored))
            like = [e for e in sorted(ends) if mine <= (its := set(words(e))) or its <= mine]
            if len(like) == 1:
                [self._called[explored]] = like
        far = dict.fromkeys([self._called.get(explored, explored), *known], 0)
        for _ in brought:
            for one in brought:
                for near, end in ((one.head_id, one.tail_id), (one.tail_id, one.head_id)):
                    if near in far and end not in far:
                        far[end] = far[near] + 1
        for one in brought:
            head, tail = (far.get(end, len(far)) for end in (one.head_id, one.tail_id))
            if head != tail and explored not in (one.head_id, one.tail_id):
                self._leads.setdefault(one, one.head if head < tail else one.tail)

    def tracing(self, told: str) -> Tracing:
        """The graph as it is recorded.

        Args:
            told: thought and answer, whose entities are the targets; "" where there is no answer.
        """
        triples = tuple(
            replace(one, entity=self._leads.get(one.triple, one.entity)) for one in self.triples
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
