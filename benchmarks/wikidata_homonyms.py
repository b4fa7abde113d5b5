"""Homonyms with real descriptions: which of k + 1 items of one name does a text mean?"""

import random
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from triples import lines

from hoptrail.kg.text.words import bare_title
from hoptrail.kg.wikidata.items import Item
from hoptrail.kg.wikidata.linking import Linker
from hoptrail.kg.wikidata.names import name_key

KINDS = (
    ("film", {"P57", "P161", "P840"}),
    ("work", {"P175", "P264", "P86", "P50"}),
    ("person", {"P19", "P20", "P22", "P25", "P26", "P27", "P106", "P569", "P570", "P1412"}),
    ("place", {"P17", "P30", "P36", "P37", "P131", "P530"}),
    ("other", set()),
)
"""By the properties that an item has: the slice says nothing of classes."""
TITLES = 250


def kind(item: Item) -> str:
    """The first kind that has one of its properties."""
    return next(name for name, has in KINDS if not has or has & item.properties)


def homonyms(linker: Linker, files: Iterable[Path], every: dict[str, Item]) -> None:
    """Print how often the right item comes first, by how many others have its name.

    Args:
        linker: ranks.
        files: of questions, whose paragraphs are the contexts.
        every: all items of the slice.
    """
    print("## Homonyms of the same kind, real descriptions")
    named, pool = defaultdict(list), defaultdict(list)
    for item in every.values():
        named[name_key(item.label)].append(item)
        if item.description:
            pool[kind(item)].append(item)
    cases: dict[str, tuple[Item, str]] = {}
    asked: dict[str, tuple[Item, str]] = {}
    for record in (record for file in files for record in lines(file)):
        for paragraph in record["paragraphs"]:
            found = named[name_key(bare_title(paragraph["title"]))]
            if len(found) == 1 and found[0].description:
                cases.setdefault(found[0].id, (found[0], paragraph["text"]))
                if name_key(found[0].label) in name_key(record["question"]):
                    asked.setdefault(found[0].id, (found[0], record["question"]))
    listed = [cases[key] for key in sorted(cases)]
    random.Random(0).shuffle(listed)
    rich = [case for case in listed if len(case[0].statements) > 3][:TITLES]
    for name, some in (
        ("paragraph", listed[:TITLES]),
        ("paragraph, items with statements", rich),
        ("question alone", [asked[key] for key in sorted(asked)]),
    ):
        figures = [f"k={k} {_share(linker, some, pool, k)}" for k in (0, 1, 4)]
        print(f"{name} ({len(some)}):", ", ".join(figures))


def _share(
    linker: Linker, cases: list[tuple[Item, str]], pool: dict[str, list[Item]], k: int
) -> str:
    chance, right = random.Random(1), 0
    for item, context in cases:
        others = [one for one in pool[kind(item)] if one.id != item.id]
        some = [item, *chance.sample(others, min(k, len(others)))]
        called = {one.id: replace(one, label=item.label, aliases=()) for one in some}
        ranked = linker.rank(item.label, dict.fromkeys(called, 1.0), called, context)
        right += ranked[0].item.id == item.id
    return f"{right / max(1, len(cases)):.2f}"
