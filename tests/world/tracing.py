"""Exploring what is known of a question, completing it from passages, telling triples in words."""

from collections.abc import Callable

from .joining import UNKNOWN, Judge, concluded, follow, same
from .prompted import Prompt
from .wording import LABELS, as_thought, as_triple, triples
from .world import Fact


def explore(prompt: Prompt, judge: Judge) -> str:
    """Enough to answer, or every fact that is needed next."""
    query, facts = prompt.query(), prompt.facts
    ways = [follow(facts, name, path, judge) for name, path in query.branches] if query else []
    needed = dict.fromkeys(way.needed for way in ways if way.needed)
    if needed:
        lines = (f"- {name}: {LABELS[relation][0]}" for name, relation in needed)
        return "\n".join(["Sufficient: no", "Guidance:", *lines])
    known = dict.fromkeys(as_thought(fact) for way in ways for fact in way.by)
    end = concluded(query, facts, judge) if query else UNKNOWN
    return f"Sufficient: yes\nThought: {' '.join(known) or 'none'}\nAnswer: {end}"


def complete(prompt: Prompt, judge: Judge) -> str:
    """What passages state of the entity; it errs by leaving it out, or by taking another's for it.

    With what says that it is known under another name.
    """
    entity, _, guidance = prompt.section("Entity").rpartition(": ")
    facts = prompt.facts
    told = [_taken(fact, entity, facts, judge) for fact in facts if _guided(fact, guidance)]
    found = [fact for fact in told if fact]
    heads = {fact.head for fact in found} - {entity}
    naming = [f for f in facts if f.relation == "alias" and f.head in heads and f.tail == entity]
    return "\n".join(map(as_triple, [*naming, *found])) or "none"


def _guided(fact: Fact, guidance: str) -> bool:
    return guidance in LABELS[fact.relation]


def _taken(fact: Fact, entity: str, facts: list[Fact], judge: Judge) -> Fact | None:
    about, errs = same(fact.head, entity, facts), judge.errs("complete", entity, fact)
    if about == errs:
        return None
    return fact if about else fact._replace(head=entity)


def tell(prompt: Prompt, judge: Judge) -> str:
    """Each triple as a sentence."""
    return "\n".join(map(as_thought, triples(prompt.section("Triples"))))


# -- that says more than is needed, though nothing that is wrong
_KIND = {
    **dict.fromkeys(("author", "setting", "year"), "genre"),
    **dict.fromkeys(("birthplace", "birth_year", "teacher", "spouse"), "occupation"),
    **dict.fromkeys(("river", "founder", "region"), "founded"),
    "mouth": "length",
}
"""What leads nowhere, of the same thing, by what is asked about it."""
_OF_LABEL = {labels[0]: relation for relation, labels in LABELS.items()}


def wordy(pairs: bool, also: bool) -> dict[str, Callable[[Prompt, Judge], str]]:
    """Handlers that add to each pair one that nothing needs, to each triple one that is true.

    Args:
        pairs: the first.
        also: the second.
    """

    def more_pairs(prompt: Prompt, judge: Judge) -> str:
        told = explore(prompt, judge)
        asked = [line[2:].rpartition(": ") for line in told.splitlines() if line.startswith("- ")]
        more = (f"- {e}: {LABELS[_KIND[_OF_LABEL[guidance]]][0]}" for e, _, guidance in asked)
        return "\n".join([told, *(more if pairs else ())])

    def more_triples(prompt: Prompt, judge: Judge) -> str:
        told = complete(prompt, judge)
        guidance = prompt.section("Entity").rpartition(": ")[2]
        beside = _KIND.get(_OF_LABEL[guidance])
        heads = {fact.head for fact in triples(told) if fact.relation != "alias"}
        more = [f for f in prompt.facts if f.head in heads and f.relation == beside]
        return "\n".join([told, *(map(as_triple, more) if also else ())])

    return {"Decide whether known triples": more_pairs, "Pick out of passages": more_triples}
