"""A masked chain under way: which masks are filled, from where, and which triples can be asked."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from ....kg.text.words import normal_form
from ....kg.types import Passage, Statement, Triple
from ...replies.chains import MASK, Link, MaskedChain
from .values import (
    asks_count,
    first_of,
    longest,
    meet,
    of_countries,
    of_counts,
    of_lives,
    of_one_country,
    typed,
    verdict_of,
)

Source = Literal["kg", "text", "model"]
How = Literal["", "named", "worded", "near", "read", "wikidata"]
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
        how: the relation is "named" so, is known to be "worded" so, is "near" by vector; what an
            answer was "read" from; "wikidata"; "" where it does not matter.
        sure: that it was read rightly, as far as the reader can tell: 0 to 1.
    """

    value: str
    triple: Triple
    passages: tuple[Passage, ...] = ()
    statement: Statement | None = None
    naming: "tuple[Found, ...]" = ()
    how: How = ""
    sure: float = 1.0

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
            values = self.values.get(self.chain.final, [])
            return [str(len(values))] if self._counts(question) else values
        asked, ends = self._unnamed(question), self._ends()
        if len(ends) < 2 or any(mask not in self.values for _, mask in ends):
            return []
        values = [self.values[mask] for _, mask in ends]
        verdict = verdict_of(asked)
        if verdict == "same":
            met = (of_one_country if of_countries(asked) else meet)(*values[:2])
            return [] if met is None or len(ends) > 2 else ["yes" if met else "no"]
        if of_lives(asked) and len(ends) == 4:
            first = self._longest_life(ends)
        elif all(len(of) == 1 for of in values) and verdict:
            first = first_of([of[0] for of in values], verdict)
        else:
            first = None
        if first is None and (most := of_counts(asked)) and self._whole(m for _, m in ends):
            first = first_of([str(len(of)) for of in values], most)
        return [] if first is None else [self._side(question, ends[first][0])]

    def _counts(self, question: str) -> bool:
        """Whether the values of the final mask are what the question wants the number of."""
        values = self.values.get(self.chain.final, [])
        named = bool(values) and all(typed(value) is None for value in values)
        return named and asks_count(question) and self._whole([self.chain.final])

    def _whole(self, masks: Iterable[int]) -> bool:
        """Whether Wikidata gave the values, as all that it states: a text may leave some out."""
        by = [(asked.mask, found.how) for asked, found in self.by]
        return all((mask, "wikidata") in by for mask in masks)

    def _longest_life(self, ends: Sequence[tuple[Link, int]]) -> int | None:
        """Which end is of the one who lived longest, of a birth and a death of each."""
        dates: dict[str, dict[str, str]] = {}
        for link, mask in ends:
            kind = "death" if re.search(r"death|died", link.relation) else "birth"
            dates.setdefault(link.head, {})[kind] = self.values[mask][0]
        if len(dates) != 2 or any(len(of) != 2 for of in dates.values()):
            return None
        first = longest([(of["birth"], of["death"]) for of in dates.values()])
        heads = [link.head for link, _ in ends]
        return None if first is None else heads.index(list(dates)[first])

    def _unnamed(self, question: str) -> str:
        """The question without the names in it: "Last Tango in Paris" asks for nothing last."""
        for link in self.chain.links:
            if not MASK.search(link.head):
                question = question.replace(link.head, " ")
        return question

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
