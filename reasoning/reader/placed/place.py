"""Where an answer stands, and what keeps it from being said of what is asked about."""

import re
from dataclasses import dataclass

from ....kg.text.words import stems
from ..asked.alike import in_number
from ..asked.described import PEOPLE, unsaid
from ..asked.names import inside, key
from ..candidates import Mention
from ..pages import Page
from ..rules.columns import says_nothing
from ..rules.replies import asks, in_question
from ..rules.rows import of_another_head, of_another_row, of_lesser_row
from ..scope import of_the_writer
from .aligned_page import AlignedPage
from .another_one import (
    in_anothers_aside,
    is_described,
    is_who_is_named,
    of_another_day,
    of_another_of_a_kind,
    of_another_turn,
    said_of_somebody_else,
)
from .another_sort import of_another_sort, of_nothing_asked
from .another_subject import (
    is_one_of_many,
    of_a_namesake,
    of_another_life,
    of_another_subject,
)
from .another_type import of_another_type
from .asked_words import named
from .contrast import (
    changes,
    compared_with,
    is_found_wanting,
    sets_against,
    taken_back,
    unless,
)
from .counts import counts_another
from .deeds import (
    deed_asked,
    did_another_thing,
    done_by_another,
    is_another_item,
    is_of_the_deed,
    tells_no_name,
)
from .durations import is_no_length
from .gapped import part_asked
from .lines import line_beside, of_another_clause
from .listed import beside_another, out_of_turn, told_of_another
from .numbered import of_another_number
from .on_terms import clause_of_days, figure_of_year, of_other_days
from .other_names import of_half_a_name, of_longer_name
from .past import AT_FIRST, is_now, is_superseded, was_until
from .ranges import end_asked, range_around
from .reasons import gives_no_reason
from .relatives import as_a_relative, as_a_relatives, of_its_relative

_NUMBERED = re.compile(r"\b[Ww](?:hich|hat) ([A-Z]{2,}[\w-]*) numbers?\b")  # "Which RFC number"
_LONGEST_BEHIND = 40  # characters
_SAME = 0.5  # of the words of two questions, where they ask the same
_CALLED = frozenset({"person", "group", "work", "other"})  # kinds of answers that are names
_NEAR_NUMBER = 12  # characters between it and what it is the number of
_SAYS_LITTLE = frozenset(stems("call name use"))  # verbs


@dataclass(frozen=True)
class Place:
    """Where an answer stands, and what keeps it from being said of what is asked about."""

    page: AlignedPage
    mention: Mention
    text: str

    @property
    def away(self) -> bool:
        """Whether the question's names all stand in its page, but none of them near it.

        Such a page speaks of many things: minutes, a list of staff. What stands elsewhere on it is
        said of another one.
        """
        asked, said = self.page.of.asked, self.page.above | self.page.page.words
        return (
            bool(asked.names)
            and not self.page.names_around(self.mention.sentence)
            and (named(asked, said) == 1)
        )

    @property
    def of_the_past(self) -> bool:
        """Whether its clause says what was until some time, where what is now is asked for."""
        return was_until(self.page.of.asked.text, self.page.page, self.mention, self.text)

    @property
    def of_another_thing(self) -> bool:
        """Whether it is said of another thing than the one that the question names."""
        page = self.page
        name = of_half_a_name(page) or of_longer_name(page, self.mention.sentence, self.text)
        return name or self.of_another_name or self.of_somebody_else or self.of_a_relative

    @property
    def of_another_name(self) -> bool:
        """Whether its sentence tells of another name, or of one that shares but its last word."""
        asked, page, sentence = self.page.of.asked, self.page, self.mention.sentence
        if of_a_namesake(asked, page.page, sentence, self.text):
            return True
        span = page.span(self.mention.start, self.mention.end) if self.mention.end else None
        return span is not None and of_another_subject(asked, page, sentence, span)

    @property
    def told_of_another(self) -> bool:
        """Whether its sentence tells it of another thing of a list, or it is another's number."""
        page, mention, asked = self.page.page, self.mention, self.page.of.asked
        if not mention.end:
            return False
        if mention.sentence in page.fields:
            evidence = self.page.of.evidence
            other = of_another_head(evidence, mention) or of_lesser_row(evidence, mention)
            return other or of_another_row(asked, page, mention.sentence)
        first = page.starts[mention.sentence]
        text, start, end = page.texts[mention.sentence], mention.start - first, mention.end - first
        called = asked.kind in _CALLED and beside_another(text, start, end, asked.named_stems)
        if called:
            return True
        if (numbered := _NUMBERED.search(asked.text)) and numbered[1] not in self.text:
            near = text[max(0, start - len(numbered[1]) - _NEAR_NUMBER) : start]
            if numbered[1] not in near:
                return True
        wanted = self._told - self.page.of.unit
        listed = told_of_another(text, start, end, wanted)
        other = (listed and not is_of_the_deed(self.page, mention)) or out_of_turn(
            page.spans[mention.sentence], mention.start, mention.end, wanted
        )
        return other or self.part_asked is not None

    @property
    def part_asked(self) -> tuple[int, int] | None:
        """Where its sentence tells of what is asked about, if elsewhere: see `gapped`, `deeds`."""
        page, mention, asked = self.page.page, self.mention, self.page.of.asked
        if not mention.end or mention.sentence in page.fields:
            return None
        terms = clause_of_days(asked, page, mention) or figure_of_year(asked, page, mention)
        if terms is not None:
            return terms
        part = part_asked(page, mention, self._told, called=asked.kind == "person")
        span = self.page.span(mention.start, mention.end) if part is None else None
        return deed_asked(asked, page, page.spans[mention.sentence], span) if span else part

    @property
    def _told(self) -> frozenset[str]:
        """The question's stems that tell one thing of a list from another: "18 metres wide"."""
        asked = self.page.of.asked
        typed = frozenset[str]() if asked.form else asked.typed
        return in_number(asked.stems - typed - (self.page.of.focus - self.page.of.unit))

    @property
    def misplaced(self) -> bool:
        """Whether its sentence does not state it."""
        return bool(self.flaw)

    @property
    def flaw(self) -> str:
        """Why its sentence does not state it, in words for people: it asks it, or tells another."""
        if self.asked:
            return "what was found stands in a question"
        wanting = is_found_wanting(self.page.of.asked.text, *self._around)
        if self.set_against or self.compared or wanting:
            return "what was found is set against what is asked about"
        if self.taken_back:
            return "what was found is said to be so no more"
        if self.of_the_past:
            return "what was found was so until some time, and may not be now"
        if self.tells_nothing:
            return "what was found is what the question says, or says nothing"
        now = is_now(self.page.of.asked.text, self.page.page, self.mention)
        if now or self.end_asked == "":
            return "what was found is told of another time"
        another = self.told_of_another or self.of_another_deed or self.of_another_one
        line = self.line_beside is not None or of_another_clause(*self._line)
        if another or line or self.of_another_sort or self.of_another_kind:
            return "what was found is told of another thing"
        return ""

    @property
    def of_another_kind(self) -> bool:
        """Whether it is a town for a country, a birthplace for a home, a row for the longest."""
        asked, page, sentence = self.page.of.asked, self.page.page, self.mention.sentence
        if of_another_life(asked, page, sentence) or is_one_of_many(asked, page, sentence):
            return True
        return of_another_type(asked, self.mention, self.text)

    @property
    def _around(self) -> tuple[str, str, str]:
        """The text before it, its own, and the text behind."""
        start, end, text = self.mention.start, self.mention.end, self.page.page.text
        first = max(0, start - _LONGEST_BEHIND)
        return text[first:start], self.text, text[end : end + _LONGEST_BEHIND] if end else ""

    @property
    def line_beside(self) -> int | None:
        """The line beside its own that says what is asked about and the like, and its own not."""
        return line_beside(*self._line)

    @property
    def end_asked(self) -> str | None:
        """The end asked for of the range that it is, or stands in, see `ranges.end_asked`."""
        page, mention, asked = self.page.page, self.mention, self.page.of.asked
        if not mention.end or asked.kind != "date":
            return None
        first, text = page.starts[mention.sentence], page.texts[mention.sentence]
        one = range_around(text, mention.start - first, mention.end - first)
        return end_asked(asked.text, text, one) if one is not None else None

    @property
    def tells_nothing(self) -> bool:
        """Whether it is what the question names or describes itself, or says "not known"."""
        asked, focus = self.page.of.asked, self.page.of.focus
        span = self.page.span(self.mention.start, self.mention.end) if self.mention.end else None
        known = is_who_is_named(asked, span, self.text) or is_described(
            asked, focus, span, self.text
        )
        return (
            known or says_nothing(self.text) or gives_no_reason(asked.text, span, *self._around[:2])
        )

    @property
    def of_another_one(self) -> bool:
        """Whether it is told of the other of a kind, of another day, or of whom brackets follow."""
        said = self.page.of.asked, self.page.page, self.mention
        other = of_another_of_a_kind(*said, self.page.above)
        other = other or of_other_days(*said) or of_another_turn(*said)
        other = other or of_another_number(*said) or is_no_length(*said, self.text)
        return other or of_another_day(*said) or in_anothers_aside(*said)

    @property
    def _line(self) -> tuple[Page, Mention, str, frozenset[str]]:
        asked = self.page.of.asked
        return self.page.page, self.mention, self.text, asked.stems - asked.typed

    @property
    def of_another_deed(self) -> bool:
        """Whether it counts another thing, or did another, than what is asked."""
        asked, page, sentence = self.page.of.asked, self.page.page, self.mention.sentence
        span = self.page.span(self.mention.start, self.mention.end) if self.mention.end else None
        if not span:
            return False
        other = counts_another(page, sentence, span, asked.counted, self.page.above)
        other = other or tells_no_name(asked, page.texts[sentence])
        other = other or is_another_item(asked, page, sentence)
        return other or did_another_thing(asked, page, page.spans[sentence], span)

    @property
    def of_another_sort(self) -> bool:
        """Whether its sentence speaks of "closed files" where personnel files are asked about."""
        asked, mention, page = self.page.of.asked, self.mention, self.page.page
        if not mention.end or mention.sentence in page.fields:
            return False
        place, around = (page, mention.sentence), self.page.around(mention.sentence)
        things = asked.things - asked.typed - self.page.of.focus - self.page.of.unit
        span = self.page.span(mention.start, mention.end)
        said = around, asked.stems, self.page.of.found
        if span and not asked.names and of_nothing_asked(page, span, things, *said):
            return True
        return of_another_sort(asked.sorts, *said, *place)

    @property
    def asked(self) -> bool:
        """Whether it asks the question itself: "Ann Lee: Who has the key?" is no answer to that.

        Or whether what was found is asked: "Is Tom the treasurer, or is it still Ann Lee?"
        """
        if not self.mention.end:
            return False
        page = self.page.page
        if in_question(page.text, self.mention.end):
            return True
        wanted, text = self.page.of.asked.stems, page.texts[self.mention.sentence]
        said = frozenset(stems(text.rsplit(": ", 1)[-1]))
        return asks(text) and len(said & wanted) > _SAME * len(said | wanted)

    @property
    def set_against(self) -> bool:
        """Whether its sentence sets a name or thing against what it speaks of.

        "Unlike A, B is free", "B comes before A", "B took over from A" say nothing of A where the
        question says none of these words.
        """
        mention, asked = self.mention, self.page.of.asked
        if not mention.end or asked.kind not in _CALLED or re.search(r"\d", self.text):
            return False
        first = self.page.page.starts[mention.sentence]
        return sets_against(asked.text, self.page.page.text[first : mention.start])

    @property
    def compared(self) -> bool:
        """Whether its sentence only compares it with what is asked about: "more than in 2023"."""
        mention, asked = self.mention, self.page.of.asked
        if not mention.end or mention.sentence in self.page.page.fields:
            return False
        called = [
            name
            for name, words in zip(asked.called, asked.names, strict=True)
            if not words <= self.page.above
        ]
        first = self.page.page.starts[mention.sentence]
        text = self.page.page.texts[mention.sentence]
        only = compared_with(asked.text, called, text, mention.start - first)
        return only or unless(asked.text, text)

    @property
    def taken_back(self) -> tuple[Page, int] | None:
        """Where a passage says that the date is not so: "not on 21 July"."""
        if not self.mention.end or re.search(r"\d", self.text) is None:
            return None
        return taken_back(self.text, self.page.of.evidence.pages)

    def may_change_to(self, new: "Place") -> bool:
        """Whether a later notice may have made another date or figure of it."""
        pages, mention = (self.page.page, new.page.page), new.mention
        asked = self.page.of.asked.text
        if AT_FIRST.search(asked) or inside(key(new.text), key(self.text)):
            return False
        if is_superseded(pages[1], mention):
            return False
        if not (re.search(r"\d", self.text) and re.search(r"\d", new.text)):
            return False
        apart = pages[0] is not pages[1] or self.mention.sentence < mention.sentence
        said = not self.page.of.asked.stems.isdisjoint(pages[1].said[mention.sentence])
        return (
            apart
            and said
            and changes(pages[1], mention.sentence, alone=pages[0] is pages[1])
            and not changes(pages[0], self.mention.sentence)
        )

    @property
    def of_a_relative(self) -> bool:
        """Whether it is told of a relative of whom is asked about, see `relatives`."""
        asked, page = self.page.of.asked, self.page.page
        return (
            as_a_relative(asked, page, self.mention.sentence)
            or as_a_relatives(asked, page, self.mention)
            or of_its_relative(asked, page, self.mention)
        )

    @property
    def of_somebody_else(self) -> bool:
        """Whether a triple of its sentence says of another name what is asked of one."""
        page, sentence, words = self.page.page, self.mention.sentence, self.page.of
        if not words.asked.names or words.asked.described:
            return False
        span = self.page.span(self.mention.start, self.mention.end) if self.mention.end else None
        if span and done_by_another(words.asked, page, sentence, span):
            return True
        if self.page.names(sentence):
            return False
        if of_the_writer(words.asked, page, sentence):
            return True
        relation = words.relation | words.focus
        return said_of_somebody_else(words.asked, page, sentence, self.text, relation)

    @property
    def of_no_kind(self) -> bool:
        """Whether nothing tells that it is of the kind asked for, and little what that does.

        "Which LDAP server is used?" is not answered by a URI of which "use" is all that is said.
        """
        words, sentence = self.page.of, self.mention.sentence
        little = words.asked.doing and words.asked.doing <= _SAYS_LITTLE
        if not little or words.asked.form or sentence in self.page.page.fields:
            return False
        said = self.page.meant(sentence) | self.page.above
        return words.asked.kind == "other" and bool(unsaid(words.focus, said))

    @property
    def of_another(self) -> bool:
        """Whether it is not said of what the question only describes, see `description`.

        Its sentence neither says the description nor stands on a page that another leads to, or
        does not say what is asked of that.
        """
        page, words, sentence = self.page.page, self.page.of, self.mention.sentence
        if not words.asked.described:
            return False
        linked, named_pages = words.evidence.linked, words.evidence.named
        led_to = page in linked and page not in named_pages
        said = self.page.meant(sentence)
        if not led_to and unsaid(words.asked.described, said | self.page.above):
            return True
        about = {stem for stem, _, _ in words.wanted} - words.asked.described - PEOPLE
        row = sentence in page.fields
        return bool(unsaid(frozenset(about), said if row else page.said[sentence]))
