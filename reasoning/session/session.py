"""One question under way: what methods retrieve and ask with, and what their answers rest on."""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ...kg.answers import Answer, Candidate, Chain, Citation, Quote, Subanswer
from ...kg.errors import BadRequest
from ...kg.store import Graph
from ...kg.text.words import words
from ...kg.types import Passage, Triple
from ...models.encoder import Encoder
from ...models.language import BudgetSpent, Completion, Decoding, OutputForm, reserved
from ..claims import ClaimedGraph
from ..matching import chosen
from ..prompts.showing import SECTIONS, choice, examples, passage_text, plain, triple_lines
from ..replies.answers import concludes, told
from ..replies.plain import spoken
from ..replies.rankings import ranking
from ..replies.sentences import next_thought
from ..retrieval import Retriever
from .assembling import assemble, examples_within
from .budget import UNLIMITED, Budget, MeteredModel, Reserve
from .parts import Parts, Retrieved, retrieve
from .steps import OnStep, Steps

LINE = Decoding(stop=("\n",), max_tokens=64)
"""One line; where a model says nothing in its first, `MeteredModel` lets it go on."""
ANSWER = Decoding(stop=SECTIONS, max_tokens=192)
"""An answer, whatever stands before it."""
THOUGHTS = Decoding(stop=SECTIONS, max_tokens=384)
"""All thoughts, with the answer at their end."""
CONCLUDING = "So the answer is:"
ORDER = OutputForm(
    r"""
root ::= number (" > " number)*
number ::= "[" [1-9] [0-9]? "]"
""",
    r"\[[1-9][0-9]?\](?: > \[[1-9][0-9]?\])*",
)
RANKING = Decoding(ORDER, SECTIONS, max_tokens=192)
"""An order of numbered passages."""
ANSWERING = Reserve(calls=1, tokens=1024)
"""Kept back for the prompt that answers."""


Evidence = Sequence[Passage | Triple]
"""What a prompt shows, passages under `{passages}` or triples under `{triples}`."""


class Filling(NamedTuple):
    """What fills the gaps of a prompt besides the question: evidence, and others by name.

    Args:
        lines: shows triples, one a line where none is given.
    """

    evidence: Evidence = ()
    gaps: Mapping[str, str] = {}
    lines: Callable[[Sequence[Triple]], str] = triple_lines


class _Filled(NamedTuple):
    text: str
    shown: Evidence


@dataclass
class Session:
    """One question under way. What the budget does not cover is not asked, and a step tells so.

    Args:
        parts: graph, encoder, retriever, model: what stays the same over questions.
        method: name of the method that answers.
        within: only these passage ids; None is the whole graph.
        options: what the answer is one of; prompts show them. Empty: it is free text.
        budget: the most that the question may cost.
        on_step: called after every step, as it happens.
        asks_claims: the method asks for Wikidata's statements itself.

    Attributes:
        steps: what was done so far.
        found: what was retrieved, with the best score, in the order of its first retrieval.
        near: by passage id, the near copies that what was retrieved stands for.
        shown: passages that prompts showed, in the order they were first shown.
        spent: something was not asked, because the budget did not cover it.
    """

    parts: Parts
    question: str
    method: str = ""
    within: Collection[str] | None = None
    options: tuple[str, ...] = ()
    budget: Budget = UNLIMITED
    on_step: OnStep = lambda step: None
    asks_claims: bool = False
    steps: Steps = field(init=False)
    found: dict[Passage, float] = field(default_factory=dict, init=False)
    near: dict[str, tuple[str, ...]] = field(default_factory=dict, init=False)
    shown: dict[Passage, None] = field(default_factory=dict, init=False)
    spent: bool = field(default=False, init=False)
    retriever: Retriever = field(init=False)
    _model: MeteredModel | None = field(init=False)
    _named: int = field(default=0, init=False)
    _told: set[str] = field(default_factory=set, init=False)

    def __post_init__(self) -> None:
        model = self.parts.model
        self._model = MeteredModel(model, self.budget, ANSWERING) if model else None
        self.steps = Steps(self._model, self.on_step)
        self.retriever = self._of_one_question(self.parts.retriever)

    def _of_one_question(self, chosen: Retriever) -> Retriever:
        """The retriever itself, or what it makes of itself for this question."""
        if asking := getattr(chosen, "asking", None):  # such as Rerank
            return asking(self.order if self._model else None)
        remembering = getattr(chosen, "remembering", None)  # such as RGNN
        return remembering() if remembering else chosen

    @property
    def graph(self) -> Graph:
        """The graph that is asked; with Wikidata's statements, where these are a source."""
        given = self.parts.graph
        return given.plain if isinstance(given, ClaimedGraph) and self.asks_claims else given

    @property
    def encoder(self) -> Encoder:
        """The encoder that the graph was made with."""
        return self.parts.encoder

    @property
    def has_model(self) -> bool:
        """Whether there is a language model."""
        return self._model is not None

    @property
    def model(self) -> MeteredModel:
        """The language model, metered.

        Raises:
            BadRequest: there is none.
        """
        if self._model is None:
            raise BadRequest(f"{self.method or 'This'} takes a language model.", "Set --model.")
        return self._model

    @property
    def asked(self) -> str:
        """The question as prompts put it: with the options there are."""
        return choice(self.question, self.options)

    def meant(self, answer: str) -> str:
        """Give the option that a model's answer means; the answer itself where it means none."""
        number = chosen(answer, self.options) if answer else None
        return answer if number is None else self.options[number]

    # -- retrieving
    def retrieve(self, query: str, limit: int) -> list[Passage]:
        """Retrieve passages for a query, best first; after them what Wikidata states of it.

        Raises:
            BadRequest: the query is empty, or has no words.
            EmptyGraph: there is nothing to search.
        """
        scored = self.look(query, limit)
        self.keep(scored)
        return [passage for passage, *_ in scored]

    def look(self, query: str, limit: int) -> list[Retrieved]:
        """Retrieve as `retrieve` does, and keep nothing of it but the step."""
        started = time.perf_counter()
        scored = retrieve(self.graph, self.retriever, query, limit, self.within)
        lines = "\n".join(f"{score:.3f} {self._called(p)}" for p, score, _ in scored)
        step = f"retrieve ({self.retriever.name})"
        self.steps.add(step, query, lines, [passage for passage, *_ in scored], started)
        return scored

    def keep(self, scored: Iterable[Retrieved]) -> None:
        """Count passages among what was found."""
        for passage, score, near in scored:
            self.found[passage] = max(score, self.found.get(passage, score))
            self.near[passage.id] = near

    def _called(self, passage: Passage) -> str:
        """What a step calls a passage: its title; of Wikidata's statements all they say."""
        told = isinstance(self.graph, ClaimedGraph) and self.graph.tells(passage.id)
        return f"{passage.title}: {passage.text} (Wikidata)" if told else passage.title

    def tell_of_named(self, so: str) -> None:
        """Add a step when the model has just named options and gave no probabilities for them.

        Args:
            so: what follows from that; it is told once.
        """
        named = self._model.named if self._model else 0
        new, self._named = named > self._named, named
        if self._model and new and so not in self._told:
            self._told.add(so)
            says = f"{self._model.name} names an option and gives no log-probabilities: {so}."
            self.steps.add("log-probabilities", "", says, (), time.perf_counter())

    def search(self, said: str, limit: int) -> list[Passage]:
        """Retrieve passages for what the model said; none where it holds no word to look for."""
        return self.retrieve(said, limit) if words(said) else []

    # -- asking
    def think(self, passages: Sequence[Passage], thoughts: Sequence[str] = ()) -> str:
        """Ask for all thoughts after these, one a line, with the answer at their end.

        Where they end without one it is asked for (Kojima et al. 2022, §3.1): small models think to
        the point and stop there.
        """
        said = self.say("shared/think", passages, THOUGHTS, last=True, thoughts="\n".join(thoughts))
        if not said or concludes(said):
            return said
        so_far = "\n".join([*thoughts, spoken(said), CONCLUDING])
        answer = told(self.say("shared/think", passages, LINE, last=True, thoughts=so_far))
        return f"{said}\n{CONCLUDING} {answer or 'unknown'}"

    def think_on(self, passages: Sequence[Passage], thoughts: Sequence[str]) -> str:
        """Ask for the next thought alone, one sentence; "" where there is none that is new."""
        said = self.say("shared/think", passages, LINE, thoughts="\n".join(thoughts))
        return next_thought(said, thoughts)

    def read(self, passages: Sequence[Passage]) -> str:
        """Ask for the answer these passages give; "" when they do not tell."""
        return told(self.say("shared/read_passages", passages, ANSWER, last=True))

    def order(self, query: str, passages: Sequence[Passage]) -> list[int]:
        """Ask for the order of passages by their use for a query: their places, best first.

        Those that the reply leaves out, or that do not fit into the prompt, follow as they are.
        None of them counts as shown.
        """
        started, count, model = time.perf_counter(), len(passages), self.model
        task = self.parts.template("rerank/rank").text + query
        room = (
            model.context_length - reserved(model) - RANKING.max_tokens - model.count_tokens(task)
        )
        while model.count_tokens(shown := passage_text(passages[:count])) > room and count > 1:
            count -= max(1, count // 10)
        said = self.say("rerank/rank", (), RANKING, query=query, candidates=shown)
        ranked = [number - 1 for number in ranking(said, count)]
        if said and not ranked:
            says = "The reply ranks no passage: their order stays."
            self.steps.add("dropped", "", says, (), started)
        return [*ranked, *(place for place in range(len(passages)) if place not in ranked)]

    def say(
        self,
        prompt: str,
        evidence: Evidence = (),
        decoding: Decoding = LINE,
        *,
        last: bool = False,
        **gaps: str,
    ) -> str:
        """Put a prompt, and give what the model says, without thoughts in tags; "" for nothing.

        Args:
            prompt: its name, "react/turn"; `{question}`, `{examples}`, and `{passages}` or
                `{triples}` are filled.
            evidence: passages or triples, shown as far as they fit, left out from the end.
            last: it answers, and may take what was kept back for that.
            gaps: the prompt's others; no text in them opens a section.
        """
        said = self.sample(1, prompt, evidence, decoding, last=last, **gaps)
        return spoken(said[0].text) if said else ""

    def sample(
        self,
        count: int,
        prompt: str,
        evidence: Evidence = (),
        decoding: Decoding = LINE,
        *,
        last: bool = False,
        **gaps: str,
    ) -> list[Completion]:
        """Put a prompt `count` times, or as often as the budget covers; the others as for `say`."""
        if last:
            self.model.release()
        filled = self._filled(prompt, Filling(evidence, gaps), decoding)
        said = self.model.samples(filled.text, count, decoding)
        return self._heard(prompt, [filled] * count, said)

    def ask_each(
        self, prompt: str, fillings: Sequence[Filling], decoding: Decoding = LINE
    ) -> list[Completion | None]:
        """Put a prompt with each of these fillings, side by side: one batch to a server.

        Args:
            decoding: `decoding.form` holds the completions to a form.

        Returns:
            What the model says to each, in their order; None from the first one on that the budget
            does not cover.
        """
        filled = [self._filled(prompt, one, decoding, len(fillings)) for one in fillings]
        said = self.model.each([one.text for one in filled], decoding)
        heard = self._heard(prompt, filled, said)
        return [*heard, *[None] * (len(filled) - len(heard))]

    def _heard(
        self, prompt: str, filled: Sequence[_Filled], said: Iterator[Completion]
    ) -> list[Completion]:
        """The completions, each a step; a last step where the budget ends them."""
        name, started, heard = prompt.removeprefix("shared/"), time.perf_counter(), []
        try:
            for one, completion in zip(filled, said, strict=False):
                heard.append(completion)
                self.shown |= dict.fromkeys(p for p in one.shown if isinstance(p, Passage))
                said_of = one.text, completion.text.strip(), one.shown
                self.steps.add(name, *said_of, started)
                started = time.perf_counter()
        except BudgetSpent as spent:
            self.spent = True
            self.steps.add("budget", "", f"{name} is not asked: {spent}.", (), started)
        return heard

    def _filled(self, prompt: str, filling: Filling, decoding: Decoding, among: int = 1) -> _Filled:
        evidence = filling.evidence
        rendered = self._rendering(prompt, filling)
        text, fitting = assemble(self.model, evidence, rendered, decoding.max_tokens, among)
        return _Filled(text, evidence[:fitting])

    def _rendering(self, prompt: str, filling: Filling) -> Callable[[Evidence], str]:
        template, evidence = self.parts.template(prompt), filling.evidence
        gaps = {name: plain(text) for name, text in filling.gaps.items()}
        fixed = {"question": self.asked, **gaps}
        triples = bool(evidence) and isinstance(evidence[0], Triple)
        gap, lines = ("triples", filling.lines) if triples else ("passages", passage_text)

        def rendered(shown: Evidence, worked: str = "") -> str:
            return template.render(examples=worked, **{gap: lines(shown) or "none"}, **fixed)  # pyright: ignore[reportArgumentType]

        demonstrations = examples_within(
            self.model, template.demonstrations, lambda worked: rendered((), worked)
        )
        return lambda shown: rendered(shown, examples(demonstrations))

    # -- answering
    def answered(
        self,
        text: str,
        candidates: Sequence[tuple[str, float]] = (),
        *,
        confidence: float | None = None,
        chains: tuple[Chain, ...] = (),
        passages: tuple[Citation, ...] | None = None,
        shown: tuple[str, ...] | None = None,
        quote: Quote | None = None,
        missing: str = "",
        withheld: bool = False,
        subanswers: tuple[Subanswer, ...] = (),
    ) -> Answer:
        """Make the answer; "" abstains.

        Args:
            candidates: other texts, with their shares or probabilities.
            passages: that it cites; None for what the prompts showed.
            shown: ids of the passages that were read; None for what the prompts showed.
            quote: the sentence that it was read in.
            missing: why it abstains.
            withheld: whether that keeps a likely candidate back.
            subanswers: to what the question describes.
        """
        text = self.meant(text)
        if passages is None:
            passages = tuple(
                Citation(p.id, p.title, p.text, 0, self.found.get(p, 0.0), p.heading, p.page)
                for p in self.shown
            )
        return Answer(
            question=self.question,
            method=self.method,
            text=text,
            abstained=not text,
            confidence=None if confidence is None else float(confidence),
            candidates=tuple(Candidate(text, float(chance)) for text, chance in candidates),
            chains=chains,
            passages=passages,
            steps=tuple(self.steps.done),
            usage=self.steps.usage,
            model=self._model.name if self._model else "",
            shown=tuple(passage.id for passage in self.shown) if shown is None else shown,
            quote=quote,
            missing=missing,
            withheld=withheld,
            subanswers=subanswers,
        )
