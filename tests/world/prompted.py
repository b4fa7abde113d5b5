"""A prompt as the symbolic reader sees it: its task, its sections, what they state."""

import functools
import re
from dataclasses import dataclass

from .language import LANGUAGE, Language
from .phrasing import Query, understood
from .wording import spoken, stated, thought, triples
from .world import Fact


@dataclass(frozen=True)
class Prompt:
    """A prompt by its sections; examples among them are not looked at."""

    text: str
    language: Language = LANGUAGE

    @property
    def task(self) -> str:
        """The first line."""
        return self.text.lstrip().partition("\n")[0]

    @functools.cached_property
    def _sections(self) -> dict[str, str]:
        parts = re.split(r"^## (.+)$", self.text, flags=re.M)
        return dict(zip(parts[1::2], parts[2::2], strict=True))

    def section(self, name: str) -> str:
        """What stands under the last "## name", "" where there is no such section."""
        return self._sections.get(name, "").strip()

    def query(self, name: str = "Question") -> Query | None:
        """What the question of a section asks for."""
        return understood(self.section(name), self.language)

    def questions(self, relation: str, name: str) -> list[str]:
        """Two that a reader of its language asks for this; none where it knows none."""
        return [form.format(spoken(name)) for form in self.language.asked.get(relation, ())[:2]]

    @functools.cached_property
    def facts(self) -> list[Fact]:
        """What passages, triples, answers and thoughts under their headings state, in order."""
        told = read(self.section("Passages") or self.section("Passage"), self.language)
        for name in ("Triples", "Knowledge", "Thoughts"):
            told += triples(self.section(name)) + thought(self.section(name))
        for sentence in [*self.section("Found").splitlines(), *dict(self.answered).values()]:
            told += thought(f"{sentence.removesuffix('.')}.")
        return list(dict.fromkeys(told))

    @property
    def answered(self) -> list[tuple[str, str]]:
        """Sub-questions with what was said to them."""
        return re.findall(
            r"^Sub-question: (.+)\nAnswer: (.+)$", self.section("Sub-questions"), flags=re.M
        )


def read(passages: str, language: Language) -> list[Fact]:
    """What "[1] Title" and the text below it state, page after page."""
    pages = re.split(r"^\[\d+\] (.*)$", passages, flags=re.M)
    each = zip(pages[1::2], pages[2::2], strict=True)
    return [fact for title, text in each for fact in stated(title, text, language)]


class Doubtful(str):
    """What the reader says without knowing it: a model is less sure of each word."""
