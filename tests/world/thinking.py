"""Thinking aloud: the facts on the way to an answer, one a line, as far as prompts tell them."""

import re

from .joining import UNKNOWN, Judge, concluded, follow
from .phrasing import ASKED, understood
from .prompted import Doubtful, Prompt
from .wording import LABELS, as_thought, meant, spoken, thought
from .world import Fact

NEED = "I need to know the {} of {}."
CRITIQUE = "Critique: {}"
_WORD = {True: "yes", False: "no"}


def think(prompt: Prompt, judge: Judge) -> str:
    """What is not thought yet, then the answer; a guess where facts are missing."""
    known, missing = considered(prompt, judge)
    before = prompt.section("Thoughts").splitlines()
    query = understood(prompt.section("Question"))
    end = concluded(query, prompt.facts, judge) if query else UNKNOWN
    lines = [*known, *([missing] if missing else []), f"So the answer is: {end}"]
    told = "\n".join(line for line in lines if line not in before)
    new = any(line not in before for line in known)
    return Doubtful(told) if missing and not new else told


def considered(prompt: Prompt, judge: Judge) -> tuple[list[str], str]:
    """Thoughts that lead on from the question, and the first that is needed; "" for none."""
    query = understood(prompt.section("Question"))
    facts = prompt.facts
    ways = [follow(facts, name, path, judge) for name, path in query.branches] if query else []
    known = list(dict.fromkeys(as_thought(fact) for way in ways for fact in way.by))
    needed = [way.needed for way in ways if way.needed]
    missing = NEED.format(LABELS[needed[0][1]][0], needed[0][0]) if needed else ""
    return known, missing


def ask_on(prompt: Prompt, judge: Judge) -> str:
    """The question for the fact needed next, unless it was asked; it relies on the answers."""
    lines = prompt.section("Follow-up questions")
    asked = re.findall(r"^Follow up: (.+)\nIntermediate answer: (.+)$", lines, flags=re.M)
    facts = [fact for pair in asked for fact in answered(*pair)]
    query = understood(prompt.section("Question"))
    ways = [follow(facts, name, path, judge) for name, path in query.branches] if query else []
    for name, relation in (way.needed for way in ways if way.needed):
        question = ASKED[relation][0].format(spoken(name))
        if question not in dict(asked):
            return f"Follow up: {question}"
    return f"So the final answer is: {concluded(query, facts, judge) if query else UNKNOWN}"


def act(prompt: Prompt, judge: Judge) -> str:
    """It searches for what is needed, once; what is not found then is unknown."""
    known, missing = considered(prompt, judge)
    query = understood(prompt.section("Question"))
    action = f"finish[{concluded(query, prompt.facts, judge) if query else UNKNOWN}]"
    if missing:
        search = f"search[{missing.removeprefix('I need to know ').rstrip('.')}]"
        action = f"finish[{UNKNOWN}]" if search in prompt.section("Turns so far") else search
    return f"Thought: {missing or known[-1]}\nAction: {action}"


def need(prompt: Prompt, judge: Judge) -> str:
    """The fact that is missing, or that nothing is."""
    return considered(prompt, judge)[1] or "nothing"


def ask_next(prompt: Prompt, judge: Judge) -> str:
    """The sub-question for the fact needed next, or for another where that was asked in vain."""
    query = understood(prompt.section("Question"))
    facts = [*prompt.facts, *told_by(prompt)]
    ways = [follow(facts, n, path, judge) for n, path in query.branches] if query else []
    for name, relation in (way.needed for way in ways if way.needed):
        for form in ASKED[relation]:
            if (question := form.format(spoken(name))) not in dict(prompt.answered):
                return question
    return "none"


def answer_next(prompt: Prompt, judge: Judge) -> str:
    """A sentence that names what was asked about and the answer."""
    query = understood(prompt.section("Sub-question"))
    end = concluded(query, prompt.facts, judge) if query else UNKNOWN
    if query is None or end == UNKNOWN:
        return UNKNOWN
    [(name, [relation])] = query.branches
    return as_thought(Fact(name, relation, end))


def criticise(prompt: Prompt, judge: Judge) -> str:
    """What is known, what is missing, then whether that is enough."""
    known, missing = considered(prompt, judge)
    return "\n".join(
        [*known, missing or "Nothing is missing.", CRITIQUE.format(_WORD[not missing])]
    )


def told_by(prompt: Prompt) -> list[Fact]:
    """The facts of sub-questions whose answers are names, not sentences."""
    short = ((asked, said) for asked, said in prompt.answered if not thought(said))
    return [fact._replace(tail=meant(fact.tail)) for pair in short for fact in answered(*pair)]


def answered(question: str, answer: str) -> list[Fact]:
    """The fact that a question for one relation and its answer tell; none for "unknown"."""
    query = understood(question)
    if query is None or answer == UNKNOWN:
        return []
    [(name, [relation])] = query.branches
    return [Fact(name, relation, answer)]
