"""Semi-Structured Chain-of-Thought: parse a masked chain, fill it, answer (§3, Algorithms 1, 2)."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from ....kg.answers import Answer, Chain, SupportedTriple
from ....kg.errors import BadRequest
from ....kg.text.words import normal_form
from ....kg.tracing import TracedTriple, Tracing
from ....kg.types import Passage, Triple
from ....models.language import Decoding, OutputForm
from ...prompts.showing import SECTIONS
from ...registry import Count
from ...replies.answers import conclusion, told
from ...replies.chains import MASK, MaskedChain, elected, filled, parsed
from ...session.session import Session
from ..trace.reading import cited
from .filling import Asked, Filled, Found, Source
from .sources import Kind, Knowledge, by_text, knowledge, tell

PARSE, FILL = "semi_structured/parse", "semi_structured/fill"
SOURCES: tuple[Source, ...] = ("kg", "text", "model")
_WORD = r"[^;>#\n]"
_MASKED = rf"{_WORD}*#[1-9]{_WORD}*"
_TRIPLE = rf"(?:{_MASKED} >> {_WORD}+ >> (?:{_MASKED}|{_WORD}+)|{_WORD}+ >> {_WORD}+ >> {_MASKED})"
CHAIN = OutputForm(
    r"""
root ::= triple ("; " triple)* "; final answer: #" ([1-9] | "answer")
triple ::= masked " >> " word+ " >> " (masked | word+) | word+ " >> " word+ " >> " masked
masked ::= word* "#" [1-9] word*
word ::= [^;>#\n]
""",
    rf"{_TRIPLE}(?:; {_TRIPLE})*; final answer: #(?:[1-9]|answer)",
)
PARSING = Decoding(stop=SECTIONS, max_tokens=384)
FILLING = Decoding(stop=SECTIONS, max_tokens=384)


@dataclass(frozen=True)
class SemiStructured:
    """Parse the question into a masked chain, then fill the masks source by source.

    Chains are sampled, those with a wrong syntax dropped, the others put to the vote (§3.1). Each
    source fills what it can, left to right, as often as that makes further triples valid (§3.2).

    Args:
        sources: in their order, each once: the graph, passages, the model, which fills what is left
            at once and stands last.
        kg: where the source of that name looks, in this order: triples of the graph, and what it
            keeps of Wikidata, each asked for what the one before does not state.
        samples: chains; the paper gives no number. 1 is greedy.
        temperature: of them, where there are several.
        fewest: masks of a chain (appendix B).
        most: masks of a chain, at most.
        form: hold chains to their form where the model can be held, which rules most errors out.
        passages: for each single question (appendix E).
        near: the least cosine of two relations that are taken for one, −1 to 1; the paper takes the
            nearest, however far.
        inverse: also look for a head whose tail is known; not in the paper.
    """

    name: ClassVar[str] = "semi_structured"
    asks_claims: ClassVar[bool] = True
    sources: tuple[Source, ...] = SOURCES
    kg: tuple[Kind, ...] = ("own", "wikidata")
    samples: Count = 5
    temperature: float = 0.7
    fewest: Count = 2
    most: Count = 4
    form: bool = True
    passages: Count = 10
    near: float = 0.5
    inverse: bool = True

    def __post_init__(self) -> None:
        if len(set(self.sources)) < len(self.sources) or not self.sources:
            raise BadRequest("sources of semi_structured are kg, text and model, each once.")
        if "model" in self.sources[:-1]:
            raise BadRequest("The model fills all masks that are left: it is the last source.")
        if len(set(self.kg)) < len(self.kg) or not self.kg:
            raise BadRequest("kg of semi_structured is own and wikidata, each once.")

    def answer(self, session: Session) -> Answer:
        course = _Course(self, session, knowledge(self.kg, self.near))
        chain = course.parse()
        return course.thought() if chain is None else course.filled(chain)


@dataclass
class _Course:
    """One question under way.

    Attributes:
        faults: of syntax, by kind.
        valid: chains without any.
        share: of the votes that the chain has.
    """

    method: SemiStructured
    session: Session
    knowledge: Knowledge
    faults: Counter[str] = field(default_factory=Counter)
    valid: int = 0
    share: float = 0.0

    # -- the chain, §3.1
    def parse(self) -> MaskedChain | None:
        """Sample chains and take the one that most are like; None where none is valid."""
        method, started = self.method, time.perf_counter()
        several = method.samples > 1
        decoding = replace(
            PARSING,
            form=CHAIN if method.form else None,
            temperature=method.temperature if several else 0.0,
        )
        said = self.session.sample(method.samples, PARSE, (), decoding)
        read = [parsed(one.text, method.fewest, method.most) for one in said]
        chains = [one.chain for one in read if one.chain]
        self.valid = len(chains)
        self.faults.update(fault for one in read for fault in one.faults)
        lines = [f"{kind}: {count}" for kind, count in sorted(self.faults.items())]
        if not chains:
            self._tell("chain", "\n".join([*lines, "No valid chain."]), started)
            return None
        chain, self.share = elected(chains)
        self._tell("chain", "\n".join([*lines, f"{self.share:.2f} {chain}"]), started)
        return chain

    def thought(self) -> Answer:
        """Answer by a plain chain of thought, as no chain was valid."""
        session = self.session
        found = session.retrieve(session.question, self.method.passages)
        answer = session.answered(conclusion(session.think(found)))
        return replace(answer, usage={**answer.usage, **self._usage()})

    # -- masks, §3.2
    def filled(self, chain: MaskedChain) -> Answer:
        """Fill the masks source by source, and answer."""
        state, text = Filled(chain), ""
        for source in self.method.sources:
            if source == "model":
                text = self._by_model(state)
            else:
                self._by(source, state)
        found = [text] if text else state.concluded(self.session.question)
        return self._answered(state, found)

    def _by(self, source: Source, state: Filled) -> None:
        """Algorithms 1 and 2: each triple is asked for once."""
        done = set[Asked]()
        while True:
            asked = [one for one in state.asked(False) if one not in done]
            if not asked and self.method.inverse:
                asked = [one for one in state.asked(True) if one not in done]
            if not asked:
                return
            done.update(asked)
            told = list(zip(asked, self._found(source, asked), strict=True))
            state.take(source, told)
            tell(self.session, source, told)
            self._check(state)

    def _found(self, source: Source, asked: Sequence[Asked]) -> list[list[Found]]:
        if source == "kg":
            return self.knowledge.fill(self.session, asked)
        return by_text(self.session, asked, self.method.passages)

    def _check(self, state: Filled) -> None:
        """Narrow several values of a mask by the triples that say what it must be."""
        for mask, relation, tail in list(state.checks()):
            values = state.values[mask]
            fit = [v for v in values if self.knowledge.holds(self.session, v, relation, tail)]
            if fit:
                state.keep(mask, fit)

    def _by_model(self, state: Filled) -> str:
        """Ask for all masks that are left and for the answer, unless that is known exactly."""
        session = self.session
        if found := state.concluded(session.question):
            return found[0]
        session.model.release()
        reply = session.say(FILL, (), FILLING, last=True, chain=str(state))
        links, final = filled(reply)
        for old, new in zip(state.chain.links, links, strict=False):
            for mine, its in ((old.head, new.head), (old.tail, new.tail)):
                mask = MASK.fullmatch(mine)
                if mask and int(mask[1]) in state.left and not MASK.search(its):
                    state.values[int(mask[1])] = [its]
                    state.sources[int(mask[1])] = "model"
        return "" if MASK.search(final) else told(final)

    # -- the answer
    def _answered(self, state: Filled, texts: Sequence[str]) -> Answer:
        by = [step for _, found in state.by for step in found.steps]
        passages = {p.id: p for found in by for p in found.passages}
        kept = [s for asked, f in state.by if _used(state, asked, f) for s in f.steps]
        steps = tuple(SupportedTriple(s.triple, tuple(p.id for p in s.passages)) for s in kept)
        chains = (Chain(tuple(dict.fromkeys(steps)), self.share),) if steps else ()
        shown = dict.fromkeys([*(p.id for p in self.session.shown), *passages])
        every: dict[Passage, float] = dict(self.session.found)
        every |= {p: 0.0 for p in passages.values() if p not in every}
        found = {passage: score for passage, score in every.items() if passage.id in shown}
        answer = self.session.answered(
            texts[0] if texts else "",
            [(text, 0.0) for text in texts[1:]],
            chains=chains,
            passages=cited(found, (), chains),
            shown=tuple(shown),
        )
        return replace(
            answer,
            usage={**answer.usage, **self._usage(), **_counts(state)},
            tracing=_tracing(state, texts),
            stated=tuple(found.statement for found in by if found.statement),
        )

    def _usage(self) -> dict[str, int]:
        faults = {f"chain_{kind}": count for kind, count in self.faults.items()}
        return {"valid_chains": self.valid, **faults}

    def _tell(self, name: str, output: str, started: float) -> None:
        self.session.steps.add(name, "", output, (), started)


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
