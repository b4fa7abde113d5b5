"""An answer with its evidence: chains of triples, cited passages, steps."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, NamedTuple

from .linked import Origin
from .question_triples import QuestionTriple
from .shown.advice import advice_on
from .shown.answer_html import answer_html
from .text.marking import Excerpt, Span
from .text.words import normal_form, stable_id
from .tracing import Tracing
from .types import Statement, Triple

StepKind = Literal["retrieve", "choose", "read", "budget", "note"]
"""What a step does: finds passages, chooses triples, reads or asks a model, tells what the budget
ended, or tells something else."""


RIVAL = 0.1
"""How likely another candidate is that is named, and cited, beside an answer."""
GUESS = 0.05
"""How likely a candidate is that is shown where none is asserted. Where the first is less likely,
nothing that was found reads like an answer."""


class Candidate(NamedTuple):
    """A guess with its probability, which is not asserted."""

    text: str
    probability: float


@dataclass(frozen=True, slots=True)
class Stated:
    """A sentence of a passage that states a triple, with head and tail marked."""

    passage_id: str
    excerpt: Excerpt

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as `ask --json` prints them."""
        return {"passage_id": self.passage_id, **self.excerpt.to_dict()}


@dataclass(frozen=True, slots=True)
class SupportedTriple:
    """A step of a chain: the triple and the passages that state it.

    Args:
        stated: the sentences that do, in the order of the passages; () where nobody looked.
    """

    triple: Triple
    passage_ids: tuple[str, ...]
    stated: tuple[Stated, ...] = field(default=(), compare=False)

    @property
    def wikidata(self) -> Origin | None:
        """Tell what of Wikidata it is; None where documents state it."""
        return Origin.of(self.triple.extractor)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as `ask --json` prints them."""
        triple, wikidata = self.triple, self.wikidata
        return {
            "id": triple.id,
            "head": triple.head,
            "relation": triple.relation,
            "tail": triple.tail,
            "head_id": triple.head_id,
            "tail_id": triple.tail_id,
            "passage_ids": list(self.passage_ids),
            "stated": [one.to_dict() for one in self.stated],
            "wikidata": wikidata and wikidata.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Chain:
    """Triples in order, with a score (a log-probability where a model chose them)."""

    triples: tuple[SupportedTriple, ...]
    score: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as `ask --json` prints them."""
        return {"score": self.score, "triples": [step.to_dict() for step in self.triples]}


@dataclass(frozen=True, slots=True)
class Copy:
    """The same passage in another document, or nearly the same where that was asked for.

    Args:
        near: it is only similar, and may say something else.
    """

    passage_id: str
    document_id: str
    title: str
    source: str
    near: bool = False


@dataclass(frozen=True, slots=True)
class Citation:
    """A passage an answer rests on, with the votes of the chains' triples (TRACE §3.4).

    Args:
        document_id: which document it is of, "" where nobody looked.
        position: of the passage in it, from 0, None where nobody looked.
        source: the document's.
        also: where else it stands, or a similar one does; not recorded.
    """

    passage_id: str
    title: str
    text: str
    votes: int
    score: float
    heading: str = ""
    page: int | None = None
    document_id: str = field(default="", compare=False)
    position: int | None = field(default=None, compare=False)
    source: str = field(default="", compare=False)
    also: tuple[Copy, ...] = field(default=(), compare=False)

    @property
    def wikidata(self) -> Origin | None:
        """Tell what of Wikidata it is; None for a passage of a document."""
        return Origin.of(self.source)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as `ask --json` prints them."""
        values, wikidata = asdict(self), self.wikidata
        values |= {"also": list(values["also"]), "wikidata": wikidata and wikidata.to_dict()}
        return {"id": values.pop("passage_id"), **values}


@dataclass(frozen=True, slots=True)
class Quote:
    """The sentence of a passage that an answer, or the best guess, was read in.

    Args:
        heading: that it stands under, "" where there is none or nobody looked.
        start: its first character in the passage's text, None where nobody looked.
        end: the one after its last.
        marked: characters of the passage's text that are the answer, or the best guess.
    """

    passage_id: str
    text: str
    heading: str = ""
    start: int | None = None
    end: int | None = None
    marked: tuple[Span, ...] = ()

    @property
    def excerpt(self) -> Excerpt:
        """The sentence with what is marked in it."""
        start = self.start or 0
        return Excerpt(self.text, start, start + len(self.text), self.marked, self.heading)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as `ask --json` prints them."""
        return {**asdict(self), "marked": [list(span) for span in self.marked]}


@dataclass(frozen=True, slots=True)
class Subanswer:
    """What a question describes, as a question of its own: "Who mends the lift?", and its answer.

    Args:
        confidence: probability that this step is right; the answer's is that of all together.
        quote: the sentence that it was read in, None where no single one was.
        withheld: it would not be asserted, however likely, and its confidence measures nothing.
    """

    question: str
    text: str
    confidence: float
    quote: Quote | None = None
    withheld: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as `ask --json` prints them."""
        return {**asdict(self), "quote": self.quote and self.quote.to_dict()}


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a method, enough to replay it: what went in, what came out, on which evidence.

    Args:
        evidence: ids of passages and triples, in the order in which they came.
        passages: ids of these alone.
        triples: ids of these alone.
        beams: chains under way after this step, best first, where it chose how they go on.
    """

    name: str
    prompt: str
    output: str
    evidence: tuple[str, ...] = ()
    tokens: int = 0
    seconds: float = 0.0
    kind: StepKind = "note"
    passages: tuple[str, ...] = ()
    triples: tuple[str, ...] = ()
    beams: tuple[Chain, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as `ask --json` prints them."""
        listed = {name: list(getattr(self, name)) for name in ("evidence", "passages", "triples")}
        return {**asdict(self), **listed, "beams": [chain.to_dict() for chain in self.beams]}


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer with its evidence.

    Args:
        text: the answer, or "" when abstained.
        abstained: the evidence was insufficient; `candidates` then hold guesses marked as such.
        confidence: calibrated probability that `text` (or the first candidate) is right, or None.
        candidates: guesses, best first.
        recorded_as: its id in the graph that holds it; some evidence of one that was read from
            there may be gone since.
        shown: ids of the passages that the answering prompts showed, by their text or their
            triples, in that order; not recorded.
        created_at: ISO 8601, UTC.
        quote: the sentence that the answer, or the first candidate, was read in; None where no
            single one was; not recorded.
        missing: why it abstained, in words, "" where that is not known; not recorded.
        withheld: what is missing keeps the first candidate back, likely as it is; its confidence
            then is just below the least that is asserted, and measures nothing; not recorded.
        subanswers: to what the question describes, in order; not recorded.
        usage: counts such as {"calls": 0, "tokens_in": 0, "tokens_out": 0, "seconds": 0.4}.
        tracing: the graph that was traced for the question, where the method traces one.
        stated: what was read in passages on the way; recorded with the answer as triples.
        asked: the question's own graph, where the method writes one, as it was asked and bound.
    """

    question: str
    method: str
    text: str
    abstained: bool
    confidence: float | None = None
    candidates: tuple[Candidate, ...] = ()
    chains: tuple[Chain, ...] = ()
    passages: tuple[Citation, ...] = ()
    steps: tuple[Step, ...] = ()
    usage: Mapping[str, float] = field(default_factory=dict)
    model: str = ""
    created_at: str = field(default="", compare=False)
    recorded_as: str = field(default="", compare=False)
    shown: tuple[str, ...] = field(default=(), compare=False)
    quote: Quote | None = field(default=None, compare=False)
    missing: str = field(default="", compare=False)
    withheld: bool = field(default=False, compare=False)
    subanswers: tuple[Subanswer, ...] = field(default=(), compare=False)
    tracing: Tracing = field(default_factory=Tracing)
    stated: tuple[Statement, ...] = field(default=(), compare=False)
    asked: tuple[QuestionTriple, ...] = ()

    @property
    def id(self) -> str:
        """Make an id of question, method, model, text and evidence; recorded twice it is one."""
        if self.recorded_as:
            return self.recorded_as
        evidence = [s.triple.id for c in self.chains for s in c.triples] + [
            p.passage_id for p in self.passages
        ]
        return stable_id(self.question, self.method, self.model, self.text, *evidence)

    @property
    def question_id(self) -> str:
        """Make an id of the question's text."""
        return stable_id("question", self.question)

    @property
    def advice(self) -> str:
        """What to do where nothing is asserted, a sentence; "" where something is."""
        if not self.abstained:
            return ""
        return advice_on(self.missing, quoted=self.quote is not None, by_model=bool(self.model))

    @property
    def guesses(self) -> tuple[Candidate, ...]:
        """The likely candidates, best first, where none is asserted; no yes as likely as no."""
        chances = dict(self.candidates)
        toss = chances.keys() == {"yes", "no"} and len({*chances.values()}) == 1
        likely = (one for one in self.candidates if one.probability >= GUESS)
        return tuple(likely) if self.abstained and not toss else ()

    @property
    def best_chain(self) -> Chain | None:
        """The chain to show with it, of guesses one that leads to the first; None without one."""
        led = (chain for chain in self.chains if not self.abstained or self.guessed_by(chain))
        return next(led, None)

    def guessed_by(self, chain: Chain) -> bool:
        """Tell whether nothing is asserted, and a chain leads to the first guess."""
        goals = {normal_form(one.text) for one in self.guesses[:1]}
        ends = (end for step in chain.triples for end in (step.triple.head_id, step.triple.tail_id))
        return not goals.isdisjoint(ends)

    def to_dict(self) -> dict[str, Any]:
        """Return the object that `ask --json` prints: plain values alone."""
        return {
            "id": self.id,
            "question": self.question,
            "method": self.method,
            "model": self.model or None,
            "answer": self.text,
            "abstained": self.abstained,
            "confidence": self.confidence,
            "candidates": [one._asdict() for one in self.candidates],
            "chains": [chain.to_dict() for chain in self.chains],
            "passages": [citation.to_dict() for citation in self.passages],
            "quote": self.quote and self.quote.to_dict(),
            "missing": self.missing or None,
            "withheld": self.withheld,
            "subanswers": [one.to_dict() for one in self.subanswers],
            "steps": [step.to_dict() for step in self.steps],
            "usage": dict(self.usage),
            "created_at": self.created_at,
            "advice": self.advice or None,
        }

    def _repr_html_(self) -> str:
        """Show the answer in a notebook."""
        best = [chain.to_dict() for chain in (self.best_chain,) if chain]
        guesses = [one._asdict() for one in self.guesses]
        return answer_html(self.to_dict() | {"chains": best, "candidates": guesses})


@dataclass(frozen=True, slots=True)
class Recorded:
    """An answer that the graph holds, without its evidence."""

    id: str
    question_id: str
    question: str
    created_at: str
    abstained: bool


LAST = ("9999-12-31T23:59:59.999999+00:00", "")
"""Time and id that all recorded answers come before."""
