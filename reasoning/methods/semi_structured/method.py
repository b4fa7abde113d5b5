"""Semi-Structured Chain-of-Thought: parse a masked chain, fill it, answer (§3, Algorithms 1, 2)."""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from ....kg.answers import Answer
from ....kg.errors import BadRequest
from ....models.language import Decoding, OutputForm
from ...prompts.showing import SECTIONS
from ...registry import Cosine, Count, Passages, Temperature
from ...replies.answers import conclusion, told
from ...replies.chains import MASK, MaskedChain, elected, filled, parsed
from ...session.session import Session
from .answering import SOURCES, answered
from .filling import Asked, Filled, Found, Source
from .plain import Plain
from .sources import Kind, Knowledge, by_text, fill, knowledge

PARSE, FILL = "semi_structured/parse", "semi_structured/fill"
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
        kg: where the source of that name looks, in this order: "own", triples of the graph;
            "wikidata", what it keeps of Wikidata; "sparql", Wikidata's endpoint. Each is asked for
            what those before do not state.
        samples: chains; the paper gives no number. 1 is greedy.
        temperature: of them, where there are several.
        fewest: masks of a chain (appendix B).
        most: masks of a chain, at most.
        filtered: drop chains with a wrong syntax; without, all that can be read have a vote.
        vote: take the chain that most are like (self-consistency); without, the first.
        form: hold chains to their form where the model can be held, which rules most errors out.
        passages: for each single question; 10 (appendix E), without a language model 5.
        near: the least cosine of two relations that are taken for one, −1 to 1; the paper takes the
            nearest, however far.
        inverse: also look for a head whose tail is known; not in the paper.
    """

    name: ClassVar[str] = "semi_structured"
    asks_claims: ClassVar[bool] = True
    sources: tuple[Source, ...] = SOURCES
    kg: tuple[Kind, ...] = ("own", "wikidata")
    samples: Count = 5
    temperature: Temperature = 0.7
    fewest: Count = 2
    most: Count = 4
    filtered: bool = True
    vote: bool = True
    form: bool = True
    passages: Passages | None = None
    near: Cosine = 0.5
    inverse: bool = True

    def __post_init__(self) -> None:
        if len(set(self.sources)) < len(self.sources) or not self.sources:
            raise BadRequest("sources of semi_structured are kg, text and model, each once.")
        if "model" in self.sources[:-1]:
            raise BadRequest("The model fills all masks that are left: it is the last source.")
        if len(set(self.kg)) < len(self.kg) or not self.kg:
            raise BadRequest("kg of semi_structured is own, wikidata and sparql, each once.")

    @property
    def needs_model(self) -> bool:
        """Whether nothing but the model fills masks."""
        return set(self.sources) <= {"model"}

    def answer(self, session: Session) -> Answer:
        graph = knowledge(self.kg, self.near)
        if not session.has_model:
            return Plain(session, self.sources, graph, self.passages or 5, self.inverse).answer()
        course = _Course(self, session, graph)
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
        usable = [one.chain if method.filtered else one.read for one in read]
        chains = [one for one in usable if one]
        self.valid = len(chains)
        self.faults.update(fault for one in read for fault in one.faults)
        lines = [f"{kind}: {count}" for kind, count in sorted(self.faults.items())]
        if not chains:
            self._tell("chain", "\n".join([*lines, "No valid chain."]), started)
            return None
        chain, self.share = elected(chains) if method.vote else (chains[0], 1 / len(chains))
        self._tell("chain", "\n".join([*lines, f"{self.share:.2f} {chain}"]), started)
        return chain

    def thought(self) -> Answer:
        """Answer by a plain chain of thought, as no chain was valid."""
        session = self.session
        found = session.retrieve(session.question, self.method.passages or 10)
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
                fill(self.session, state, source, self._found, self.knowledge, self.method.inverse)
        found = [text] if text else state.concluded(self.session.question)
        return answered(self.session, state, found, self.share, self._usage())

    def _found(self, source: Source, asked: Sequence[Asked]) -> list[list[Found]]:
        if source == "kg":
            return self.knowledge.fill(self.session, asked)
        return by_text(self.session, asked, self.method.passages or 10)

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

    def _usage(self) -> dict[str, int]:
        faults = {f"chain_{kind}": count for kind, count in self.faults.items()}
        return {"valid_chains": self.valid, **faults}

    def _tell(self, name: str, output: str, started: float) -> None:
        self.session.steps.add(name, "", output, (), started)
