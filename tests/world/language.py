"""What documents and questions of a world are put in, and what its reader has to know of them."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, fields

Forms = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, eq=False)
class Language:
    """Templates to write a world with and to read it by: knowing them is not knowing the facts.

    Args:
        sentences: by kind of page, with a slot for what the page is about and one for each
            relation that is stated.
        standing_in: by kind, what stands for the page's own thing after its first sentence.
        openings: what may come before a sentence.
        asides: by kind, sentences that state none of the relations.
        lookalikes: titles and texts of pages that only look as if they helped.
        noun_phrases: by relation, what it leads to from a name.
        asked: by relation, questions for what it leads to; what a reader asks itself is the first.
        earlier: which of two was born first.
        same: whether two were born in one town.
        shared: in which town both were born.
        claim: what is to be verified.
    """

    sentences: Forms
    standing_in: Forms
    openings: tuple[str, ...]
    asides: Forms
    lookalikes: tuple[tuple[str, str], ...]
    noun_phrases: Forms
    asked: Forms
    earlier: tuple[str, ...]
    same: tuple[str, ...]
    shared: tuple[str, ...]
    claim: tuple[str, ...]

    def also(self, other: "Language") -> "Language":
        """What reads both, and asks itself in this one."""
        both = {of.name: (getattr(self, of.name), getattr(other, of.name)) for of in fields(self)}
        return Language(**{name: _together(*pair) for name, pair in both.items()})


def _together(one, other):
    if isinstance(one, tuple):
        return one + other
    return {name: one.get(name, ()) + other.get(name, ()) for name in {**one, **other}}


def one_of(forms: tuple[str, ...], draw: random.Random) -> str:
    """One of them; of one alone without a draw."""
    return forms[int(draw.random() * len(forms))] if len(forms) > 1 else forms[0]


LANGUAGE = Language(
    sentences={
        "person": (
            "{head} had the occupation of {occupation}.",
            "{head} worked as {occupation} for many years.",
            "{head} was born in {birthplace} in {birth_year}.",
            "Born in {birth_year}, {head} came from {birthplace}.",
            "{head} grew up in {birthplace}, the place of birth.",
            "The year of birth is given as {birth_year}.",
            "{head} learned the craft from {teacher}.",
            "{head} studied under {teacher} and married {spouse}.",
            "{teacher} was the teacher of {head}.",
            "{head} married {spouse}.",
            "Friends called {head} by another name, {alias}.",
            "{head} is better known as {alias}.",
        ),
        "work": (
            "{head} is the {genre} by {author}.",
            "{head} is the {genre} that {author} wrote in {year}.",
            "The genre of {head} is {genre}.",
            "{author} wrote {head}.",
            "{head} appeared in {year}.",
            "{head} is set in {setting}.",
            "The story of {head} takes place in {setting}.",
        ),
        "town": (
            "{head} lies in the region of {region}.",
            "{head} belongs to the region of {region}.",
            "{head} lies on the river {river}.",
            "The river {river} crosses {head}.",
            "{head} was founded by {founder} in {founded}.",
            "{founder} founded {head}.",
            "Records of {head} begin in {founded}.",
        ),
        "river": (
            "{head} is a river that rises on {source}.",
            "{head} has its source on {source}.",
            "{head} flows into {mouth}.",
            "After {length} kilometres {head} ends in {mouth}.",
            "{head} is {length} kilometres long.",
        ),
    },
    standing_in={
        "person": ("This person",),
        "work": ("It",),
        "town": ("The town",),
        "river": ("It",),
    },
    openings=(),
    asides={
        "person": (
            "Letters to {person} survive in a private collection.",
            "Critics liked to compare {head} with {person}.",
            "A street in {town} bears the name of {head}.",
            "Little is known of the last years of {head}.",
            "{head} often travelled to {town}.",
        ),
        "work": (
            "Reviewers in {town} were divided.",
            "It is often shown together with {work}.",
            "{person} owned the first copy.",
            "A second edition followed.",
        ),
        "town": (
            "{person} spent a summer here.",
            "A road leads from here to {town}.",
            "The market square was paved twice.",
            "{work} was once performed in the town hall.",
        ),
        "river": (
            "Anglers from {town} value its trout.",
            "{person} painted its banks.",
            "In dry summers it can be waded.",
        ),
    },
    lookalikes=(
        ("{work} (ferry)", "{work} is a ferry. It sails from {town} to {other} every morning."),
        ("{person} Prize", "The {person} Prize is awarded in {town} every year. {someone} won it."),
        ("{town} Festival", "The {town} Festival shows films. {work} opened it one year."),
        ("{river} Museum", "The {river} Museum stands in {town}. It explains how rivers are born."),
        ("{person} Society", "The {person} Society meets in {town}. It was founded by admirers."),
    ),
    noun_phrases={
        "author": ("the author of {}", "the person who wrote {}"),
        "birthplace": ("the town where {} was born", "the place of birth of {}"),
        "teacher": ("the teacher of {}", "the person who taught {}"),
        "spouse": ("the spouse of {}",),
        "setting": ("the town where {} is set", "the setting of {}"),
        "river": ("the river that crosses {}", "the river of {}"),
        "founder": ("the founder of {}", "the person who founded {}"),
    },
    asked={
        "author": ("Who wrote {}?",),
        "birthplace": ("Where was {} born?", "In which town was {} born?"),
        "birth_year": ("When was {} born?", "In which year was {} born?"),
        "teacher": ("Who taught {}?", "Who was the teacher of {}?"),
        "spouse": ("Who married {}?",),
        "river": ("Which river crosses {}?", "On which river does {} lie?"),
        "founder": ("Who founded {}?",),
        "founded": ("When was {} founded?",),
        "mouth": ("What does {} flow into?", "Where does {} end?"),
        "region": ("In which region is {}?", "Which region does {} belong to?"),
        "occupation": ("What was the occupation of {}?",),
        "setting": ("Where is {} set?",),
    },
    earlier=("Who was born earlier, {} or {}?", "Which of the two was born first, {} or {}?"),
    same=("Were {} and {} born in the same town?",),
    shared=("In which town were both {} and {} born?",),
    claim=("Supported or refuted: {} is {}.",),
)
"""The test worlds' own."""
