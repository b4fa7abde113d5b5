"""Let the span reader go on learning: from files' questions and those about own documents.

python benchmarks/own_documents/further.py FILE … --begin WEIGHTS [--general SQUAD …]
    [--sentences] [--steps 1300] [--teacher FOLDER] [--seed 21] [--work FOLDER] [--out WEIGHTS]

FILE are training files of HotpotQA, 2WikiMultihopQA and MuSiQue, read from their own paragraphs;
questions about own documents are read from what is found in the graph of their kind
(`kinds.learned`), those that were written last the most often. With --sentences most texts are
single sentences, also such as mislead the span reader: for the sentence reader, whose first weights
`deeper.py` makes. With --teacher a larger network, `all-mpnet-base-v2`, learns first, and the span
reader from what it says: this takes a GPU. The reader's weights are to be fitted anew
then: `fit.py`.
"""

import argparse
import tempfile
from dataclasses import replace
from pathlib import Path

from kinds import FIRST, found, learned

from hoptrail.models.span_reader import SpanReader
from hoptrail.models.span_weights import read_weights, write_weights
from hoptrail.reasoning.training.lures import lured
from hoptrail.reasoning.training.reader import source_of
from hoptrail.reasoning.training.span_rows import OF_SENTENCES, Drawing
from hoptrail.reasoning.training.spans import Schedule, taught, teaching, train

TIMES = {"rephrased": 2, "latest": 2, "newest": 1, "last": 1, "learned": 1}
"""How often each question of a split counts, of kinds beyond the first."""
OF_FILES = 2


def told(step: int, steps: int, loss: float) -> None:
    """Say how far it is."""
    if not step % 20 or step == steps:
        print(f"{step} of {steps}: {loss:.3f}", flush=True)


def main() -> None:
    """Read the arguments, train, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--begin", type=Path, required=True)
    parser.add_argument("--general", nargs="+", type=Path, default=[])
    parser.add_argument("--sentences", action="store_true", help="draw for the sentence reader")
    parser.add_argument("--steps", type=int, default=1300, help="three seconds each on two cores")
    parser.add_argument("--teacher", type=Path, help="a folder that transformers loads")
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "own-documents")
    parser.add_argument("--out", type=Path, default=Path("spans.safetensors"))
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    own = [
        (one, 1 if kind in FIRST else TIMES[split])
        for kind in learned()
        for one, split in found(kind, given.work)
    ]
    asked = [one for one, _ in own]
    if given.sentences:
        asked = lured(asked, SpanReader())
    kinds = [one for one, (_, times) in zip(asked, own, strict=True) for _ in range(times)]
    files = [one for path in given.files for one in source_of(path).questions]
    general = [one for path in given.general for one in source_of(path).questions]
    questions = kinds + files * OF_FILES + general
    drawing = Drawing(elsewhere=0.3, renamed=0.12, titled=0.7)
    drawing = replace(OF_SENTENCES if given.sentences else drawing, seed=given.seed)
    how = Schedule(steps=given.steps, rate=1e-4, warm=40, held=0.6, drawing=drawing)
    teacher = None
    if given.teacher:
        how = replace(how, rate=3e-4, drawing=replace(drawing, anywhere=0.5, tokens=24_000))
        teacher = taught(questions, teaching(how), given.teacher, told)
    write_weights(train(questions, how, told, read_weights(given.begin), teacher), given.out, {})


if __name__ == "__main__":
    main()
