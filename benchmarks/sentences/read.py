"""Questions about single sentences that tell several things: `read.py`.

Each line of `sentences.jsonl` is such a text with its questions, and an answer to each, or null
where the text has none. An answer counts as right where it holds that. `--wrong` prints the others.
"""

import argparse
import json
from collections import Counter
from pathlib import Path

from hoptrail.kg.extraction.triples import statements, tidy
from hoptrail.kg.types import Passage
from hoptrail.models.parser import Pipeline
from hoptrail.reasoning.reader import Reader, ReaderPassage

TEXTS = Path(__file__).with_name("sentences.jsonl")
OUTCOMES = "right", "wrong", "abstained", "best guess right", "unanswerable", "of these asserted"


def outcomes(answer: str | None, text: str, asserted: bool) -> list[str]:
    """What a reading counts as."""
    if answer is None:
        return ["unanswerable", *["of these asserted"] * asserted]
    right = answer.lower() in text.lower()
    told = ("right" if right else "wrong") if asserted else "abstained"
    return [told, *["best guess right"] * right]


def main() -> None:
    """Read all of them, and print a row for each set."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--wrong", action="store_true", help="print what is answered wrongly")
    args = parser.parse_args()
    pipeline = Pipeline()
    reader, counts = Reader(pipeline), Counter[tuple[int, str]]()
    for told in map(json.loads, TEXTS.read_text("utf-8").splitlines()):
        passage = Passage("notes", 0, "Notes", told["text"])
        parse = next(iter(pipeline([tidy(passage.text)])))
        given = [ReaderPassage(passage, statements(passage.id, parse, passage.title), 1.0)]
        for question, answer in told["questions"]:
            reading = reader.read(question, given)
            found = outcomes(answer, reading.text, reading.answered)
            counts.update((told["set"], name) for name in found)
            if args.wrong and not {"wrong", "of these asserted"}.isdisjoint(found):
                print(f"{reading.confidence:.2f} {question} {reading.text} [{answer}]")
    print("| set | " + " | ".join(OUTCOMES) + " |")
    for number in sorted({number for number, _ in counts}):
        print(f"| {number} | " + " | ".join(str(counts[number, n]) for n in OUTCOMES) + " |")


if __name__ == "__main__":
    main()
