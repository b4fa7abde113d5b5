"""Thinking aloud: the facts on the way to an answer, one a line, as far as prompts tell them."""

import re

from .joining import UNKNOWN, Judge, concluded, follow, same
from .language import Language
from .phrasing import understood
from .prompted import Doubtful, Prompt, read
from .wording import LABELS, as_thought, meant, thought
from .world import Fact

NEED = "I need to know the {} of {}."
CRITIQUE = "Critique: {}"
_NEEDED = re.compile(NEED.format("(.+?)", "(.+)"))
_WORD = {True: "yes", False: "no"}


def think(prompt: Prompt, judge: Judge) -> str:
    """What is not thought yet, then the answer; a guess where facts are missing."""
    known, missing = considered(prompt, judge)
    before = prompt.section("Thoughts").splitlines()
    query = prompt.query()
    end = concluded(query, prompt.facts, judge) if query else UNKNOWN
    lines = [*known, *([missing] if missing else []), f"So the answer is: {end}"]
    told = "\n".join(line for line in lines if line not in before)
    new = any(line not in before for line in known)
    return Doubtful(told) if missing and not new else told


def considered(prompt: Prompt, judge: Judge) -> tuple[list[str], str]:
    """Thoughts that lead on from the question, and the first that is needed; "" for none."""
    query = prompt.query()
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
    facts = [fact for pair in asked for fact in answered(*pair, prompt.language)]
    query = prompt.query()
    ways = [follow(facts, name, path, judge) for name, path in query.branches] if query else []
    for name, relation in (way.needed for way in ways if way.needed):
        question = prompt.questions(relation, name)[0]
        if question not in dict(asked):
            return f"Follow up: {question}"
    return f"So the final answer is: {concluded(query, facts, judge) if query else UNKNOWN}"


def act(prompt: Prompt, judge: Judge) -> str:
    """It searches for what is needed, once; what is not found then is unknown."""
    known, missing = considered(prompt, judge)
    query = prompt.query()
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
    query = prompt.query()
    facts = [*prompt.facts, *told_by(prompt)]
    ways = [follow(facts, n, path, judge) for n, path in query.branches] if query else []
    for name, relation in (way.needed for way in ways if way.needed):
        for question in prompt.questions(relation, name):
            if question not in dict(prompt.answered):
                return question
    return "none"


def answer_next(prompt: Prompt, judge: Judge) -> str:
    """A sentence that names what was asked about and the answer."""
    asked = prompt.section("Sub-question") or prompt.section("Verifying question")
    query = understood(asked, prompt.language)
    end = concluded(query, prompt.facts, judge) if query else UNKNOWN
    if query is None or end == UNKNOWN:
        return UNKNOWN
    [(name, [relation])] = query.branches
    return as_thought(Fact(name, relation, end))


def verify(prompt: Prompt, judge: Judge) -> str:
    """The question that a thought answers, or that it says is to be answered."""
    sentence = prompt.section("Sentence")
    about = [(fact.head, fact.relation) for fact in thought(sentence)] + needed_by(sentence)
    forms = [form for name, relation in about for form in prompt.questions(relation, name)]
    return forms[0] if forms else "none"


def needed_by(sentence: str) -> list[tuple[str, str]]:
    """What "I need to know …" needs: a name and a relation; none for other sentences."""
    said = _NEEDED.fullmatch(sentence)
    return [(said[2], of) for of, labels in LABELS.items() if labels[0] == said[1]] if said else []


def order(prompt: Prompt, judge: Judge) -> str:
    """Pages that state what is on the way, in its order, then those about what it leads through."""
    parts = re.split(r"^\[(\d+)\] ", prompt.section("Candidates"), flags=re.M)
    each = zip(parts[1::2], parts[2::2], strict=True)
    pages = {n: read(f"[{n}] {text}", prompt.language) for n, text in each}
    asked = prompt.section("Question")
    query = understood(asked, prompt.language)
    branches = query.branches if query else [(n, (of,)) for n, of in needed_by(asked)]
    facts = [fact for page in pages.values() for fact in page]
    ways = [follow(facts, name, path, judge) for name, path in branches]
    by = [fact for way in ways for fact in way.by]
    names = {name for name, _ in branches} | {fact.tail for fact in by}

    def place(number: str) -> tuple[int, bool, int]:
        page = pages[number]
        about = any(same(fact.head, name, facts) for fact in page for name in names)
        on_the_way = min((by.index(fact) for fact in page if fact in by), default=len(by))
        return on_the_way, not about, int(number)

    ranked = sorted(pages, key=place)
    return " > ".join(f"[{n}]" for n in ranked)


def criticise(prompt: Prompt, judge: Judge) -> str:
    """What is known, what is missing, then whether that is enough."""
    known, missing = considered(prompt, judge)
    return "\n".join(
        [*known, missing or "Nothing is missing.", CRITIQUE.format(_WORD[not missing])]
    )


def told_by(prompt: Prompt) -> list[Fact]:
    """The facts of sub-questions whose answers are names, not sentences."""
    short = ((a, said) for a, said in prompt.answered if not thought(f"{said.removesuffix('.')}."))
    facts = (fact for pair in short for fact in answered(*pair, prompt.language))
    return [fact._replace(tail=meant(fact.tail)) for fact in facts]


def answered(question: str, answer: str, language: Language) -> list[Fact]:
    """The fact that a question for one relation and its answer tell; none for "unknown"."""
    query = understood(question, language)
    if query is None or answer == UNKNOWN:
        return []
    [(name, [relation])] = query.branches
    return [Fact(name, relation, answer)]
