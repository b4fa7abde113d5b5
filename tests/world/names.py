"""The proper names of a world, and what they are put together from."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Names:
    """What a world calls its things; starts and ends make one word, adjectives and nouns a title.

    Regions are one capitalised word, which tells them from occupations in "Brandale (Ambria)".
    """

    first: tuple[str, ...]
    last: tuple[str, ...]
    town_starts: tuple[str, ...]
    town_ends: tuple[str, ...]
    river_starts: tuple[str, ...]
    river_ends: tuple[str, ...]
    adjectives: tuple[str, ...]
    nouns: tuple[str, ...]
    regions: tuple[str, ...]
    mountains: tuple[str, ...]
    seas: tuple[str, ...]


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


NAMES = Names(
    first=_words(
        "Ansel Birte Corvin Dagny Edda Falk Gerda Halvor Ilse Jorun Ketil Liv Marit Njal Oda Peder "
        "Ragna Sigrun Torvald Ulla Vigdis Yrsa"
    ),
    last=_words(
        "Aldermark Brekkan Coldvik Drangsund Eskeland Fjordholm Grimsrud Hestnes Ildvatn Jernberg "
        "Kvistad Lundmoor Myrdal Nordquell Ormestad Pilskog Rosenvik Skarholt Tindfell Ulvsen "
        "Varnes Wintermoor"
    ),
    town_starts=_words("Bran Dor Elm Fal Gren Hol Kar Lin Mor Nes Oster Rav Sel Tarn Vaa"),
    town_ends=_words("bruck dale fjell gard haven mouth stad"),
    river_starts=_words("Ar Bel Cy Du Esk Fen Gal Hy Is Jo"),
    river_ends=_words("dra lune nna rre"),
    adjectives=_words(
        "Amber Broken Crimson Distant Empty Frozen Glass Hidden Iron Last Paper Salt"
    ),
    nouns=_words("Bell Compass Door Ferry Garden Lantern Mirror Orchard Staircase Window"),
    regions=_words("Ambria Borland Cassin Delmark Estria Feronia"),
    mountains=_words("Hornspitz Kaldberg Mirtop Ravenhead Stonecrown Tolfjall"),
    seas=("Grey Gulf", "Lake Morn", "Pale Sea", "Sound of Ash"),
)
"""The test worlds' own."""
