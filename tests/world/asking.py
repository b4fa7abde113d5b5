"""Questions as triples with variables, and the sub-questions that bind these (GE-Reasoning)."""

import re

from .joining import UNKNOWN, Judge, concluded, follow, same
from .prompted import Doubtful, Prompt
from .thinking import told_by
from .wording import LABELS, as_triple, spoken

_TYPES = {
    **dict.fromkeys(("author", "teacher", "spouse", "founder"), "person"),
    **dict.fromkeys(("birthplace", "setting", "region", "river", "mouth"), "place"),
    **dict.fromkeys(("birth_year", "founded", "year"), "date"),
}
_OF_LABEL = {labels[0]: relation for relation, labels in LABELS.items()}
_OPEN = re.compile(r"⟨([^;]+); ([^;]+); (?:\w+: )?#\d+⟩")


def write_graph(prompt: Prompt, judge: Judge) -> str:
    """Each relation of the question as a triple; ways that end in the same end in one variable."""
    query = prompt.query()
    lines, number = list[str](), 0
    for name, path in query.branches if query else ():
        end = name
        for relation in path:
            number += 1
            shared = query.verdict == "shared" and relation == path[-1]
            kind = _TYPES.get(relation, "name")
            variable = f"{kind}: #{99 if shared else number}"
            lines.append(f"⟨{end}; {LABELS[relation][0]}; {variable}⟩")
            end = variable
    told = "\n".join(lines) or "none"
    return told if "person: #" in prompt.text else re.sub(r"\w+: #", "#", told)


def ask(prompt: Prompt, judge: Judge) -> str:
    """The question for the end of a triple; none where it is the other end that is open."""
    found = _OPEN.fullmatch(prompt.section("Triple"))
    if found is None or found[2] not in _OF_LABEL:
        return f"What is meant by {prompt.section('Triple')}?"
    return prompt.questions(_OF_LABEL[found[2]], found[1])[0]


def answer_one(prompt: Prompt, judge: Judge) -> str:
    """The end of the sub-question's relation; less sure where several facts seem to fit."""
    query = prompt.query("Sub-question")
    if query is None:
        return Doubtful(UNKNOWN)
    facts = [*prompt.facts, *told_by(prompt)]
    [(name, [relation])] = query.branches
    ends = {
        fact.tail
        for fact in facts
        if fact.relation == relation
        and same(fact.head, name, facts) != judge.errs("follow", 0, fact)
    }
    end = spoken(follow(facts, name, [relation], judge).end) or UNKNOWN
    return end if len(ends) == 1 else Doubtful(end)


def keep(prompt: Prompt, judge: Judge) -> str:
    """The fact that answers, and what says that its thing is called so; it errs on each."""
    query, facts = prompt.query("Sub-question"), prompt.facts
    if query is None:
        return "none"
    [(name, [relation])] = query.branches
    found = [
        fact
        for fact in facts
        if fact.relation == relation and same(fact.head, name, facts) != judge.errs("keep", fact)
    ]
    naming = [f for f in facts if f.relation == "alias" and name in (f.head, f.tail)]
    return "\n".join(map(as_triple, [*naming, *found])) or "none"


def conclude(prompt: Prompt, judge: Judge) -> str:
    """What the answers to the sub-questions come to."""
    query = prompt.query()
    end = concluded(query, told_by(prompt), Judge()) if query else UNKNOWN
    return f"So the answer is: {end}"
