"""Processor time of questions without a language model: `python benchmarks/asking.py GRAPH FILE…`.

GRAPH is a file or a Neo4j URI, which is written to: take a copy. The questions of the FILEs, which
`hoptrail evaluate answers` takes, are asked one after the other in one process, and then once more.
The first time what reading takes of a passage is computed and kept with the graph, unless an
earlier run did; the second time it is there. Seconds are those of the processor, of all threads;
loading encoder and parser is not counted, what is recorded is. --out writes the answers, to compare
those of two versions: the lines of two such files should be equal.
"""

import argparse
import json
import random
import time
from itertools import chain, islice
from pathlib import Path

import numpy as np

from hoptrail.kg.answers import Answer
from hoptrail.loaders.questions.files import read_questions
from hoptrail.service import Hoptrail


def said(answer: Answer) -> str:
    """All that an answer says, as a line."""
    chains = [[step.triple.id for step in one.triples] for one in answer.chains]
    cited = [citation.passage_id for citation in answer.passages]
    best = [[text, round(float(p), 4)] for text, p in answer.candidates]
    return json.dumps([answer.question, answer.text, best, chains, cited], ensure_ascii=False)


def ask_all(hop: Hoptrail, questions: list[str], when: str) -> list[str]:
    """Ask them all, and print what that took."""
    seconds, lines = [], []
    for question in questions:
        started = time.process_time()
        answer = hop.ask(question)
        seconds.append(time.process_time() - started)
        lines.append(said(answer))
    shown = [np.mean(seconds), *np.percentile(seconds, [50, 95, 100])]
    print(f"{when:12}" + "".join(f"{figure:10.3f}" for figure in shown), flush=True)
    return lines


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("graph", metavar="GRAPH")
    parser.add_argument("files", metavar="FILE", type=Path, nargs="+")
    parser.add_argument("--first", type=int, default=1000, metavar="N", help="how many questions")
    parser.add_argument("--out", type=Path, metavar="FILE", help="where the answers go")
    given = parser.parse_args()
    every = [one.question for one in chain.from_iterable(map(read_questions, given.files))]
    random.Random(0).shuffle(every)
    questions = list(islice(dict.fromkeys(every), given.first))
    with Hoptrail(given.graph) as hop:
        hop.warm()
        print(f"{hop.statistics()['passages']} passages, {len(questions)} questions")
        columns = ("mean", "median", "p95", "max")
        print(f"{'seconds':12}" + "".join(f"{name:>10}" for name in columns))
        lines = ask_all(hop, questions, "first time")
        ask_all(hop, questions, "again")
    if given.out:
        given.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
