"""Links a graph's entities to Wikidata's items, document by document, and brings their claims."""

import dataclasses
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice

from ...kg.errors import EmptyGraph
from ...kg.linked import ItemLink, LinkedItem
from ...kg.store import GraphStore
from ...kg.text.words import stable_id
from ...kg.types import DocumentInfo, Entity
from ...kg.where import documents
from ...kg.wikidata.claims import read_claims
from ...kg.wikidata.items import Item
from ...kg.wikidata.linking import Linker, Ranked
from ...kg.wikidata.names import NAMED
from ...kg.wikidata.properties import Properties, read_properties
from ...models.encoder import Encoder
from ..settings import open_endpoint

CHUNK = 20
"""Documents of one transaction: what an interruption loses at most."""
ITEMS = 50
"""Items whose claims are asked for at once."""
CONTEXT = 3000
"""Characters of the passages that mention a name which are read for what it means."""
PASSAGES = 50
VERSION = "1"
"""Of what is done here; another one links documents anew."""


@dataclass(frozen=True)
class Certainty:
    """What an item must have to be linked; else the entity stays unlinked.

    Args:
        evidence: of its score what is not its name: an exact name alone means little.
        margin: by which it is ahead of the next.
    """

    evidence: float = 0.25
    margin: float = 0.05


@dataclass
class Linking:
    """The progress of linking; handed to `progress` after every document.

    Args:
        documents: how many there are to link.
        done: of them.
        unchanged: documents that were linked so before.
        entities: looked at, once a document.
        links: made.
        items: that these lead to.
        queries: sent to the endpoint.
        seconds: all in all.
    """

    documents: int = 0
    done: int = 0
    unchanged: int = 0
    entities: int = 0
    links: int = 0
    items: set[str] = field(default_factory=set)
    queries: int = 0
    seconds: float = 0.0


@dataclass
class _Mention:
    """An entity in a document.

    Args:
        names: it goes by, the most frequent first.
        context: what the passages that mention it say.
        relations: of the triples that it heads there.
    """

    document: str
    entity: str
    names: tuple[str, ...]
    context: str
    relations: tuple[str, ...]


def opened(offline: bool, refresh: bool, encoder: Encoder) -> tuple[Linker, Properties]:
    """Open the endpoint of HOPTRAIL_SPARQL, and read its properties.

    Raises:
        EndpointUnavailable: it can't answer.
    """
    endpoint = open_endpoint(offline, 0.0 if refresh else None)
    encode = encoder.encode_queries
    return Linker(endpoint, encode=encode), Properties(read_properties(endpoint), encode)


def link(
    store: GraphStore,
    linker: Linker,
    properties: Properties | None = None,
    *,
    encoder: str = "",
    certainty: Certainty | None = None,
    again: bool = False,
    progress: Callable[[Linking], None] = lambda linking: None,
) -> Linking:
    """Link the documents that this linker has not linked yet; safe to repeat and to interrupt.

    Names are linked that have a capital and are equal to a label or alias; what is merely similar
    is not. Each document for itself: the same name may mean another item elsewhere.

    Args:
        store: the graph.
        linker: finds and ranks items.
        properties: tell which relations of a document's triples an item has to have.
        encoder: fingerprint of the linker's encoder.
        certainty: see there.
        again: also documents that were linked so before.
        progress: called after every document.

    Raises:
        EmptyGraph: there is no graph.
        EndpointUnavailable: the endpoint can't answer; what was linked before stays.
    """
    if store.info() is None:
        raise EmptyGraph(f"{store.where} holds no graph yet. Make one: hoptrail ingest PATH")
    sure, started = certainty or Certainty(), time.perf_counter()
    method = fingerprint(linker, encoder, sure)
    linking = Linking(documents=store.statistics()["documents"])
    before = linker.endpoint.asked
    listed = iter(documents(store))
    while some := list(islice(listed, CHUNK)):
        known = {} if again else store.wikidata.linked_by([one.id for one in some])
        todo = [one for one in some if known.get(one.id) != method]
        linking.unchanged += len(some) - len(todo)
        if todo:
            found, items = _linked(store, linker, properties, sure, method, todo, linking)
            store.wikidata.link([one.id for one in todo], method, found, items)
            linking.links += len(found)
            linking.items |= {one.item_id for one in found}
        linking.done += len(some)
        linking.queries = linker.endpoint.asked - before
        linking.seconds = time.perf_counter() - started
        progress(linking)
    return linking


def state(
    store: GraphStore,
    linker: Linker,
    properties: Properties,
    pids: Collection[str] | None = None,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> int:
    """Bring what Wikidata states of the linked items into the graph, in place of what was there.

    Args:
        store: the graph.
        linker: its endpoint is asked.
        properties: name what is stated; identifiers and files are left out.
        pids: of these properties alone.
        progress: called with how many items are done, of how many.

    Returns:
        How many claims there are now of them.

    Raises:
        EndpointUnavailable: the endpoint can't answer; the claims of some items may be new by then.
    """
    items, count = store.wikidata.item_ids(), 0
    for start in range(0, len(items), ITEMS):
        some = items[start : start + ITEMS]
        claims = read_claims(linker.endpoint, some, properties, pids)
        store.wikidata.state(some, claims)
        count += len(claims)
        progress(start + len(some), len(items))
    return count


def fingerprint(linker: Linker, encoder: str, certainty: Certainty) -> str:
    """Write what determines links, apart from what the endpoint says."""
    how = [VERSION, encoder, dataclasses.astuple(linker.weights), dataclasses.astuple(certainty)]
    return f"{linker.endpoint.url} {stable_id(*how)}"


def _linked(
    store: GraphStore,
    linker: Linker,
    properties: Properties | None,
    certainty: Certainty,
    method: str,
    some: Sequence[DocumentInfo],
    linking: Linking,
) -> tuple[list[ItemLink], list[LinkedItem]]:
    """Links of some documents, and the items they lead to."""
    mentions = [mention for one in some for mention in _mentions(store, one)]
    linking.entities += len(mentions)
    fits = linker.candidates({name for one in mentions for name in one.names})
    wanted = {qid for one in mentions for name in one.names for qid in fits[name]}
    items = linker.items(wanted) if wanted else {}
    links: list[ItemLink] = []
    for _, of_document in _by_document(mentions):
        links += _of_document(linker, properties, certainty, method, of_document, fits, items)
    at = {one.item_id: items[one.item_id] for one in links}
    return links, [_kept(item, linker.endpoint.url) for item in at.values()]


def _of_document(
    linker: Linker,
    properties: Properties | None,
    certainty: Certainty,
    method: str,
    mentions: Sequence[_Mention],
    fits: Mapping[str, Mapping[str, float]],
    items: Mapping[str, Item],
) -> list[ItemLink]:
    """Twice: what is sure at first tells what the rest means."""
    sure: dict[str, str] = {}
    links: list[ItemLink] = []
    for _ in range(2):
        links = []
        for one in mentions:
            others = {qid for entity, qid in sure.items() if entity != one.entity}
            ranked = _ranked(linker, properties, one, fits, items, others)
            if found := _certain(ranked, certainty):
                best, margin = found
                score = (round(best.score, 4), round(margin, 4))
                ids = (one.document, one.entity, best.item.id)
                links.append(ItemLink(*ids, *score, method, best.reason))
        sure = {one.entity_id: one.item_id for one in links}
    return links


def _ranked(
    linker: Linker,
    properties: Properties | None,
    mention: _Mention,
    fits: Mapping[str, Mapping[str, float]],
    items: Mapping[str, Item],
    others: Collection[str],
) -> list[Ranked]:
    named: dict[str, float] = {}
    for name in mention.names:
        for qid, fit in fits[name].items():
            named[qid] = max(named.get(qid, 0.0), fit)
    wanted: set[str] = set()
    if properties is not None:
        wanted = {pid for relation in mention.relations for pid in properties.named(relation)}
    return linker.rank(mention.names[0], named, items, mention.context, wanted, others)


def _certain(ranked: Sequence[Ranked], certainty: Certainty) -> tuple[Ranked, float] | None:
    """The best, with its margin, where it is good enough and far enough ahead."""
    if not ranked:
        return None
    best = ranked[0]
    margin = best.score - ranked[1].score if len(ranked) > 1 else best.score
    evident = best.score - best.fit >= certainty.evidence
    if best.fit < NAMED or not evident or margin < certainty.margin:
        return None
    return best, margin


def _mentions(store: GraphStore, document: DocumentInfo) -> Iterator[_Mention]:
    """The names of a document, each with what its passages say."""
    ids = store.passages_of([document.id])
    passages, mentioned = store.passages(ids), store.mentioned(ids)
    places = defaultdict[str, list[str]](list)
    for passage_id, entity_ids in mentioned.items():
        for entity_id in entity_ids:
            places[entity_id].append(passage_id)
    relations = defaultdict[str, set[str]](set)
    for statement in store.triples_of(ids):
        if not statement.triple.tied:
            relations[statement.triple.head_id].add(statement.triple.relation)
    entities = store.entities(sorted(places))
    for entity_id, entity in entities.items():
        if names := _names(entity):
            texts = (f"{passages[p].title}. {passages[p].text}" for p in places[entity_id])
            context = "\n".join(islice(texts, PASSAGES))[:CONTEXT]
            said = tuple(sorted(relations[entity_id]))
            yield _Mention(document.id, entity_id, names, context, said)


def _names(entity: Entity) -> tuple[str, ...]:
    """Its spellings with a capital, or of a script without: nouns and years mean no one thing."""
    spelled = (entity.name, *entity.aliases)
    return tuple(name for name in spelled if any(c.isalpha() and not c.islower() for c in name))


def _by_document(mentions: Iterable[_Mention]) -> Iterable[tuple[str, list[_Mention]]]:
    grouped = defaultdict[str, list[_Mention]](list)
    for one in mentions:
        grouped[one.document].append(one)
    return grouped.items()


def _kept(item: Item, endpoint: str) -> LinkedItem:
    at = datetime.fromtimestamp(item.at, UTC).isoformat(timespec="microseconds")
    return LinkedItem(item.id, item.label, item.description, endpoint, at)
