"""An answer from a filled chain: what it cites, and what is recorded of it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ....kg.answers import Answer, Chain, Quote, SupportedTriple
from ....kg.text.words import normal_form
from ....kg.tracing import TracedTriple, Tracing
from ....kg.types import Passage, Triple
from ...session.session import Session
from ..trace.reading import cited
from .filling import Asked, Filled, Found, Source

SOURCES: tuple[Source, ...] = ("kg", "text", "model")


def answered(
    session: Session,
    state: Filled,
    texts: Sequence[str],
    share: float,
    usage: Mapping[str, int],
    *,
    candidates: Sequence[tuple[str, float]] | None = None,
    confidence: float | None = None,
    quote: Quote | None = None,
    missing: str = "",
    withheld: bool = False,
) -> Answer:
    """Make the answer of a chain.

    Args:
        texts: the answers that it gives, the best first; none abstains.
        share: of the votes that the chain has.
        usage: to add to the session's.
        candidates: with their probabilities; None for the other texts.
        confidence: that the first text is right.
        quote: the sentence that the last mask was read in.
        missing: why it abstains.
        withheld: whether that keeps a likely candidate back.
    """
    by = [step for _, found in state.by for step in found.steps]
    passages = {p.id: p for found in by for p in found.passages}
    kept = [s for asked, f in state.by if _used(state, asked, f) for s in f.steps]
    steps = tuple(SupportedTriple(s.triple, tuple(p.id for p in s.passages)) for s in kept)
    chains = (Chain(tuple(dict.fromkeys(steps)), share),) if steps else ()
    shown = dict.fromkeys([*(p.id for p in session.shown), *passages])
    every: dict[Passage, float] = dict(session.found)
    every |= {p: 0.0 for p in passages.values() if p not in every}
    found = {passage: score for passage, score in every.items() if passage.id in shown}
    answer = session.answered(
        texts[0] if texts else "",
        [(text, 0.0) for text in texts[1:]] if candidates is None else candidates,
        confidence=confidence,
        chains=chains,
        passages=cited(found, (), chains),
        shown=tuple(shown),
        quote=quote,
        missing=missing,
        withheld=withheld,
    )
    return replace(
        answer,
        usage={**answer.usage, **usage, **_counts(state)},
        tracing=_tracing(state, texts),
        stated=tuple(found.statement for found in by if found.statement),
    )


def _used(state: Filled, asked: Asked, found: Found) -> bool:
    """Whether a value stayed when its mask was narrowed."""
    return normal_form(found.value) in map(normal_form, state.values.get(asked.mask, ()))


def _counts(state: Filled) -> dict[str, int]:
    """How many masks each source filled, and how many are left."""
    by_source = Counter(state.sources.values())
    filled = {f"filled_{source}": by_source[source] for source in SOURCES if by_source[source]}
    return {**filled, "left_masks": len(state.left)}


def _tracing(state: Filled, texts: Sequence[str]) -> Tracing:
    """The chain as it is recorded: what was found for each mask, from which name on."""
    traced: dict[Triple, TracedTriple] = {}
    for asked, found in state.by:
        guidance = f"{asked.relation} (#{asked.mask}, {state.sources[asked.mask]})"
        known = asked.known
        for step in found.steps:
            one = TracedTriple(step.triple, asked.mask, known, guidance)
            traced.setdefault(step.triple, one)
            known = step.value
    tails = {normal_form(found.value) for _, found in state.by}
    begin = [normal_form(a.known) for a, _ in state.by if normal_form(a.known) not in tails]
    ends = {end for triple in traced for end in (triple.head_id, triple.tail_id)}
    targets = [key for key in map(normal_form, texts) if key in ends]
    return Tracing(
        tuple(traced.values()),
        tuple(key for key in dict.fromkeys(begin) if key in ends),
        tuple(dict.fromkeys(targets)),
    )
