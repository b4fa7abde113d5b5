"""Chains of triples with masks, as a model writes them, and what is wrong with their syntax."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from ...kg.text.words import words
from .plain import NUMBER, lines

SyntaxFault = Literal[
    "mask_underflow",
    "mask_overflow",
    "discontinuous_mask",
    "missing_mask_number",
    "missing_triple_mask",
    "relation_mask",
    "triple_format",
    "final_answer_format",
]
"""The errors of Semi-Structured CoT, appendix B; the first two are one with two sides there."""

MASK = re.compile(r"#(\d{1,2})(?!\w)")
ANSWER = "#answer"
_PARTS = re.compile(r"\s*(?:>>|»|⟫)\s*")
_FINAL = re.compile(
    r"\s*(?:the\s+)?final answer\s*(?:is\b)?\s*[:：]?\s*(.*?)\s*[.;]?\s*", re.I | re.S
)
_NUMBERLESS = re.compile(r"(?:^|(?<=\s))#(?!\d)")
_BOX = re.compile(r"\\(?:boxed|text)\{|[{}$]")
_LABEL = re.compile(
    r"^\s*(?:the |final |masked |filled |reasoning )*(?:chain|answer|result|output)"
    r"(?: is)?\s*[:：]\s*(?=.*>>)",
    re.IGNORECASE,
)


class Link(NamedTuple):
    """A triple of a chain, whose head and tail may be masks or hold some."""

    head: str
    relation: str
    tail: str

    def __str__(self) -> str:
        return " >> ".join(self)

    @property
    def masks(self) -> list[int]:
        """Its masks, in order."""
        return [int(number) for end in (self.head, self.tail) for number in MASK.findall(end)]


class MaskedChain(NamedTuple):
    """A question as triples with masks.

    Args:
        final: the mask that answers, 0 where the answer is to be worked out ("#answer").
    """

    links: tuple[Link, ...]
    final: int

    def __str__(self) -> str:
        final = f"#{self.final}" if self.final else ANSWER
        return "; ".join([*map(str, self.links), f"final answer: {final}"])

    @property
    def masks(self) -> list[int]:
        """All masks, each once, in the order of their first appearance."""
        return list(dict.fromkeys(mask for link in self.links for mask in link.masks))

    @property
    def normal(self) -> str:
        """Itself without what does not matter to a vote: case, signs, numbers of masks."""
        numbers = {mask: place for place, mask in enumerate(self.masks, 1)}

        def normal(text: str) -> str:
            said = MASK.sub(lambda found: f" mask{numbers[int(found[1])]} ", text)
            return " ".join(words(said))

        said = [">>".join(map(normal, link)) for link in self.links]
        return ";".join([*said, str(numbers.get(self.final, 0))])


class Parsed(NamedTuple):
    """What a reply says.

    Args:
        chain: None where its syntax is wrong.
        faults: what is wrong with it, each kind once.
        read: the chain as far as it can be read, whatever is wrong; None without any triple.
    """

    chain: MaskedChain | None
    faults: tuple[SyntaxFault, ...] = ()
    read: MaskedChain | None = None


def parsed(reply: str, fewest: int = 2, most: int = 4) -> Parsed:
    """Read the chain in a reply.

    Args:
        fewest: masks that it has at least.
        most: and at most.
    """
    *parts, last = _parts(reply) or [""]
    final, faults = _final(last)
    links = list[Link]()
    for part in parts if _is_final(last) else [*parts, last]:
        slots = [slot.strip() for slot in _PARTS.split(part)]
        if len(slots) == 3 and all(slots):
            links.append(Link(*slots))
        else:
            faults["triple_format"] = None
    for link in links:
        faults |= dict.fromkeys(_wrong(link))
    chain = MaskedChain(tuple(links), final)
    if len(chain.masks) < fewest:
        faults["mask_underflow"] = None
    if len(chain.masks) > most:
        faults["mask_overflow"] = None
    if set(chain.masks) != set(range(1, len(chain.masks) + 1)):
        faults["discontinuous_mask"] = None
    if final and final not in chain.masks:
        faults["final_answer_format"] = None
    return Parsed(None if faults else chain, tuple(faults), chain if links else None)


def elected(chains: Sequence[MaskedChain]) -> tuple[MaskedChain, float]:
    """Put chains to the vote; the one that most are like, as the first of them words it, its share.

    Ties go to the one that came first.
    """
    votes = Counter(chain.normal for chain in chains)
    best = max(chains, key=lambda chain: votes[chain.normal])  # the first of equals
    return best, votes[best.normal] / len(chains)


def filled(reply: str) -> tuple[list[Link], str]:
    """Read a chain whose masks were replaced: its triples, and the final answer, "" for none."""
    parts = _parts(reply)
    final = next((found[1] for part in parts if (found := _FINAL.fullmatch(part))), "")
    slots = ([slot.strip() for slot in _PARTS.split(part)] for part in parts)
    return [Link(*three) for three in slots if len(three) == 3], final


def _parts(reply: str) -> list[str]:
    """The triples and the end of the last chain in a reply, which may stand on several lines."""
    plain = _BOX.sub("", reply) if "\\boxed" in reply else reply
    said = [NUMBER.sub("", _LABEL.sub("", line.text)) for line in lines(plain)]
    text = ";".join(line for line in said if _PARTS.search(line) or _FINAL.match(line))
    parts = [part for part in re.split(r"[;\n]", text) if part.strip()]
    ends = [place for place, part in enumerate(parts, 1) if _is_final(part)]
    start = ends[-2] if len(ends) > 1 else 0
    return parts[start : ends[-1]] if ends else parts


def _is_final(part: str) -> bool:
    return part.strip().lower().startswith(("final answer", "the final answer"))


def _final(part: str) -> tuple[int, dict[SyntaxFault, None]]:
    """The mask of the end of a chain, 0 for "#answer"."""
    found = _FINAL.fullmatch(part) if _is_final(part) else None
    if found and found[1].casefold() == ANSWER:
        return 0, {}
    if found and (mask := MASK.fullmatch(found[1])):
        return int(mask[1]), {}
    return 0, {"final_answer_format": None}


def _wrong(link: Link) -> Iterator[SyntaxFault]:
    if any(_NUMBERLESS.search(end) for end in (link.head, link.tail)):
        yield "missing_mask_number"
    if MASK.search(link.relation) or _NUMBERLESS.search(link.relation):
        yield "relation_mask"
    if not link.masks:
        yield "missing_triple_mask"
