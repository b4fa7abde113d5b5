"""A symbolic reader that plays the language model honestly: it knows only what the prompt states.

It reads passages and triples by their wording, understands questions by theirs, and joins facts as
a careful reader would. A method that shows it the wrong evidence gets a wrong answer or "unknown".
The first line of a prompt tells it the task; a new method adds a handler for each of its own.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from hoptrail.kg.errors import BadRequest
from hoptrail.models.language import GREEDY, Completion, Decoding, OptionScores, Token

from .asking import answer_one, ask, conclude, keep, write_graph
from .chaining import ask_single, chain, fill
from .joining import UNKNOWN, Judge, concluded, follow, same
from .language import LANGUAGE, Language
from .personas import Persona
from .prompted import Doubtful, Prompt
from .relating import infer, relate, score, things
from .thinking import (
    act,
    answer_next,
    ask_next,
    ask_on,
    criticise,
    need,
    order,
    think,
    verify,
)
from .tracing import complete, explore, tell
from .wording import as_triple, triples
from .world import Fact

TOKEN = re.compile(r"\w+|[^\w\s]")
SPELT = re.compile(r"\s*(?:\w+|[^\w\s])|\s+$")
FITTING, ALIAS, RELATED, ALIKE = 5.0, 4.0, 1.0, 0.5
"""Logits of options: the fact needed next, another name of what it is about, the same thing's other
facts, other things' same fact."""
DOUBT = 0.5
"""Probability of a token of what it says without knowing."""


# -- handlers


def answer(prompt: Prompt, judge: Judge) -> str:
    """Reading: from passages, triples or both."""
    query = prompt.query()
    return concluded(query, prompt.facts, judge) if query else UNKNOWN


def extract(prompt: Prompt, judge: Judge) -> str:
    """The triples of a passage, one a line; it errs by leaving one out."""
    told = [fact for fact in prompt.facts if not judge.errs("extract", fact)]
    return "\n".join(as_triple(fact) for fact in told) or "none"


def choose(prompt: Prompt, options: Sequence[str], judge: Judge) -> list[float]:
    """Logits of option letters, for the next triple of a chain."""
    query = prompt.query()
    chain = triples(prompt.section("Chosen triples"))
    ends = [follow(chain, name, path, Judge()) for name, path in query.branches] if query else []
    needed = [end.needed for end in ends if end.needed]
    lines = dict(re.findall(r"^(\w+)\. (.*)$", prompt.section("Candidates"), flags=re.M))
    offered = {letter: fact for letter, line in lines.items() for fact in triples(line)}
    logits = {
        letter: max((_worth(fact, *need, chain, judge) for need in needed), default=0.0)
        for letter, fact in offered.items()
    }
    done = bool(ends) and not needed
    stops = "A" in lines and "A" not in offered
    if stops:
        logits["A"] = FITTING if done != judge.errs("stop", len(chain)) else ALIKE
    return [logits.get(letter, 0.0) for letter in options]


def _worth(fact: Fact, name: str, relation: str, chain: Sequence[Fact], judge: Judge) -> float:
    about = same(fact.head, name, chain)
    alike = fact.relation == relation
    if (alike or about) and (alike and about) != judge.errs("choose", name, fact):
        return FITTING
    if fact.relation == "alias" and fact not in chain and name in (fact.head, fact.tail):
        return ALIAS
    return RELATED if about else ALIKE if alike else 0.0


SAYS: Mapping[str, Callable[[Prompt, Judge], str]] = {
    "Answer the question": answer,
    "List what the passage states": extract,
    "Think step by step": think,
    "Ask follow-up questions": ask_on,
    "Ask the next sub-question": ask_next,
    "Answer a sub-question": answer_next,
    "Judge whether what was found": criticise,
    "Take turns of a thought and an action": act,
    "Say which evidence a question still needs": need,
    "Say what to search for next": need,
    "Put a sentence as the question": verify,
    "Answer a verifying question": answer_next,
    "Draw the graph of a passage": extract,
    "Put passages in order": order,
    "Name the people, places": things,
    "State the relations": relate,
    "Infer relations": infer,
    "Score how surely": score,
    "Decide whether known triples": explore,
    "Pick out of passages": complete,
    "Put triples into plain sentences": tell,
    "Write a question as a chain": chain,
    "Turn a triple into a question": ask_single,
    "Put what is known in the place of masks": fill,
    "Write a question as triples": write_graph,
    "Put a triple with a variable": ask,
    "Tell the answer of one sub-question": answer_one,
    "Keep the triples that help": keep,
    "Conclude the answer of a question": conclude,
}
CHOOSES: Mapping[str, Callable[[Prompt, Sequence[str], Judge], list[float]]] = {
    "Choose the next triple": choose,
}
"""Handlers by how the task's line begins."""


@dataclass
class SymbolicReader:
    """A LanguageModel over the handlers.

    Args:
        noise: share of facts looked at that it misjudges, 0 to 1: one that fits seems not to, one
            about something else seems to. More facts in view are more chances to err.
        seed: which ones.
        persona: how it puts what it says; what is held to a form it says plainly.
        language: that it reads and speaks.
        held: whether forms hold it; False as on a server that takes none.
        says: handlers of `generate`.
        chooses: handlers of `choose`.
        prompts: what it was asked, in order.
    """

    noise: float = 0.0
    seed: int = 0
    persona: Persona = str
    language: Language = LANGUAGE
    held: bool = True
    context_length: int = 8192
    says: Mapping[str, Callable[[Prompt, Judge], str]] = field(default_factory=lambda: SAYS)
    chooses: Mapping[str, Callable[[Prompt, Sequence[str], Judge], list[float]]] = field(
        default_factory=lambda: CHOOSES
    )
    prompts: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return "symbolic reader"

    @property
    def fingerprint(self) -> str:
        return f"symbolic noise={self.noise} seed={self.seed}"

    def count_tokens(self, text: str) -> int:
        return len(TOKEN.findall(text))

    def generate(self, prompts: Sequence[str], decoding: Decoding = GREEDY) -> list[Completion]:
        return [self._say(prompt, decoding) for prompt in prompts]

    def _say(self, text: str, decoding: Decoding) -> Completion:
        form, most = decoding.form if self.held else None, decoding.max_tokens
        tokens_in = self.count_tokens(text)
        self._admit(text, tokens_in, most)
        prompt = Prompt(text, self.language)
        told = self.says[_known(self.says, prompt)](prompt, self._judge(prompt, decoding.seed))
        said = str(told) if form else self.persona(str(told))
        for end in decoding.stop:
            said = said.partition(end)[0]
        if form and not re.fullmatch(form.pattern, said):
            raise BadRequest(f"The reader's words do not have the form asked for: {said!r}")
        tokens = list(TOKEN.finditer(said))
        finish = "stop" if len(tokens) <= most else "length"
        if finish == "length":
            said = said[: tokens[most].start()]
        out = min(len(tokens), most)
        sure = DOUBT if isinstance(told, Doubtful) else 1 - self.noise / 2
        log = float(np.log(sure))
        spelt = tuple(Token(one, log) for one in SPELT.findall(said))
        return Completion(said, out * log, finish, tokens_in, out, tokens=spelt)

    def choose(self, prefix: str, tails: Sequence[str], options: Sequence[str]) -> OptionScores:
        rows, shared, more = [], self.count_tokens(prefix), 0
        for tail in tails:
            prompt = Prompt(prefix + tail, self.language)
            own = self.count_tokens(tail)
            self._admit(prompt.text, shared + own, 1)
            handler = self.chooses[_known(self.chooses, prompt)]
            logits = np.array(handler(prompt, options, self._judge(prompt)))
            rows.append(logits - np.logaddexp.reduce(logits))
            more += own
        found = np.array(rows).reshape(len(tails), len(options))
        return OptionScores(found, tokens_in=shared + more)

    def _judge(self, prompt: Prompt, seed: int = 0) -> Judge:
        return Judge(self.noise, self.seed + seed, prompt.section("Question") or prompt.text)

    def close(self) -> None:
        pass

    def _admit(self, text: str, tokens: int, more: int) -> None:
        self.prompts.append(text)
        if tokens + more > self.context_length:
            raise BadRequest(
                f"The prompt has {tokens} tokens and {more} are to follow, but the context holds "
                f"{self.context_length}."
            )


def _known(handlers: Mapping[str, object], prompt: Prompt) -> str:
    for beginning in handlers:
        if prompt.task.startswith(beginning):
            return beginning
    raise BadRequest(f"The reader knows no task {prompt.task!r}; add a handler for it.")
