"""What the graph on a Neo4j server keeps of Wikidata."""

from collections.abc import Collection, Iterable, Sequence

from ..linked import Claim, ItemLink, LinkedItem
from ..schema import properties
from . import rows
from .answers import CLAIM, ITEM
from .graph import ServedGraph
from .schema import ITEM_INDEX, all_indexes, make_schema
from .statements import Row, Statements, whole


class Neo4jLinks:
    """`kg.linked.KeepsLinks` on a server."""

    def __init__(self, graph: ServedGraph) -> None:
        self._graph = graph

    # -- reading
    def items(self, item_ids: Collection[str]) -> dict[str, LinkedItem]:
        asked = list(dict.fromkeys(item_ids))
        found = {row["id"]: row["held"] for row in self._ask("wikidata/items", asked, names=ITEM)}
        return {key: rows.made("item", LinkedItem, found[key]) for key in asked if key in found}

    def links(self, entity_ids: Collection[str]) -> list[ItemLink]:
        return _sorted(self._ask("wikidata/links", entity_ids))

    def linked(self, item_ids: Collection[str]) -> list[ItemLink]:
        return _sorted(self._ask("wikidata/linked", item_ids))

    def linked_by(self, document_ids: Collection[str]) -> dict[str, str]:
        found = self._ask("wikidata/linked_by", document_ids)
        held = {row["document_id"]: row["method"] for row in found}
        return {key: held[key] for key in dict.fromkeys(document_ids) if key in held}

    def item_ids(self) -> list[str]:
        if not self._there():
            return []
        return [row["id"] for row in self._graph.read(lambda run: run("wikidata/item_ids"))]

    def stated(self) -> bool:
        if not self._there():
            return False
        [row] = self._graph.read(lambda run: run("wikidata/stated"))
        return bool(row["stated"])

    def claims(self, item_ids: Collection[str]) -> list[Claim]:
        found = self._ask("wikidata/claims", item_ids, names=CLAIM)
        return _claims(found)

    def stating(self, item_ids: Collection[str]) -> list[Claim]:
        return _claims(self._ask("wikidata/stating", item_ids, names=CLAIM))

    def claims_about(self, entity_ids: Collection[str], limit: int = 100) -> list[Claim]:
        found = {row["id"] for row in self._ask("wikidata/means_what", entity_ids)}
        return self.claims(sorted(found))[: max(limit, 0)]

    # -- writing
    def link(
        self,
        document_ids: Collection[str],
        method: str,
        links: Sequence[ItemLink],
        items: Iterable[LinkedItem],
    ) -> None:
        documents, kept = sorted(set(document_ids)), _items(items)
        written = [properties("link", link) for link in links]
        for row in written:
            for text in (row["method"], row["reason"]):
                whole(text)

        def work(run: Statements) -> None:
            changed = {row["entity_id"] for row in run.for_ids("wikidata/unlink", documents)}
            run.for_ids("wikidata/mark", documents, maker=whole(method))
            run.chunked("wikidata/write_items", kept)
            order = sorted(written, key=lambda row: (row["document_id"], row["entity_id"]))
            changed |= {row["entity_id"] for row in run.chunked("wikidata/write_links", order)}
            run.for_ids("wikidata/means", sorted(changed))
            run("info/changed")

        self._make_schema()
        self._graph.write(work)

    def unlink(self, document_ids: Collection[str] | None = None) -> int:
        if not self._there():
            return 0
        gone = [0]  # of each attempt: after a commit that only seemed to fail the next finds none

        def work(run: Statements) -> None:
            if document_ids is None:
                asked = [row["id"] for row in run("export/document_ids", after="", limit=2**31)]
            else:
                asked = sorted(set(document_ids))
            found = run.for_ids("wikidata/unlink", asked)
            run.for_ids("wikidata/mark", asked, maker=None)
            if document_ids is None:
                run("wikidata/forget_claims")
                run("wikidata/forget_items")
            run.for_ids("wikidata/means", sorted({row["entity_id"] for row in found}))
            run("info/changed")
            gone.append(len(found))

        self._graph.write(work)
        return max(gone)

    def state(self, item_ids: Collection[str], claims: Iterable[Claim]) -> None:
        asked = sorted(set(item_ids))
        written = [rows.node("claim", properties("claim", claim)) for claim in claims]
        named = [row | {"name": f"{row['relation']}: {row['value']}"} for row in written]
        named.sort(key=lambda row: row["id"])
        kept: dict[str, list[str]] = {qid: [] for qid in asked}
        for row in named:
            kept.setdefault(row["item_id"], []).append(row["id"])
        stale = [{"item_id": qid, "kept": ids} for qid, ids in sorted(kept.items())]

        def work(run: Statements) -> None:
            run.chunked("wikidata/drop_claims", stale)
            run.chunked("wikidata/write_claims", named)
            run("info/changed")

        self._make_schema()
        self._graph.write(work)

    def forget_claims(self) -> int:
        if not self._there():
            return 0
        gone = [0]

        def work(run: Statements) -> None:
            gone.append(run("wikidata/forget_claims")[0]["claims"])
            run("info/changed")

        self._graph.write(work)
        return max(gone)

    # -- inside
    def _ask(self, name: str, ids: Collection[str], **others: object) -> list[Row]:
        if not ids or not self._there():
            return []
        return self._graph.read(lambda run: run.for_ids(name, sorted(set(ids)), **others))

    def _there(self) -> bool:
        """Whether the graph knows of items: one of before has no index of them."""
        if self._graph.known() is None:
            return False
        if not self._graph.links_items:
            name = ITEM_INDEX.name(self._graph.server.prefix)
            held = {row["name"] for row in all_indexes(self._graph.server)}
            self._graph.links_items = name in held
        return self._graph.links_items

    def _make_schema(self) -> None:
        info = self._graph.known()
        if info is not None and not self._there():
            make_schema(self._graph.server, info.fingerprint.dimension)


def _claims(found: Iterable[Row]) -> list[Claim]:
    claims = (rows.made("claim", Claim, row["held"]) for row in found)
    return sorted(claims, key=lambda one: (one.item_id, one.pid, one.id))


def _items(items: Iterable[LinkedItem]) -> list[Row]:
    made = (rows.node("item", properties("item", item)) for item in items)
    named = [row | {"name": row["label"] or row["id"]} for row in made]
    return sorted(named, key=lambda row: row["id"])


def _sorted(found: Iterable[Row]) -> list[ItemLink]:
    return sorted(
        (ItemLink(**row) for row in found), key=lambda one: (one.entity_id, one.document_id)
    )
