"""What methods with a language model share: turns of retrieving and asking, then an answer."""

import re
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from ...kg.answers import Answer, Citation
from ...kg.errors import BadRequest
from ...kg.text.words import words
from ...kg.types import Passage
from ...models.language import TEMPLATE, Completion, LanguageModel
from ..prompts import Demonstration
from ..prompts.showing import examples, passage_text, plain
from .budget import Budget, BudgetSpent, Metered, OnStep, Run
from .parts import Parts

ANSWERING = Budget(1, 1024)
"""Kept back from the turns for the prompt that answers."""
_CONCLUSION = re.compile(r"\banswer is:?\s*(.*)", re.IGNORECASE)
T = TypeVar("T")
ANSWER_TOKENS = 32
UNKNOWN = "unknown"
"""What the prompts ask for when the evidence does not tell."""


@dataclass(frozen=True, slots=True)
class Decoding:
    """How a completion is decoded.

    Args:
        tokens: at most.
        last: it answers, and may take what was kept back for that.
    """

    tokens: int = 64
    stop: tuple[str, ...] = ("\n",)
    last: bool = False
    temperature: float = 0.0


LINE = Decoding()
ANSWER = Decoding(ANSWER_TOKENS, last=True)
THOUGHTS = Decoding(256, ("\n\n", "\n#"), last=True)
"""All thoughts, one a line, with the answer at their end."""


class Limited(Protocol):
    """What every such method has among its fields."""

    @property
    def parts(self) -> Parts:
        """See Parts."""
        ...

    @property
    def max_calls(self) -> int | None:
        """Prompts a question may put to the model."""
        ...

    @property
    def max_tokens(self) -> int | None:
        """Tokens a question may take."""
        ...


def check(name: str, method: Limited, *, least: int = 1, **counts: int) -> None:
    """Refuse to be made without a model, or with a count below the least.

    Raises:
        BadRequest: either.
    """
    if method.parts.model is None:
        raise BadRequest(
            f"{name} takes a language model: set --model (or HOPTRAIL_MODEL), or choose a method "
            "that does without, such as trace."
        )
    for field_name, count in counts.items():
        if count < least:
            raise BadRequest(f"{field_name} of {name} is at least {least}, not {count}.")


@dataclass
class Turns:
    """A question under way. A turn whose budget is spent says nothing, and a step tells so.

    Args:
        found: what was retrieved, with the best score, in the order of its first retrieval.
        shown: passages that prompts showed, in the order they were first shown.
    """

    parts: Parts
    name: str
    question: str
    within: Collection[str] | None
    model: Metered
    run: Run
    found: dict[Passage, float] = field(default_factory=dict)
    shown: dict[Passage, None] = field(default_factory=dict)
    spent: bool = False

    @classmethod
    def of(
        cls,
        name: str,
        method: Limited,
        question: str,
        within: Collection[str] | None,
        on_step: OnStep,
    ) -> "Turns":
        """Before the first turn; `check` has seen to it that there is a model."""
        assert method.parts.model is not None
        budget = Budget(method.max_calls, method.max_tokens)
        model = Metered(method.parts.model, budget, ANSWERING)
        return cls(method.parts, name, question, within, model, Run(model, on_step))

    def retrieve(self, query: str, limit: int) -> list[Passage]:
        """Passages for a query, best first; errors as in `Parts.retrieve`."""
        started = time.perf_counter()
        scored = self.parts.retrieve(query, limit, self.within)
        lines = "\n".join(f"{score:.3f} {passage.title}" for passage, score in scored)
        step = f"retrieve ({self.parts.retriever.name})"
        self.run.step(step, query, lines, [passage.id for passage, _ in scored], started)
        for passage, score in scored:
            self.found[passage] = max(score, self.found.get(passage, score))
        return [passage for passage, _ in scored]

    def search(self, said: str, limit: int) -> list[Passage]:
        """Passages for what the model said; none where it holds no word to look for."""
        return self.retrieve(said, limit) if words(said) else []

    def think(
        self, passages: Sequence[Passage], thoughts: Sequence[str], decoding: Decoding
    ) -> str:
        """The thoughts that come after these, one a line; "" once the budget is spent."""
        return self.say("shared/think", passages, decoding, thoughts="\n".join(thoughts))

    def read(self, passages: Sequence[Passage]) -> str:
        """The answer these passages give; "" when they do not tell."""
        return told(self.say("shared/read_passages", passages, ANSWER))

    def say(
        self,
        prompt: str,
        passages: Sequence[Passage] = (),
        decoding: Decoding = LINE,
        **gaps: str,
    ) -> str:
        """What the model says to a prompt; "" once the budget is spent. See `complete`."""
        said = self.complete(prompt, passages, decoding, **gaps)
        return said.text.strip() if said else ""

    def complete(
        self,
        prompt: str,
        passages: Sequence[Passage] = (),
        decoding: Decoding = LINE,
        **gaps: str,
    ) -> Completion | None:
        """What the model says and how likely it found it; None once the budget is spent.

        Args:
            prompt: its name, "react/turn"; `{question}`, `{passages}` and `{examples}` are filled.
            passages: shown as far as they fit, left out from the end.
            gaps: the prompt's others; no text in them opens a section.
        """
        said = self.sample(1, prompt, passages, decoding, **gaps)
        return said[0] if said else None

    def sample(
        self,
        count: int,
        prompt: str,
        passages: Sequence[Passage] = (),
        decoding: Decoding = LINE,
        **gaps: str,
    ) -> list[Completion]:
        """What the model says to the same prompt so often, or as often as the budget covers.

        Args:
            count: of samples; the others as for `complete`.
        """
        started = time.perf_counter()
        if decoding.last:
            self.model.reserved = Budget(0, 0)
        rendered = self._rendering(prompt, {name: plain(text) for name, text in gaps.items()})
        text, fitting = assemble(self.model, passages, rendered, decoding.tokens)
        read, heard = passages[:fitting], list[Completion]()
        try:
            for said in self.model.samples(
                text,
                count,
                stop=decoding.stop,
                max_tokens=decoding.tokens,
                temperature=decoding.temperature,
            ):
                heard.append(said)
                ids = [passage.id for passage in read]
                self.run.step(prompt.removeprefix("shared/"), text, said.text.strip(), ids, started)
                started = time.perf_counter()
        except BudgetSpent as spent:
            self.spent = True
            self.run.step("budget", "", f"{prompt} is not asked: {spent}.", (), started)
        self.shown |= dict.fromkeys(read if heard else ())
        return heard

    def _rendering(
        self, prompt: str, gaps: Mapping[str, str]
    ) -> Callable[[Sequence[Passage]], str]:
        template = self.parts.template(prompt)
        fixed = {"question": self.parts.asked(self.question), **gaps}

        def rendered(shown: Sequence[Passage], worked: str = "") -> str:
            evidence = passage_text(shown) or "none"
            return template.render(passages=evidence, examples=worked, **fixed)

        demonstrations = examples_within(
            self.model, template.demonstrations, lambda worked: rendered((), worked)
        )
        return lambda shown: rendered(shown, examples(demonstrations))

    def answered(self, text: str, candidates: Sequence[tuple[str, float]] = ()) -> Answer:
        """The answer, citing what the prompts showed; "" abstains."""
        text = self.parts.meant(text)
        return Answer(
            question=self.question,
            method=self.name,
            text=text,
            abstained=not text,
            candidates=tuple(candidates),
            passages=tuple(
                Citation(p.id, p.title, p.text, 0, self.found.get(p, 0.0), p.heading, p.page)
                for p in self.shown
            ),
            steps=tuple(self.run.steps),
            usage=self.run.usage,
            model=self.model.name,
            shown=tuple(passage.id for passage in self.shown),
        )


def concludes(thoughts: str) -> bool:
    """Whether "the answer is" stands in it."""
    return bool(_CONCLUSION.search(thoughts))


def conclusion(thoughts: str) -> str:
    """What follows "the answer is"; "" where nothing does, or where it is unknown."""
    found = _CONCLUSION.findall(thoughts)
    return told(found[-1].strip(" *").rstrip(".")) if found else ""


def assemble(
    model: Metered, evidence: Sequence[T], prompt: Callable[[Sequence[T]], str], tokens: int
) -> tuple[str, int]:
    """The prompt with as much evidence as fits, left out from its end, and how much that is.

    One piece stays, whatever its length: then it is the model or the budget that refuses.

    Args:
        prompt: renders the evidence that is shown.
        tokens: the completion's.
    """
    left, room = model.tokens_left, model.context_length - TEMPLATE
    room = room if left is None else min(room, left)
    count = len(evidence)
    text = prompt(evidence)
    while count > 1 and model.count_tokens(text) + tokens > room:
        count -= max(1, count // 10)
        text = prompt(evidence[:count])
    return text, count


def examples_within(
    model: LanguageModel,
    demonstrations: Sequence[Demonstration],
    prompt: Callable[[str], str],
) -> Sequence[Demonstration]:
    """Demonstrations, the first ones left out while they and the rest take half of the context.

    Args:
        prompt: renders them, as `showing.examples` puts them, with all that has to be shown.
    """
    while demonstrations:
        if model.count_tokens(prompt(examples(demonstrations))) <= model.context_length // 2:
            break
        demonstrations = demonstrations[1:]
    return demonstrations


def told(answer: str) -> str:
    """The answer, "" where it says that the evidence does not tell."""
    return "" if answer.strip().rstrip(".").casefold() == UNKNOWN else answer.strip()
