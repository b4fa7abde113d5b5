"""What the graph derives from what is written, kept exact in every transaction (GraphStore.add)."""

import threading
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Set
from dataclasses import dataclass, field
from typing import NamedTuple

from ..text.titles import named_titles
from ..text.words import normal_form, terms
from ..types import KEYWORD_CAP, Entity, Mention, Passage
from .statements import ROWS_AT_ONCE, Row, Statements

Pair = tuple[str, str]

NO_ENTITY = "", (), (), 0
TITLES = 20_000  # a statement
BEGINNING = 3  # words
FEW = 2  # batches that look titles up, as there may be no more
MOST_TITLES = 100_000  # that are kept: some 20 MB


@dataclass(slots=True)
class Change:
    """What a transaction touched, and what has to be settled before it ends.

    Args:
        documents: how many went.
        spellings: entity id → how often each spelling occurs more, or (negative) less.
        passages: entity id → how many passages more mention it, or fewer.
        mentioned: entities whose mentions changed, even when their number did not.
        terms: stem → how many passages more hold it, or fewer.
        triples: ids of those that lost a statement.
        renamed: older passages whose NAMES have to be found again.
        linked: entities that lost a link to an item.
    """

    documents: int = 0
    spellings: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    passages: Counter[str] = field(default_factory=Counter)
    mentioned: set[str] = field(default_factory=set)
    terms: Counter[str] = field(default_factory=Counter)
    triples: set[str] = field(default_factory=set)
    renamed: set[str] = field(default_factory=set)
    linked: set[str] = field(default_factory=set)

    def count_mentions(self, mentions: Mapping[Pair, Mention], times: int) -> None:
        """Count mentions, given by (passage id, entity id)."""
        for (_, entity_id), mention in mentions.items():
            self.count_mention(entity_id, mention.surface, times)

    def count_mention(self, entity_id: str, surface: str, times: int) -> None:
        """Count one mention of an entity, as a passage spells it."""
        self.spellings[entity_id][surface] += times
        self.passages[entity_id] += times
        self.mentioned.add(entity_id)

    def count_ends(self, ends: Iterable[Pair], times: int) -> None:
        """Count the heads and tails of statements."""
        for end in (name for pair in ends for name in pair):
            self.spellings[normal_form(end)][end] += times


@dataclass(frozen=True, slots=True)
class Frequency:
    """How many passages mentioned an entity before and do now, where its mentions changed."""

    before: int
    now: int

    @property
    def tied(self) -> bool:
        """Say whether it was a shared keyword."""
        return 2 <= self.before <= KEYWORD_CAP

    @property
    def ties(self) -> bool:
        """Say whether it is a shared keyword."""
        return 2 <= self.now <= KEYWORD_CAP


class Titles:
    """First passages by their title, kept between the batches of one writer.

    To look up all runs of words that may be titles takes a tenth of what a batch takes. So from
    the third batch on all titles are known, as long as nobody else writes between them.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._changes, self._batches = -1, 0
        self._held: dict[str, set[str]] | None = None
        self._many = False

    def look(self, run: Statements, changes: int) -> dict[str, set[str]] | None:
        """Find all first passages, as committed at that count of changes; None: not worth it.

        Before anything is written, so that a transaction that fails leaves nothing here.
        """
        with self._lock:
            if changes != self._changes or self._batches < FEW or self._many:
                return None
            if self._held is None:
                found = run("derive/all_titles", most=MOST_TITLES + 1)
                self._many = len(found) > MOST_TITLES
                if self._many:
                    return None
                self._held = _by_title((row["title"], row["id"]) for row in found)
            return self._held

    def settle(self, changes: int, passages: Iterable[Passage], alone: bool) -> None:
        """Go on from a batch that was committed.

        Args:
            changes: how many there had been before it.
            passages: that it wrote.
            alone: whether it only added documents.
        """
        with self._lock:
            if changes != self._changes or not alone:
                self._held, self._batches = None, 0
            elif self._held is not None:
                for title, ids in first_passages(passages).items():
                    self._held.setdefault(title, set()).update(ids)
            self._changes = changes + 1
            self._batches += 1


def first_passages(passages: Iterable[Passage]) -> dict[str, set[str]]:
    """Sort the passages that begin their documents by normal title."""
    return _by_title((one.normal_title, one.id) for one in passages if one.position == 0)


class Counted(NamedTuple):
    """The entities that a transaction touches, as it leaves them.

    Args:
        new: rows of those that are not there yet.
        known: … of those that are.
        gone: ids of those that nothing names any more.
        frequencies: how often passages mention those whose mentions change.
    """

    new: list[Row]
    known: list[Row]
    gone: list[str]
    frequencies: dict[str, Frequency]


def count_entities(run: Statements, change: Change) -> Counted:
    """Count names and document frequencies of the entities touched."""
    ids = sorted(change.spellings)
    found = run.for_ids("derive/spellings", ids)
    held = {entity[0]: entity for row in found for entity in row["found"]}
    counted = Counted([], [], [], {})
    for entity_id in ids:
        _, spellings, counts, before = held.get(entity_id, NO_ENTITY)
        spoken = dict(zip(spellings, counts, strict=True))
        for name, more in change.spellings[entity_id].items():
            spoken[name] = spoken.get(name, 0) + more
        spoken = {name: times for name, times in spoken.items() if times > 0}
        passages = before + change.passages[entity_id]
        if entity_id in change.mentioned:
            counted.frequencies[entity_id] = Frequency(before, passages)
        if spoken:
            rows = counted.known if entity_id in held else counted.new
            rows.append(_entity_row(entity_id, spoken, passages))
        elif entity_id in held:
            counted.gone.append(entity_id)
    return counted


def settle_entities(run: Statements, counted: Counted) -> None:
    """Write names and document frequencies; delete the entities that nothing names."""
    new = (row | {"terms": terms(row["id"])} for row in counted.new)
    run.chunked("derive/new_entities", new, ROWS_AT_ONCE)
    run.chunked("derive/entities", counted.known)
    run.for_ids("derive/gone_entities", counted.gone)


class Ties(NamedTuple):
    """Pairs of passages whose shared keywords change.

    Args:
        new: what those share that shared nothing, as one of them is fresh.
        shared: what the others share now.
    """

    new: dict[Pair, set[str]]
    shared: dict[Pair, set[str]]


def tie(
    run: Statements,
    frequencies: Mapping[str, Frequency],
    fresh: Set[str],
    mentions: Iterable[Pair] = (),
) -> Ties:
    """Find the passages that the entities' new mentions tie or part.

    Args:
        run: statements in the transaction that writes.
        frequencies: of entities whose mentions change.
        fresh: passages whose SHARES_KEYWORD edges were all cut, or that are new.
        mentions: those to be written, as (passage id, entity id).
    """
    touched = sorted(key for key, entity in frequencies.items() if entity.tied or entity.ties)
    mentioning: dict[str, set[str]] = {key: set() for key in touched}
    for row in run.for_ids("derive/mentioning", touched):
        mentioning[row["id"]].update(row["passage_ids"])
    for passage_id, entity_id in mentions:
        if entity_id in mentioning:
            mentioning[entity_id].add(passage_id)
    more, less = _tied_or_parted(mentioning, frequencies, fresh)
    new = {pair: keywords for pair, keywords in more.items() if not fresh.isdisjoint(pair)}
    pairs = (more.keys() - new.keys()) | less.keys()
    shared: dict[Pair, set[str]] = {pair: set() for pair in pairs}
    for row in run.chunked("derive/shared_keywords", _ends(pairs)):
        shared[row["source"], row["target"]].update(row["keywords"])
    for pair, keywords in shared.items():
        keywords |= more.get(pair, set())
        keywords -= less.get(pair, set())
    return Ties(new, shared)


def _tied_or_parted(
    mentioning: Mapping[str, set[str]], frequencies: Mapping[str, Frequency], fresh: Set[str]
) -> tuple[dict[Pair, set[str]], dict[Pair, set[str]]]:
    """Find which keywords pairs of passages gain, and which they lose."""
    more: dict[Pair, set[str]] = defaultdict(set)
    less: dict[Pair, set[str]] = defaultdict(set)
    for entity_id, passage_ids in mentioning.items():
        entity = frequencies[entity_id]
        if entity.ties:
            for pair in _pairs(passage_ids):
                if not entity.tied or not fresh.isdisjoint(pair):
                    more[pair].add(entity_id)
        else:  # was tied: too many mention it now, or too few
            for pair in _pairs(passage_ids - fresh):
                less[pair].add(entity_id)
    return more, less


def settle_keywords(run: Statements, ties: Ties) -> None:
    """Write SHARES_KEYWORD as found."""
    run.chunked("derive/new_shared_keywords", _shared_rows(ties.new))
    parted = [pair for pair, keywords in ties.shared.items() if not keywords]
    run.chunked("derive/unshare_keywords", _ends(parted))
    run.chunked("derive/share_keywords", _shared_rows(ties.shared))


def settle_terms(run: Statements, change: Change) -> None:
    """Write how many passages hold the stems touched; delete those that none holds."""
    counted = [{"id": term, "more": more} for term, more in sorted(change.terms.items()) if more]
    run.chunked("derive/terms", counted)
    run.for_ids("derive/gone_terms", [row["id"] for row in counted if row["more"] < 0])


def texts_of(run: Statements, passage_ids: Collection[str]) -> list[Row]:
    """Read passages whose NAMES have to be found again: id, own title, text, what they name."""
    return run.for_ids("derive/texts", sorted(passage_ids))


def settle_names(
    run: Statements,
    aside: Statements,
    passages: Collection[Passage],
    renamed: Collection[Row],
    held: Mapping[str, set[str]] | None = None,
) -> None:
    """Write NAMES from new passages, and again from older ones that may name something else now.

    Args:
        run: statements in the transaction that writes.
        aside: … in one that reads.
        passages: the new ones, written already.
        renamed: rows of `texts_of` for the older ones.
        held: all older first passages by title; None: they are looked up.
    """
    new = {passage.id: passage for passage in passages}
    listed: list[Row] = [
        {"id": key, "own": new[key].normal_title, "text": new[key].text, "named": []}
        for key in sorted(new)
    ]
    listed += renamed
    if not listed:
        return
    titled = first_passages(passages)

    def known(titles: Collection[str]) -> Collection[str]:
        if held is None:
            older = _by_title((row["title"], row["id"]) for row in _titled(aside, titles))
        else:
            older = {title: held[title] for title in titles if title in held}
        for title, ids in older.items():
            titled[title] = titled.get(title, set()).union(ids)
        return titled

    gained: list[Pair] = []
    lost: list[Pair] = []
    for row, titles in zip(listed, named_titles([r["text"] for r in listed], known), strict=True):
        targets = {target for title in titles if title != row["own"] for target in titled[title]}
        gained += [(row["id"], target) for target in targets.difference(row["named"])]
        lost += [(row["id"], target) for target in set(row["named"]) - targets]
    run.chunked("derive/unname", _ends(lost))
    run.chunked("derive/names", _ends(gained))


def _titled(run: Statements, titles: Iterable[str]) -> list[Row]:
    """First passages of these titles, and perhaps of others.

    Of longer titles only how they begin is asked: at each capital up to ten runs of words begin,
    and few of them are titles.
    """
    short, beginnings = [], []
    for title in titles:
        words = title.count(" ") + 1
        if words < BEGINNING:
            short.append(title)
        elif words == BEGINNING:  # of every longer one its beginning is there, too
            beginnings.append(title)
    found = run.chunked("derive/titled", sorted(short), TITLES, "titles")
    return found + run.chunked("derive/titled_so", sorted(beginnings), TITLES, "beginnings")


def _by_title(found: Iterable[Pair]) -> dict[str, set[str]]:
    titled: dict[str, set[str]] = defaultdict(set)
    for title, id_ in found:
        titled[title].add(id_)
    return dict(titled)


def _entity_row(entity_id: str, spoken: Mapping[str, int], passages: int) -> Row:
    called = Entity.called(spoken)
    counts = [spoken[spelling] for spelling in [called["name"], *called["aliases"]]]
    return {"id": entity_id, **called, "counts": counts, "passages": passages}


def _pairs(passage_ids: Iterable[str]) -> Iterable[Pair]:
    ordered = sorted(passage_ids)
    return ((a, b) for i, a in enumerate(ordered) for b in ordered[i + 1 :])


def _shared_rows(shared: Mapping[Pair, Collection[str]]) -> list[Row]:
    """Rows of those pairs that share something."""
    return [
        {"source": a, "target": b, "keywords": sorted(keywords), "weight": float(len(keywords))}
        for (a, b), keywords in sorted(shared.items())
        if keywords
    ]


def _ends(pairs: Iterable[Pair]) -> list[Row]:
    return [{"source": source, "target": target} for source, target in sorted(pairs)]
