"""A graph that tells claims as if passages stated them (Hoptrail's own)."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from ...kg.candidates import RankedTriple, RankedTriples, Taken
from ...kg.store import Graph
from ...kg.text.words import bare_title, normal_form, words
from ...kg.types import DocumentInfo, Passage, Statement, Triple, Vector
from ...kg.vectors import DECIMALS, dots
from ...kg.wikidata.facts import Fact, facts

FACTS = 5
"""Beside the passages of a retrieval, at most."""
LONGEST = 10
"""Words of a name that is looked for in a question."""
MAX_ITEMS = 100
"""Whose claims are looked at for a question or a chain."""
AROUND = 50
"""Facts about a chain's ends whose triples are looked at, those whose property is nearest."""
LEADING = 5
"""Facts whose values are looked at, too: what is stated of these is one hop on."""
NAMED, LED = 0.3, 0.2
"""Added to the similarity of what is stated of something that the question names, and of what such
a fact leads to."""
Encode = Callable[[Sequence[str]], Vector]


class ClaimedGraph:
    """Gives all that the graph gives, and what Wikidata states of what its documents name.

    Passages and triples of claims are known once `near` or `rank_triples` has found them, and for
    as long as this lives: one question.

    Args:
        graph: that is asked for all else.
        encode: texts to vectors (n, d) of the graph's encoder, which it does well to keep.
    """

    def __init__(self, graph: Graph, encode: Encode) -> None:
        self.plain, self._encode = graph, encode
        self._facts: dict[str, list[Fact]] = {}  # by item
        self._by_passage: dict[str, Fact] = {}
        self._ends: dict[Triple, str] = {}  # QIDs of the tails of triples

    @classmethod
    def over(cls, graph: Graph, encode: Encode) -> Graph:
        """Make one, which does what a graph does: what it has not itself, the graph has."""
        return cast(Graph, cls(graph, encode))

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the graph has
        return getattr(self.plain, name)

    # -- what a question asks for
    def near(
        self, query: str, passages: Sequence[Passage], limit: int
    ) -> list[tuple[Passage, float]]:
        """Find what is stated that answers a query, best first, ties by id.

        Of things that the query names, that the passages mention, as their documents mean them, and
        that the best of this leads to.

        Args:
            query: a question, or words to look for.
            passages: what was retrieved for it.
            limit: facts; 0 or less gives none.

        Returns:
            A passage for each item and property, with the cosine of the property and the query
            without its names, and what being named there adds.
        """
        items = list(dict.fromkeys([*self._named(query), *self._mentioned(passages)]))[:MAX_ITEMS]
        if not items or limit < 1:
            return []
        asked, named = self._apart(query, items)
        vector = self._encode([asked])[0]
        bonus = dict.fromkeys(named, NAMED)
        best = self._ranked(items, vector, bonus)
        of_named = [fact for fact, _ in best if fact.item in named][:LEADING]
        led = sorted({end for fact in of_named for end in fact.ends if end} - set(items))
        bonus = {end: LED for fact in of_named for end in fact.ends if end} | bonus
        best = self._ranked([*items, *led], vector, bonus)
        return [(fact.passage, score) for fact, score in best[:limit]]

    def tells(self, passage_id: str) -> bool:
        """Say whether a passage is what Wikidata states."""
        return passage_id in self._by_passage

    # -- Graph, where claims play a part
    def passages(self, ids: Collection[str]) -> dict[str, Passage]:
        """See Graph.passages."""
        found = self.plain.passages([id_ for id_ in ids if id_ not in self._by_passage])
        found |= {i: self._by_passage[i].passage for i in ids if i in self._by_passage}
        return {id_: found[id_] for id_ in dict.fromkeys(ids) if id_ in found}

    def documents(self, ids: Collection[str] | None = None) -> dict[str, DocumentInfo]:
        """See Graph.documents; an item is the document of what is stated of it."""
        found = dict(self.plain.documents(ids))
        own = {fact.document.id: fact.document for fact in self._by_passage.values()}
        return found | {id_: own[id_] for id_ in sorted(ids or ()) if id_ in own}

    def triples_of(self, passage_ids: Collection[str]) -> list[Statement]:
        """See Graph.triples_of."""
        asked = list(dict.fromkeys(passage_ids))
        own = {id_: list(f.statements) for id_ in asked if (f := self._by_passage.get(id_))}
        others = self.plain.triples_of([id_ for id_ in asked if id_ not in own])
        for statement in others:
            own.setdefault(statement.passage_id, []).append(statement)
        return [statement for id_ in asked for statement in own.get(id_, ())]

    def rank_triples(
        self,
        chains: Sequence[Sequence[Triple]],
        passage_ids: Collection[str],
        queries: Vector,
        limit: int | None,
        within: Collection[str] | None = None,
        beyond: bool = True,
    ) -> RankedTriples:
        """See Graph.rank_triples; chains also go on over what is stated of their ends."""
        given = {i: f for i in dict.fromkeys(passage_ids) if (f := self._by_passage.get(i))}
        others = [id_ for id_ in passage_ids if id_ not in given]
        found = self.plain.rank_triples(chains, others, queries, limit, within, beyond)
        held, ranked = dict(found.passages), list[Sequence[RankedTriple]]()
        for chain, query, of_chain in zip(chains, queries, found.chains, strict=True):
            around = self._around(chain, query) if beyond and within is None else ()
            told = {fact.passage.id: fact for fact in (*given.values(), *around)}
            held |= {i: fact.passage for i, fact in told.items() if i not in given}
            taken = None if limit is None else Taken(chain)
            ranked.append(_merged(of_chain, self._stated(told.values(), query, taken), limit))
        return RankedTriples(ranked, held)

    # -- inside
    def _named(self, query: str) -> dict[str, None]:
        """The items that a query names, as most documents mean them; of names the longest."""
        said = words(query)
        keys: dict[str, set[tuple[int, int]]] = {}
        for first in range(len(said)):
            for last in range(first + 1, min(first + LONGEST, len(said)) + 1):
                keys.setdefault(normal_form(" ".join(said[first:last])), set()).add((first, last))
        means = self._means(keys.keys() - {""})
        places = {place for entity in means for place in keys[entity]}
        return {
            qid: None
            for entity, qid in sorted(means.items())
            if any(not _inside(place, places) for place in keys[entity])
        }

    def _apart(self, query: str, items: Sequence[str]) -> tuple[str, set[str]]:
        """The words of a query that name none of these items, and those that it names."""
        said, named, left = words(query), set[str](), set(range(len(words(query))))
        for qid, item in self.plain.wikidata.items(items).items():
            name = words(bare_title(item.label))
            for first in range(len(said) - len(name) + 1) if name else ():
                if said[first : first + len(name)] == name:
                    named.add(qid)
                    left -= set(range(first, first + len(name)))
        return " ".join(said[place] for place in sorted(left)) or query, named

    def _mentioned(self, passages: Sequence[Passage]) -> dict[str, None]:
        """The items that passages mention, as their documents mean them, in the passages' order."""
        documents = {one.id: one.document_id for one in passages}
        mentioned = self.plain.mentioned(list(documents))
        links = self.plain.wikidata.links({e for of in mentioned.values() for e in of})
        items = {(link.document_id, link.entity_id): link.item_id for link in links}
        means = (items.get((documents[id_], e)) for id_, of in mentioned.items() for e in of)
        return dict.fromkeys(qid for qid in means if qid)

    def _around(self, chain: Sequence[Triple], query: Vector) -> list[Fact]:
        """What is stated of the ends of a chain, which claims tell, or most documents mean."""
        known = {self._ends[triple] for triple in chain if triple in self._ends}
        ends = {end for triple in chain for end in (triple.head_id, triple.tail_id)}
        items = sorted(known.union(self._means(ends).values()))[:MAX_ITEMS]
        return [fact for fact, _ in self._ranked(items, query, {})[:AROUND]]

    def _means(self, entity_ids: Collection[str]) -> dict[str, str]:
        """The item that most documents link each entity to, by entity."""
        links: dict[str, Counter[str]] = {}
        for link in self.plain.wikidata.links(entity_ids) if entity_ids else ():
            links.setdefault(link.entity_id, Counter())[link.item_id] += 1
        return {
            entity: min(of, key=lambda qid: (-of[qid], int(qid[1:])))
            for entity, of in links.items()
        }

    def _of(self, items: Sequence[str]) -> list[Fact]:
        """What is stated of items, looked up once."""
        if new := [qid for qid in items if qid not in self._facts]:
            kept = self.plain.wikidata
            self._facts |= {qid: [] for qid in new}
            for fact in facts(kept.claims(new), kept.items(new)):
                self._facts[fact.item].append(fact)
                self._by_passage[fact.passage.id] = fact
                ends = zip(fact.statements, fact.ends, strict=True)
                self._ends |= {one.triple: qid for one, qid in ends if qid}
        return [fact for qid in items for fact in self._facts[qid]]

    def _ranked(
        self, items: Sequence[str], query: Vector, bonus: Mapping[str, float]
    ) -> list[tuple[Fact, float]]:
        """What is stated of items by how like its property is to a query, best first."""
        told = self._of(items)
        likes = self._like([fact.relation for fact in told], query)
        scored = [
            (fact, like + bonus.get(fact.item, 0.0)) for fact, like in zip(told, likes, strict=True)
        ]
        return sorted(scored, key=lambda one: (-one[1], one[0].passage.id))

    def _stated(
        self, told: Iterable[Fact], query: Vector, taken: Taken | None
    ) -> list[RankedTriple]:
        """The triples of facts that a chain may still take, with their similarity to its vector."""
        every = [one for fact in told for one in fact.statements]
        left = [one for one in every if taken is None or taken.leaves(one.triple)]
        likes = self._like([one.triple.text for one in left], query)
        return [RankedTriple(s.triple, like, [s]) for s, like in zip(left, likes, strict=True)]

    def _like(self, texts: Sequence[str], query: Vector) -> list[float]:
        """The cosine of each text with a vector."""
        if not texts:
            return []
        return np.round(dots(self._encode(texts), query), DECIMALS).tolist()


def _inside(place: tuple[int, int], places: Collection[tuple[int, int]]) -> bool:
    """Whether a run of words is a part of a longer one."""
    first, last = place
    return any(a <= first and last <= b and (a, b) != place for a, b in places)


def _merged(
    some: Sequence[RankedTriple], own: Sequence[RankedTriple], limit: int | None
) -> list[RankedTriple]:
    """Both, best first, at most so many; then what has no vector."""
    ranked = [one for one in (*some, *own) if one.similarity is not None]
    ranked.sort(key=lambda one: -(one.similarity or 0.0))
    return [*ranked[:limit], *(one for one in some if one.similarity is None)]
