"""Relations that a question asks for in words, as chains name them, and as one question each."""

import re

from ....kg.text.words import STOP
from ...reader.rules.relations import BY_NAME, KINSHIP, RELATIONS, Relation

_LABELS = {
    "founder": "founded by",
    "birthplace": "place of birth",
    "birth date": "date of birth",
    "death date": "date of death",
    "burial": "place of burial",
    "nationality": "country of citizenship",
    "year": "publication date",
    "school": "educated at",
    "award": "award received",
}
"""What Wikidata calls a relation that the reader calls otherwise."""
_OF_LABEL = {_LABELS.get(name, name): relation for name, relation in BY_NAME.items()}
_QUESTIONS = {
    "director": "Who is the director of {}?",
    "performer": "Who is the performer of {}?",
    "composer": "Who is the composer of {}?",
    "author": "Who is the author of {}?",
    "producer": "Who produced {}?",
    "founded by": "Who founded {}?",
    "father": "Who is the father of {}?",
    "mother": "Who is the mother of {}?",
    "spouse": "Who is the spouse of {}?",
    "child": "Who is the child of {}?",
    "sibling": "Who is the sibling of {}?",
    "place of birth": "Where was {} born?",
    "place of death": "Where did {} die?",
    "date of birth": "When was {} born?",
    "date of death": "When did {} die?",
    "place of burial": "Where was {} buried?",
    "country of citizenship": "What nationality is {}?",
    "country": "What is the country of {}?",
    "publication date": "When was {} released?",
    "educated at": "Where did {} study?",
    "award received": "Which award did {} receive?",
    "employer": "Where did {} work?",
    "cause of death": "What is the cause of death of {}?",
}
_EXTRA = frozenset("both two name named year years which what".split())


def called(phrase: str) -> tuple[str, ...]:
    """Give the relations that words mean, from the inside out: two for "paternal grandfather".

    Args:
        phrase: of a question: "director", "where born", "date of death".

    Returns:
        Nothing where words are left that no relation accounts for.
    """
    said = " ".join(phrase.lower().replace("’", "'").split())
    if said in KINSHIP:
        return tuple(_label(BY_NAME[name]) for name in KINSHIP[said])
    for relation in RELATIONS:
        if re.search(relation.asked, said) and not _left(said, relation):
            return (_label(relation),)
    return ()


def wording(label: str) -> Relation | None:
    """Give how triples state a relation that a chain names; None where the reader does not know."""
    found = _OF_LABEL.get(label.lower())
    if found is None and (named := called(label)) and len(named) == 1:
        found = _OF_LABEL[named[0]]
    return found


def question_of(label: str) -> str:
    """Ask for a relation, "{}" where the known end stands."""
    return _QUESTIONS.get(label, f"What is the {label} of {{}}?")


def _label(relation: Relation) -> str:
    return _LABELS.get(relation.name, relation.name)


def _left(said: str, relation: Relation) -> list[str]:
    rest = re.sub(relation.accounts_for, " ", said)
    return [w for w in re.findall(r"[^\W_]{2,}", rest) if w not in STOP and w not in _EXTRA]
