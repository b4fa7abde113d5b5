"""How many known facts the grammar's triples hold: `python benchmarks/triples.py DATA`.

DATA is a folder with questions as JSON lines whose paragraphs and evidences are those of
2WikiMultihopQA (2wiki_train.jsonl, 2wiki_dev.jsonl, 2wiki_dev_open.jsonl), and with
openie/musique_train_gpt35.jsonl: {"title", "text", "triples": [[head, relation, tail], …]} a line.

A pair is found when a triple of the supporting paragraphs has its ends, each equal or with a token
F1 of at least 0.6. Pairs alone mislead (a title tied to every name of its text finds nine in ten),
so the second figure asks, in either direction, for a relation that says what 2Wiki's says. "Stated"
leaves out the triples marked as tied.
"""

import argparse
import collections
import json
import re
import string
import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

from hoptrail.kg.extraction.triples import statements, tidy
from hoptrail.kg.types import Triple
from hoptrail.models.parser import Pipeline

SAYS = {  # a relation of 2Wiki: what a triple's relation must contain to say it
    "director": r"direct",
    "country of citizenship": r"nationality|country of origin",
    "country of origin": r"nationality|origin",
    "country": r"located in|nationality|origin|\bin$",
    "date of birth": r"born",
    "date of death": r"died|death",
    "place of birth": r"born|native",
    "place of death": r"died|death",
    "father": r"father|son of|daughter|child|born to|has",
    "mother": r"mother|son of|daughter|child|born to|has",
    "spouse": r"marri|wife|husband|spouse|widow|consort",
    "performer": r"\bby\b|perform|sung|record",
    "composer": r"compos|music|score",
    "publication date": r"year|releas|publish|premier",
}
PRONOUNS = frozenset(
    re.findall(r"\w+", "he she it they his her its their i we who which that this him them")
)
SOFT = 0.6  # token F1
_PUNCTUATION = str.maketrans("", "", string.punctuation + "–—“”’")

Same = Callable[[str, str], bool]
Pair = tuple[str, str, str]
Read = dict[tuple[str, str], list[Triple]]


@cache
def bare(text: str) -> tuple[str, ...]:
    """Words without case, punctuation and articles."""
    words = text.lower().translate(_PUNCTUATION).split()
    return tuple(word for word in words if word not in ("a", "an", "the"))


def equal(one: str, other: str) -> bool:
    """Whether two names are the same words."""
    return bare(one) == bare(other)


@cache
def alike(one: str, other: str) -> bool:
    """Whether two names share enough words."""
    a, b = bare(one), bare(other)
    shared = sum((collections.Counter(a) & collections.Counter(b)).values())
    return a == b or (shared > 0 and 2 * shared / (len(a) + len(b)) >= SOFT)


def found(pair: Pair, triples: Iterable[Triple], same: Same = alike) -> bool:
    """Whether a triple has the ends of the pair."""
    return any(same(pair[0], t.head) and same(pair[2], t.tail) for t in triples)


def said(pair: Pair, triples: Iterable[Triple]) -> bool:
    """Whether a triple has the ends of the pair, either way round, and says its relation."""
    says = re.compile(SAYS[pair[1]])
    saying = [t for t in triples if says.search(t.relation)]
    return found(pair, saying) or found((pair[2], pair[1], pair[0]), saying)


def malformed(triple: Triple) -> bool:
    """Whether an end or the relation is empty, overlong, or without a letter."""
    return (
        len("".join(bare(triple.head))) < 2
        or not bare(triple.tail)
        or len(triple.head.split()) > 10
        or len(triple.tail.split()) > 12
        or len(triple.relation.split()) > 9
        or not re.search("[a-zA-Z]", triple.head)
    )


def lines(path: Path) -> list[dict]:
    """Records of a JSON lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def supporting(question: dict) -> Iterator[tuple[str, str]]:
    """(title, text) of a question's supporting paragraphs."""
    return ((p["title"], p["text"]) for p in question["paragraphs"] if p["is_supporting"])


def read_all(passages: Iterable[tuple[str, str]]) -> Read:
    """Triples of each distinct passage; prints how fast they came."""
    distinct = list(dict.fromkeys(passages))
    parse = time.process_time()
    docs = list(Pipeline()(tidy(text) for _, text in distinct))
    rules = time.process_time()
    read = {
        (title, text): [s.triple for s in statements("", doc, title)]
        for (title, text), doc in zip(distinct, docs, strict=True)
    }
    end = time.process_time()
    print(
        f"{len(distinct)} passages; parse {len(distinct) / (rules - parse):.0f} a CPU second, ",
        end="",
    )
    print(f"rules {len(distinct) / (end - rules):.0f}")
    return read


def show_gold(name: str, questions: list[dict], read: Read) -> None:
    """Print recall of 2Wiki's evidences."""
    rows = []
    for question in questions:
        triples = [t for passage in supporting(question) for t in read[passage]]
        stated = [t for t in triples if not t.tied]
        for head, relation, tail in question["evidences"]:
            pair = head, relation, tail
            rows.append((found(pair, triples), found(pair, stated), relation in SAYS))
            if relation in SAYS:
                rows[-1] += (said(pair, triples), said(pair, stated))
    known = [row for row in rows if row[2]]
    print(
        f"{name}: pairs {share(r[0] for r in rows)} (stated {share(r[1] for r in rows)}), "
        f"with the right relation {share(r[3] for r in known)} "
        f"(stated {share(r[4] for r in known)}); "
        f"{len(rows)} pairs, {len(known)} of them with a relation looked for"
    )


def show_gpt(records: list[dict], read: Read) -> None:
    """Print recall of GPT-3.5's pairs, and what the triples are like."""
    pairs = [
        ((str(t[0]), str(t[1]), str(t[2])), read[record["title"], record["text"]])
        for record in records
        for t in record["triples"]
        if len(t) == 3 and all(isinstance(part, str) and part.strip() for part in t)
    ]
    print(
        f"GPT-3.5's pairs: soft {share(found(p, t) for p, t in pairs)}, "
        f"exact {share(found(p, t, equal) for p, t in pairs)}; {len(pairs)} pairs"
    )
    passages = [read[record["title"], record["text"]] for record in records]
    ours = [t for triples in passages for t in triples]
    tied = sum(t.tied for t in ours)
    print(
        f"a passage {len(ours) / len(passages):.1f} triples, "
        f"{tied / len(passages):.1f} of them tied; "
        f"malformed {share(map(malformed, ours), 2)}, "
        f"headed by a pronoun {share((t.head.lower() in PRONOUNS for t in ours), 2)}"
    )


def share(hits: Iterable[bool], digits: int = 1) -> str:
    """As a percentage."""
    counted = list(hits)
    return f"{100 * sum(counted) / max(1, len(counted)):.{digits}f} %"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("data", type=Path, metavar="DATA")
    data = parser.parse_args().data
    train = lines(data / "2wiki_train.jsonl")
    dev = lines(data / "2wiki_dev.jsonl") + lines(data / "2wiki_dev_open.jsonl")
    gpt = lines(data / "openie" / "musique_train_gpt35.jsonl")
    gold = [passage for question in train + dev for passage in supporting(question)]
    read = read_all([*gold, *((record["title"], record["text"]) for record in gpt)])
    show_gold("2Wiki train", train, read)
    show_gold("2Wiki dev and dev-open", dev, read)
    show_gpt(gpt, read)


if __name__ == "__main__":
    main()
