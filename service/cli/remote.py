"""`--graph http://…`: ask, search and show, answered by a service."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...kg.answers import (
    Answer,
    Candidate,
    Chain,
    Citation,
    Copy,
    Quote,
    Stated,
    Step,
    Subanswer,
    SupportedTriple,
)
from ...kg.errors import BadRequest
from ...kg.linked import Origin
from ...kg.text.marking import Excerpt, Span
from ...kg.types import Passage, Triple
from ..console.printing import print_answer, print_json
from ..hits import Hit

if TYPE_CHECKING:
    from ...client import Client

KEY_VARIABLE = "HOPTRAIL_KEY"


def is_service(graph: str) -> bool:
    """Tell whether what --graph names is a service."""
    return graph.startswith(("http://", "https://"))


def opened(url: str) -> "Client":
    """Make the client; its key comes from HOPTRAIL_KEY."""
    from ...client import Client  # httpx takes a fifth of a second

    return Client(url, os.environ.get(KEY_VARIABLE, ""))


def spoken(spec: str) -> dict[str, Any]:
    """Say a method's word as a service takes it: "trace:beams=1" → its name and settings."""
    name, *given = spec.split(":")
    pairs = (setting.partition("=") for setting in given)
    settings = {field: int(value) if value.isdigit() else value for field, _, value in pairs}
    return {"method": name, **({"settings": settings} if settings else {})}


def tell(
    client: "Client",
    method: str,
    options: Mapping[str, Any],
    on_step: Callable[[Step], None],
    as_json: bool,
    all_chains: bool,
    question: str,
) -> None:
    """Ask a service a question, and print what it answers."""
    said = ask(client, question, method, options, on_step)
    if as_json:
        print_json(said)
    else:
        print_answer(answer_of(said), all_chains=all_chains)


def ask(
    client: "Client",
    question: str,
    method: str,
    options: Mapping[str, Any],
    on_step: Callable[[Step], None],
) -> dict[str, Any]:
    """Ask a service step by step; return the object of `ask --json`.

    Raises:
        HoptrailError: as `Hoptrail.ask`, or the service can't be reached.
    """
    given = {name: value for name, value in options.items() if value not in (None, [], ())}
    for name, data in client.steps(question, **spoken(method), **given):
        if name == "step":
            on_step(_step(data))
        elif name == "answer":
            return data
    raise BadRequest("The service ended its answer too early. Ask again.")


def _step(data: Mapping[str, Any]) -> Step:
    return Step(data["name"], "", data["text"], (), data["tokens"], data["seconds"], data["kind"])


def answer_of(said: Mapping[str, Any]) -> Answer:
    """Make the answer that was written as JSON; its steps stay there."""
    return Answer(
        question=said["question"],
        method=said["method"],
        text=said["answer"],
        abstained=said["abstained"],
        confidence=said["confidence"],
        candidates=tuple(Candidate(**one) for one in said["candidates"]),
        chains=tuple(_chain(one) for one in said["chains"]),
        passages=tuple(_citation(one) for one in said["passages"]),
        usage=said["usage"],
        model=said["model"] or "",
        created_at=said["created_at"],
        recorded_as=said["id"],
        quote=_quote(said["quote"]),
        missing=said["missing"] or "",
        withheld=said["withheld"],
        subanswers=tuple(map(_subanswer, said["subanswers"])),
    )


def _subanswer(said: Mapping[str, Any]) -> Subanswer:
    found = said["text"], said["confidence"], _quote(said["quote"]), said["withheld"]
    return Subanswer(said["question"], *found)


def _quote(said: Mapping[str, Any] | None) -> Quote | None:
    return Quote(**{**said, "marked": _spans(said["marked"])}) if said else None


def _chain(said: Mapping[str, Any]) -> Chain:
    steps = (
        SupportedTriple(
            Triple(one["head"], one["relation"], one["tail"], _extractor(one["wikidata"])),
            tuple(one["passage_ids"]),
            tuple(Stated(s["passage_id"], _excerpt(s)) for s in one["stated"]),
        )
        for one in said["triples"]
    )
    return Chain(tuple(steps), said["score"] or 0.0)


def _extractor(wikidata: Mapping[str, str] | None) -> str:
    return Origin(**wikidata).text if wikidata else ""


def _excerpt(said: Mapping[str, Any]) -> Excerpt:
    place = said["start"], said["end"], _spans(said["marked"])
    return Excerpt(said["sentence"], *place, said.get("heading", ""))


def _spans(said: Sequence[Sequence[int]]) -> tuple[Span, ...]:
    return tuple((start, end) for start, end in said)


def _citation(said: Mapping[str, Any]) -> Citation:
    values = dict(said)
    also = tuple(Copy(**one) for one in values.pop("also"))
    values.pop("wikidata")  # its source says the same
    return Citation(passage_id=values.pop("id"), **values, also=also)


def hits_of(said: Mapping[str, Any]) -> list[Hit]:
    """Make the hits that were written as JSON."""
    fields = ("document_id", "position", "title", "text", "heading", "page", "language")
    return [
        Hit(
            Passage(
                **{name: one[name] for name in fields if name in one},
                headings=tuple(one.get("headings", ())),
            ),
            one["score"],
            tuple(Copy(**copy) for copy in one["also"]),
            one["source"],
            said["question"],
        )
        for one in said["passages"]
    ]


def search(
    client: "Client",
    question: str,
    retriever: str,
    limit: int,
    where: Sequence[str],
    sources: Sequence[str] | None = None,
) -> dict[str, Any]:
    """Search by a service; return the object of `search --json`."""
    chosen = {"sources": list(sources)} if sources else {}
    return client.search(question, retriever=retriever, limit=limit, where=list(where), **chosen)
