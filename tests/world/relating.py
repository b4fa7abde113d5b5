"""What passages are about, which relations they tell, what follows from these, and how surely."""

import re

from .joining import Judge
from .prompted import Prompt, read
from .wording import as_triple, triples
from .world import Fact, bare


def things(prompt: Prompt, judge: Judge) -> str:
    """Heads and tails of what the passages state, one a line."""
    names = dict.fromkeys(name for fact in prompt.facts for name in (fact.head, fact.tail))
    return "\n".join(names) or "none"


def relate(prompt: Prompt, judge: Judge) -> str:
    """Relations whose head was named; it errs by leaving one out."""
    named = set(prompt.section("Things").splitlines())
    told = [f for f in prompt.facts if f.head in named and not judge.errs("relate", f)]
    return "\n".join(map(as_triple, told)) or "none"


def infer(prompt: Prompt, judge: Judge) -> str:
    """What is said under another name."""
    return "\n".join(map(as_triple, _following(triples(prompt.section("Triples"))))) or "none"


def score(prompt: Prompt, judge: Judge) -> str:
    """10 for what the passages tell or what follows from them, else 0."""
    told = read(prompt.section("Passages"), prompt.language)
    sure = {*told, *_following(told)}
    lines = re.findall(r"^(\d+)\. (.+)$", prompt.section("Relations"), flags=re.M)
    return "\n".join(f"{n}: {10 * (set(triples(line)) <= sure)}" for n, line in lines)


def _following(told: list[Fact]) -> list[Fact]:
    """Relations to whom an alias means."""
    meant = {fact.tail: fact.head for fact in told if fact.relation == "alias"}
    found = [f._replace(tail=meant[bare(f.tail)]) for f in told if bare(f.tail) in meant]
    return [fact for fact in found if fact.relation != "alias" and fact not in told]
