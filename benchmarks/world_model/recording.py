"""What Hoptrail asks a language model in training worlds, and what the symbolic reader says."""

import functools
import math
import random
import re
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from naming import fresh
from support.fakes import WordEncoder
from templates import TRAINING
from world import (
    KINDS,
    LANGUAGE,
    Language,
    Names,
    Question,
    SymbolicReader,
    World,
    fill,
    pages,
    questions,
)
from world.wording import LABELS

from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.models.language import GREEDY, Completion, Decoding, OptionScores
from hoptrail.models.parser import Pipeline
from hoptrail.reasoning import methods
from hoptrail.reasoning.retrieval import retriever
from hoptrail.reasoning.session.parts import Parts

SPECS = {
    "trace": "trace:demonstrations=0",
    "self_consistency": "self_consistency:samples=1",
    "dsp": "dsp:queries=1:samples=1",
    "verify_and_edit": "verify_and_edit:samples=2",
    "semi_structured": "semi_structured:samples=1",
}
"""Methods as they are recorded; samples of one prompt are all the same."""


DECOMPOSING = ("self_ask", "react", "trace", "knowtrace", "semi_structured", "ge_reasoning")
"""Methods whose prompts take questions apart, which is learned from many questions."""


class Record(NamedTuple):
    """A prompt with its reply, or with the probabilities of its option letters.

    Args:
        task: the prompt's first line.
        said: the replies with their shares, which sum to one.
    """

    task: str
    prompt: str
    said: tuple[tuple[str, float], ...]


@dataclass
class Recorder(SymbolicReader):
    """The symbolic reader, which errs where `noise` says so; what is recorded never errs."""

    records: dict[str, Record] = field(default_factory=dict)

    def generate(self, prompts: Sequence[str], decoding: Decoding = GREEDY) -> list[Completion]:
        """Record what is said without error, and say what this reader says."""
        for prompt in prompts:
            if prompt not in self.records:
                [right] = CLEAN.generate([prompt], replace(decoding, max_tokens=2048, seed=0))
                self._record(prompt, ((settled(right.text, prompt), 1.0),))
        return super().generate(prompts, decoding)

    def choose(self, prefix: str, tails: Sequence[str], options: Sequence[str]) -> OptionScores:
        """Record the shares of a choice without error, and choose as this reader does."""
        for tail in tails:
            if prefix + tail not in self.records:
                [row] = CLEAN.choose(prefix, [tail], options).log_probabilities
                shares = [math.exp(logit) for logit in row]
                self._record(prefix + tail, tuple(zip(options, shares, strict=True)))
        return super().choose(prefix, tails, options)

    def _record(self, prompt: str, said: tuple[tuple[str, float], ...]) -> None:
        self.records[prompt] = Record(task_of(prompt), prompt, said)


BOTH = TRAINING.also(LANGUAGE)
"""It reads what test worlds are put in, too, and asks itself as in training worlds."""
CLEAN = SymbolicReader(context_length=10**6, language=BOTH)
_SECOND = {labels[1]: labels[0] for labels in LABELS.values()}
_TRIPLE = re.compile(r"⟨([^;⟩]+); ([^;⟩]+); ([^⟩]+)⟩")


def task_of(prompt: str) -> str:
    """The first line of a prompt."""
    return prompt.partition("\n")[0]


def settled(said: str, prompt: str) -> str:
    """A reply whose new triples word relations in the first way: the reader's choice is by lot."""

    def first(found: re.Match[str]) -> str:
        if found[0] in prompt:
            return found[0]
        return f"⟨{found[1]}; {_SECOND.get(found[2], found[2])}; {found[3]}⟩"

    return _TRIPLE.sub(first, said)


@functools.cache
def _pipeline() -> Pipeline:
    return Pipeline()


def called(seed: int) -> Names:
    """What the training world of this seed calls its things."""
    return fresh(_drawing(seed))


def _drawing(seed: int) -> random.Random:
    return random.Random(f"training {seed}")


def records(
    seed: int, language: Language = TRAINING, count: int = 10, more: int = 24
) -> list[Record]:
    """What is asked in the training world of this seed.

    Args:
        language: that the world is put in.
        count: questions for all methods.
        more: questions after these for the methods that take them apart.
    """
    draw = _drawing(seed)
    small = {"people": 30, "towns": 22, "works": 30, "rivers": 12}
    world = World.made(seed=seed, **small, names=fresh(draw))
    encoder, reader = (
        WordEncoder(128),
        Recorder(draw.choice([0.0, 0.02, 0.06]), seed, language=BOTH),
    )
    kinds = draw.sample([*KINDS, "intersection"], len(KINDS) + 1)
    with tempfile.TemporaryDirectory() as folder, SqliteStore(Path(folder) / "w.db") as store:
        fill(store, pages(world, seed, 8, language), encoder, reader, demonstrations=0)
        found = retriever("hop", store, encoder)
        parts = Parts(store, encoder, _pipeline(), found, model=reader)
        for number, question in enumerate(questions(world, count + more, seed, kinds, language)):
            asked = methods.METHODS if number < count else DECOMPOSING
            _ask_all(asked, parts, question, draw)
    return list(reader.records.values())


def _ask_all(names: Iterable[str], parts: Parts, question: Question, draw: random.Random) -> None:
    own = parts.graph.passages_of([f"world: {title}" for title in question.paragraphs])
    for name in names:
        within = own if draw.random() < 0.7 else None
        methods.answer(SPECS.get(name, name), parts, question.text, within=within)
