"""The hop retriever: a passage inherits the score of the best passage that leads to it.

GNN-Ret's frame (one layer, max message, K senders) with six changes: hybrid scores, links by
title, masking of what the question itself names, residual words, the best sentence of each, and the
best chosen as a set (docs/retrieval.md).
"""

import heapq
import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import ClassVar, NamedTuple

from ...kg.candidates import Bridge, Candidates, PassageCandidate, Ways
from ...kg.errors import BadRequest
from ...kg.store import Graph
from ...kg.text.stemming import asked
from ...kg.text.titles import named_titles, title_grams
from ...kg.text.words import terms
from ...kg.types import Scored, Vector
from ...models.encoder import Encoder
from ...models.sentences import encodes_parts, likeness
from .copies import DEEPER, apart, check_near
from .first_stage import weight_of

MAX_STEMS = 60  # of a question; what a longer one adds is not weighed
CROWDED = 1.25  # passages for each text of a look, above which a deeper one replaces it
DEEPEST = 8  # times as deep
FEW = 1000  # passages that may mention an entity, whatever there are: `most` may be a billion
MAX_GRAMS = 2000  # runs of words that may be titles: of some 200 words, as much as encoders read


@dataclass(frozen=True)
class Hop:
    """Ranks by ½ dense + ½ full text and one masked hop from the best over titles, rare entities.

    What the hop ranks best is then put in an order in which each passage adds to those before it:
    the next is always the one with the best score + cover * share of the question's words that it
    alone holds. The scores returned are these sums.

    Args:
        pool: depth of both first-stage lists; a question's best is 1, its `pool`-th 0.
        dense: weight of the dense half.
        foreign: at most, of a question in another language where the encoder is the packaged one.
        senders: K, passages that messages come from.
        title: bonus for a passage whose title the question names.
        names: weight of "the sender's text names the receiver's title", where no other names it;
            the more passages do, the less.
        named: of "the receiver's text names the sender's title", likewise.
        shares: of a shared entity, times its idf; 0.5 for Wikipedia-like corpora where every bridge
            has its own page, 0.8 where few do.
        most: an entity that more passages mention leads nowhere.
        links: how many passages beyond the first stage's a hop leads to; the strongest links. From
            60 on no figure of the development files changes (docs/retrieval.md).
        residual: weight of the question's words that the receiver adds.
        cover: weight of the question's words that no passage before holds; at 0 each passage is
            ranked on its own.
        sentences: weight of how near a passage's best sentence comes to the question, of the
            `chosen` best; as much has what a message brings. Where the question names a title it is
            none: what it needs besides is told of what the named passages lead to. Nor is it any
            where the encoder gives no vectors of sentences, or does not read its language.
        chosen: how many of the best are put in that order; the others follow by their score.
        near: see `copies.distinct`.

    Raises:
        BadRequest: a setting is out of its range.
    """

    graph: Graph
    encoder: Encoder
    pool: int = 100
    dense: float = 0.5
    senders: int = 20
    title: float = 0.3
    names: float = 1.0
    named: float = 0.4
    shares: float = 0.65
    most: int = 50
    links: int = 100
    residual: float = 1.0
    cover: float = 1.0
    chosen: int = 30
    near: float = 1.0
    foreign: float = 0.1
    sentences: float = 1.0
    made: dict[str, bytes] = field(default_factory=dict, init=False, repr=False, compare=False)
    """What of sentences the graph had not kept, by passage id, for the caller to store."""
    name: ClassVar[str] = "hop"

    def __post_init__(self) -> None:
        check_near(self.near)
        weights = (self.title, self.names, self.named, self.shares, self.residual, self.cover)
        least = min(self.senders, self.most, self.links, self.chosen, self.sentences, *weights)
        shares = 0 <= self.dense <= 1 and 0 <= self.foreign <= 1
        if self.pool < 1 or least < 0 or not shares:
            raise BadRequest(
                "Hop needs a pool of one, dense and foreign from 0 to 1, and nothing below 0."
            )

    def search(
        self, question: str, limit: int, within: Collection[str] | None = None
    ) -> list[Scored]:
        """Rank passages; see Retriever."""
        look = self.look(question, max(limit, self.chosen), within)
        if self.near >= 1:
            return self.rank(look, limit)
        return apart(
            self.graph, self.rank(look, max(DEEPER * limit, self.chosen)), limit, self.near
        )

    def rank(self, look: "Look", limit: int) -> list[Scored]:
        """Order what was found: the best in turn, then the others by score, ties by id."""
        found = [Scored(id_, score) for id_, score in look.scores().items()]
        found.sort(key=lambda s: (-s.score, s.id))
        best, others = found[: self.chosen], found[self.chosen :]
        return [*_in_turn(best, look, self.cover, limit), *others][: max(limit, 0)]

    def look(self, question: str, limit: int = 0, within: Collection[str] | None = None) -> "Look":
        """Look up all that a question finds in one hop, at two looks at the graph.

        At three where copies take the places of others in the first.

        Args:
            limit: how many passages will be wanted; the first stage goes as deep, `pool` at least.
            within: only these passage ids.
        """
        vector = self.encoder.encode_queries([question])[0]
        stems = [*terms(question), *asked(question)][:MAX_STEMS]
        grams = list(dict.fromkeys(gram for _, gram in title_grams(question)))[:MAX_GRAMS]
        depth = max(self.pool, limit)
        seen = self.graph.candidates(vector, question, grams, stems, depth, within)
        copied = _copied(seen.found)
        if within is None and copied > CROWDED:
            depth = round(depth * min(copied, DEEPEST))
            seen = self.graph.candidates(vector, question, grams, stems, depth, within)
        look = Look(_weights(seen), _named(question, grams, seen.found))
        if not seen.found:
            return look
        weight = weight_of(self.dense, self.foreign, self.encoder, question)
        scale = _Scale.of(seen.found, self.pool, weight)
        self._begin(look, seen.found, scale)
        best = sorted(look.seeds, key=lambda id_: (-look.seeds[id_], id_))[: self.senders]
        look.senders.extend(best)
        ways = self._ways(seen.passages, round(max(self.links, limit) * min(copied, DEEPEST)))
        sent = {id_: look.seeds[id_] for id_ in best}
        known = {candidate.id: candidate for candidate in seen.found}
        for bridge in self.graph.bridges(sent, vector, stems, ways, known, within):
            target = look.stands_for(bridge.target)
            if target.id == bridge.source:  # its copy
                continue
            if target.id not in look.candidates:
                self._add(look, target, scale)
            if target is not bridge.target:  # else a thousand are made anew
                bridge = bridge._replace(target=target)
            look.messages.append(self._message(bridge, look, ways))
        if self.sentences and not look.named and weight == self.dense:
            self._compare_sentences(look, vector)
        return look

    def _compare_sentences(self, look: "Look", vector: Vector) -> None:
        """Add what the best sentences of the best passages say; the scale is as the halves'."""
        scores = look.scores()
        best = sorted(scores, key=lambda id_: (-scores[id_], id_))[: self.chosen]
        if not encodes_parts(self.encoder) or not best:
            return
        alike, brought = likeness(self.graph, self.encoder, vector, best, self.made), look.brought()
        floor, most = min(alike.values(), default=0.0), max(alike.values(), default=0.0)
        for id_, cosine in alike.items():
            scaled = (cosine - floor) / (most - floor + 1e-9)
            look.said[id_] = self.sentences * max(scaled, min(1.0, brought.get(id_, 0.0)))

    def _begin(self, look: "Look", found: Iterable[PassageCandidate], scale: "_Scale") -> None:
        """The first stage's passages, by id; of copies the one whose title serves best."""
        seeds = {candidate.id: self._seed(look, candidate, scale) for candidate in found}
        best = sorted(found, key=lambda candidate: (-seeds[candidate.id], candidate.id))
        firsts = [candidate for candidate in best if look.stands_for(candidate) is candidate]
        for candidate in sorted(firsts, key=attrgetter("id")):
            self._add(look, candidate, scale)
            look.seeds[candidate.id] = seeds[candidate.id]

    def _seed(self, look: "Look", candidate: PassageCandidate, scale: "_Scale") -> float:
        first = scale.first(scale.dense(candidate), scale.text(candidate))
        return first + self.title * (candidate.title in look.named)

    def _add(self, look: "Look", candidate: PassageCandidate, scale: "_Scale") -> None:
        id_ = candidate.id
        look.candidates[id_] = candidate
        dense = look.dense[id_] = scale.dense(candidate)
        text = look.text[id_] = scale.text(candidate)
        look.seeds[id_] = look.first[id_] = scale.first(dense, text)

    def _message(self, bridge: Bridge, look: "Look", ways: Ways) -> "Message":
        link = ways.link(bridge.names, bridge.named, bridge.rarest)
        added = bridge.target.covered - look.candidates[bridge.source].covered
        gain = look.share(added)
        own = 0.0 if _of_one_title(look.candidates[bridge.source], bridge.target) else 1.0
        score = look.seeds[bridge.source] * link * (own + self.residual * gain)
        return Message(bridge, link, gain, score)

    def _ways(self, passages: int, links: int) -> Ways:
        """A shared entity tells the more the fewer passages mention it; one of two all."""
        shares = [0.0] * (min(self.most, max(passages, FEW)) + 1)
        if passages > 2:
            for count in range(2, min(self.most, passages) + 1):
                shares[count] = self.shares * math.log(passages / count) / math.log(passages / 2)
        return Ways(self.names, self.named, shares, links, passages)


class Message(NamedTuple):
    """A score that one passage sends to another, with the link it took.

    Args:
        link: the best of the ways that lead across.
        gain: share of the question's words that the receiver adds to the sender's.
        score: the sender's seed * link * (1 + residual * gain); without the 1 under one title.
    """

    bridge: Bridge
    link: float
    gain: float
    score: float


@dataclass(frozen=True, slots=True)
class Look:
    """Everything that one hop sees for a question, before it is summed up, by passage id.

    Of passages with the same text one stands for all: copies take no places and send nothing.

    Args:
        weights: share of each stem in the question.
        named: normal titles that the question names.
        candidates: what either look found; those that only bridges lead to have no full-text score.
        dense: on the question's scale, as `text`.
        first: the first stage's score: both halves.
        seeds: with the bonus for a named title.
        senders: the best by seed, best first.
        messages: in the order of the bridges.
        said: what a passage's best sentence adds to its score.
    """

    weights: Mapping[str, float]
    named: frozenset[str]
    candidates: dict[str, PassageCandidate] = field(default_factory=dict)
    dense: dict[str, float] = field(default_factory=dict)
    text: dict[str, float] = field(default_factory=dict)
    first: dict[str, float] = field(default_factory=dict)
    seeds: dict[str, float] = field(default_factory=dict)
    senders: list[str] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    said: dict[str, float] = field(default_factory=dict)
    _standing: dict[str, PassageCandidate] = field(default_factory=dict)
    _shares: dict[frozenset[str], float] = field(default_factory=dict)

    def stands_for(self, candidate: PassageCandidate) -> PassageCandidate:
        """Give the one of its copies that was asked about first: it stands for all of them."""
        return self._standing.setdefault(candidate.text_key or candidate.id, candidate)

    def share(self, stems: frozenset[str]) -> float:
        """Sum the weights of a set of words; a thousand messages bring the same few sets."""
        if stems not in self._shares:
            self._shares[stems] = math.fsum(self.weights.get(stem, 0.0) for stem in stems)
        return self._shares[stems]

    def scores(self) -> dict[str, float]:
        """Sum up each passage: its seed, and of the best message what the seed leaves to 1.

        What the question finds by itself needs nothing that leads to it; of passages that are all
        near the question, as in one company's files, those tied to most others would win.
        """
        best, said = self.brought(), self.said
        return {
            id_: seed + best.get(id_, 0.0) * (1 - min(1.0, max(0.0, seed))) + said.get(id_, 0.0)
            for id_, seed in self.seeds.items()
        }

    def brought(self) -> dict[str, float]:
        """The best message's score, of each passage that gets one."""
        best: dict[str, float] = {}
        for message in self.messages:
            target = message.bridge.target.id
            best[target] = max(best.get(target, 0.0), message.score)
        return best


@dataclass(frozen=True, slots=True)
class _Scale:
    """What makes a question's dense and full-text scores comparable, and one score of both."""

    weight: float  # of the dense half
    dense_floor: float
    dense_best: float
    text_floor: float
    text_best: float

    @staticmethod
    def of(found: Collection[PassageCandidate], pool: int, weight: float) -> "_Scale":
        cosines = _highest((c, c.cosine) for c in found)[: pool + 1]
        texts = _highest((c, c.bm25) for c in found if c.bm25 > 0)[:pool]
        floor = texts[-1] if len(texts) >= pool else 0.0
        return _Scale(weight, cosines[-1], cosines[0], floor, texts[0] if texts else 1.0)

    def first(self, dense: float, text: float) -> float:
        return self.weight * dense + (1 - self.weight) * text

    def dense(self, candidate: PassageCandidate) -> float:
        return (candidate.cosine - self.dense_floor) / (self.dense_best - self.dense_floor + 1e-9)

    def text(self, candidate: PassageCandidate) -> float:
        if candidate.bm25 <= self.text_floor:
            return 0.0
        return (candidate.bm25 - self.text_floor) / (self.text_best - self.text_floor + 1e-9)


def _of_one_title(one: PassageCandidate, other: PassageCandidate) -> bool:
    """Whether a link between them tells little: what a chapter is about is in all its passages."""
    return bool(one.title) and one.title == other.title


def _highest(scores: Iterable[tuple[PassageCandidate, float]]) -> list[float]:
    """The highest first; of copies the best alone."""
    best: dict[str, float] = {}
    for candidate, score in scores:
        key = candidate.text_key or candidate.id
        best[key] = max(score, best.get(key, score))
    return sorted(best.values(), reverse=True)


def _copied(found: Collection[PassageCandidate]) -> float:
    """How many of these there are for each that is no copy."""
    texts = {candidate.text_key or candidate.id for candidate in found}
    return len(found) / len(texts) if texts else 1.0


def _in_turn(found: Iterable[Scored], look: Look, cover: float, limit: int) -> Iterator[Scored]:
    """At most `limit`, each the best in view of those before it.

    What one adds only shrinks, so what was the best stays it where looked at again it still leads.
    """
    left = [(-math.inf, scored.id, scored.score) for scored in found]
    heapq.heapify(left)
    open_ = frozenset(look.weights)
    while left and limit > 0:
        _, id_, score = left[0]
        worth = score + cover * look.share(look.candidates[id_].covered & open_)
        heapq.heapreplace(left, (-worth, id_, score))
        if left[0][1] == id_:
            heapq.heappop(left)
            yield Scored(id_, worth)
            open_ -= look.candidates[id_].covered
            limit -= 1


def _named(
    question: str, grams: Collection[str], found: Iterable[PassageCandidate]
) -> frozenset[str]:
    titles = {candidate.title for candidate in found}.intersection(grams)
    [named] = named_titles([question], lambda _: titles)
    return frozenset(named)


def _weights(seen: Candidates) -> dict[str, float]:
    """Share of each stem in the question, by idf as BM25 has it; they sum to 1."""
    idf = {
        stem: math.log(1 + (seen.passages - count + 0.5) / (count + 0.5))
        for stem, count in seen.frequencies.items()
    }
    total = sum(idf.values()) or 1.0
    return {stem: value / total for stem, value in idf.items()}
