"""A masked chain under way: which masks are filled, from where, and which triples can be asked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from ....kg.text.words import normal_form
from ....kg.types import Passage, Statement, Triple
from ...replies.chains import MASK, Link, MaskedChain
from .values import first_of, meet, verdict_of

Source = Literal["kg", "text", "model"]
MAX_VALUES = 5  # of a mask that are asked about further


class Asked(NamedTuple):
    """A triple of which one end is looked for.

    Args:
        known: the other end, without masks.
        mask: the number of the end that is looked for.
        inverse: the head is looked for.
    """

    known: str
    relation: str
    mask: int
    inverse: bool = False

    def __str__(self) -> str:
        ends = ("?", self.known) if self.inverse else (self.known, "?")
        return f"{ends[0]} >> {self.relation} >> {ends[1]}"


class Found(NamedTuple):
    """A value for what was asked, and what says it.

    Args:
        triple: of the graph, or made of what a text answered.
        passages: that state it.
        statement: that is new to the graph.
        naming: what says that the known end has the name that the triple gives it.
    """

    value: str
    triple: Triple
    passages: tuple[Passage, ...] = ()
    statement: Statement | None = None
    naming: "tuple[Found, ...]" = ()

    @property
    def steps(self) -> "tuple[Found, ...]":
        """What says that it has another name, then itself."""
        return (*self.naming, self)


@dataclass
class Filled:
    """A chain with what was found for its masks.

    Attributes:
        values: by mask, the best first.
        sources: which filled a mask.
        by: what was found, in order, with the triple that it was asked for.
    """

    chain: MaskedChain
    values: dict[int, list[str]] = field(default_factory=dict)
    sources: dict[int, Source] = field(default_factory=dict)
    by: list[tuple[Asked, Found]] = field(default_factory=list)

    @property
    def left(self) -> list[int]:
        """Masks that nothing was found for."""
        return [mask for mask in self.chain.masks if mask not in self.values]

    def __str__(self) -> str:
        links = (
            str(Link(self._put(link.head), link.relation, self._put(link.tail)))
            for link in self.chain.links
        )
        final = f"#{self.chain.final}" if self.chain.final else "#answer"
        return "; ".join([*links, f"final answer: {self._put(final)}"])

    def _put(self, text: str) -> str:
        return MASK.sub(lambda found: self.values.get(int(found[1]), [found[0]])[0], text)

    def asked(self, inverse: bool) -> list[Asked]:
        """The valid triples, left to right: head known and tail masked, or the other way round.

        A head of several values gives one for each, MAX_VALUES at most.
        """
        found: dict[Asked, None] = {}
        for link in self.chain.links:
            known, sought = (link.tail, link.head) if inverse else (link.head, link.tail)
            mask = MASK.fullmatch(sought.strip())
            if mask and int(mask[1]) not in self.values:
                for name in self._known(known):
                    found[Asked(name, link.relation, int(mask[1]), inverse)] = None
        return list(found)

    def _known(self, text: str) -> Iterator[str]:
        """The text without masks; nothing where one is not filled."""
        masks = list(dict.fromkeys(int(number) for number in MASK.findall(text)))
        if any(mask not in self.values for mask in masks):
            return
        if len(masks) == 1 and MASK.fullmatch(text.strip()):
            yield from self.values[masks[0]][:MAX_VALUES]
        else:
            yield self._put(text)

    def take(self, source: Source, told: Sequence[tuple[Asked, Sequence[Found]]]) -> bool:
        """Fill masks with what was found, and narrow what it was asked for; whether any was."""
        before = len(self.values)
        for asked, found in told:
            if not found:
                continue
            held = self.values.setdefault(asked.mask, [])
            self.sources.setdefault(asked.mask, source)
            known = {normal_form(value) for value in held}
            held += [f.value for f in found if normal_form(f.value) not in known]
            self.by += [(asked, one) for one in found]
        self._narrow(told)
        return len(self.values) > before

    def _narrow(self, told: Sequence[tuple[Asked, Sequence[Found]]]) -> None:
        """Of several values of a mask those stay that a further triple is true of."""
        gave = {normal_form(asked.known) for asked, found in told if found}
        for values in self.values.values():
            kept = [value for value in values if normal_form(value) in gave]
            if kept and len(values) > 1:
                values[:] = kept

    def keep(self, mask: int, values: Sequence[str]) -> None:
        """Narrow a mask to these of its values."""
        kept = {normal_form(value) for value in values}
        self.values[mask] = [v for v in self.values[mask] if normal_form(v) in kept]

    def checks(self) -> Iterator[tuple[int, str, str]]:
        """Give (mask, relation, tail) of triples that say of a mask with values what it must be."""
        for link in self.chain.links:
            mask = MASK.fullmatch(link.head.strip())
            several = mask and len(self.values.get(int(mask[1]), ())) > 1
            if mask and several and not MASK.search(link.tail):
                yield int(mask[1]), link.relation, link.tail

    # -- the answer
    def concluded(self, question: str) -> list[str]:
        """The answer that the values give: the final mask's, or compared exactly; [] for none."""
        if self.chain.final:
            return self.values.get(self.chain.final, [])
        verdict, ends = verdict_of(question), self._ends()
        if verdict is None or len(ends) < 2 or any(mask not in self.values for _, mask in ends):
            return []
        values = [self.values[mask] for _, mask in ends]
        if verdict == "same":
            met = meet(values[0], values[1]) if len(ends) == 2 else None
            return [] if met is None else ["yes" if met else "no"]
        if any(len(of) != 1 for of in values):
            return []
        first = first_of([of[0] for of in values], verdict)
        return [] if first is None else [self._side(question, ends[first][0])]

    def _ends(self) -> list[tuple[Link, int]]:
        """The last triple of each branch, with its mask."""
        heads = {mask for link in self.chain.links for mask in map(int, MASK.findall(link.head))}
        tails = ((link, MASK.fullmatch(link.tail.strip())) for link in self.chain.links)
        return [(link, int(mask[1])) for link, mask in tails if mask and int(mask[1]) not in heads]

    def _side(self, question: str, last: Link) -> str:
        """What the question compares: the branch's beginning where it names that, else its end."""
        root = last
        while mask := MASK.search(root.head):
            before = [link for link in self.chain.links if link.tail.strip() == mask[0]]
            if not before or before[0] == root:
                break
            root = before[0]
        asks_for_thing = question.casefold().startswith(("which ", "what ")) and not (
            question.casefold().startswith(("which of", "what of"))
        )
        return self._put(root.head if asks_for_thing else last.head)
