"""Verify-and-Edit: thoughts that samples disagree on are checked, one by one (Zhao et al. 2023)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from ....kg.answers import Answer
from ....kg.types import Passage
from ....models.language import Completion, Decoding
from ...matching import vote
from ...prompts.showing import SECTIONS
from ...registry import Count, Passages, PassagesOrNone, Share, Temperature
from ...replies.answers import concludes, conclusion
from ...replies.plain import spoken
from ...replies.sentences import question, statement, thoughts
from ...session.session import THOUGHTS, Filling, Session

SENTENCE = Decoding(stop=SECTIONS, max_tokens=128)


@dataclass(frozen=True)
class VerifyAndEdit:
    """Chains of thought are sampled; where their answers disagree, one is edited and thought anew.

    Each of its sentences is put as a question, which retrieval and reading answer; the answer takes
    the sentence's place, and the last prompt concludes from what stands there then. That the answer
    is unknown is no answer to agree on. Which of the samples is edited: the first that comes to the
    answer most of them come to.

    Args:
        samples: chains of thought (5, as in the authors' experiments).
        temperature: of the samples (0.7 there).
        agreeing: fewer samples with the same answer than this share, rounded up, are edited (½).
        passages: retrieved for the question and shown to the samples, as for `cot`; 0 is the
            paper's own, which edits what the model remembers.
        evidence: passages retrieved for each sentence (3).
        sentences: verified, at most; the paper sets no bound.
    """

    name: ClassVar[str] = "verify_and_edit"
    samples: Count = 5
    temperature: Temperature = 0.7
    agreeing: Share = 0.5
    passages: PassagesOrNone = 5
    evidence: Passages = 3
    sentences: Count = 8

    def answer(self, session: Session) -> Answer:
        found = session.retrieve(session.question, self.passages) if self.passages else []
        sampling = replace(THOUGHTS, temperature=self.temperature)
        said = session.sample(self.samples, "shared/think", found, sampling, thoughts="")
        ends = [session.meant(conclusion(one.text)) for one in said]
        shares = [share for share in vote(ends) if share[0]] if ends else []
        if shares and shares[0][1] >= self.agreeing:
            return session.answered(shares[0][0], shares)
        edited = self._edited(session, _sentences(said, ends, shares))
        return session.answered(conclusion(session.think([], edited)), shares)

    def _edited(self, session: Session, told: Sequence[str]) -> list[str]:
        """The sentences, those that passages answer as these have it."""
        told = told[: self.sentences]
        asking = [Filling(gaps={"sentence": sentence}) for sentence in told]
        asked = session.ask_each("verify_and_edit/question", asking, SENTENCE) if told else []
        questions = [question(spoken(one.text)) if one else "" for one in asked]
        places = [n for n, one in enumerate(questions) if one]
        found: list[list[Passage]] = [session.search(questions[n], self.evidence) for n in places]
        reading = [
            Filling(passages, {"question": questions[n]})
            for n, passages in zip(places, found, strict=True)
        ]
        answers = session.ask_each("verify_and_edit/answer", reading, SENTENCE) if reading else []
        edited = list(told)
        for place, one in zip(places, answers, strict=True):
            edited[place] = (_sentence(spoken(one.text)) if one else "") or told[place]
        return list(dict.fromkeys(edited))


def _sentence(said: str) -> str:
    """The sentence that answers, boxed or not; "" where it says that nothing is known."""
    found = conclusion(said) if concludes(said) else statement(said)
    return f"{found}." if found and found[-1] not in ".!?。" else found


def _sentences(
    said: Sequence[Completion], ends: Sequence[str], shares: Sequence[tuple[str, float]]
) -> list[str]:
    """The sentences of the sample to edit, without its conclusion."""
    best = shares[0][0] if shares else ""
    chosen = next((one for one, end in zip(said, ends, strict=True) if end == best), None)
    chosen = chosen or next(iter(said), None)
    return [one for one in thoughts(spoken(chosen.text)) if not concludes(one)] if chosen else []
