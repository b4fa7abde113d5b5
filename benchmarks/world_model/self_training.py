"""KnowTrace's self-training (its figure 2) on the trained model: right answers and FA by round.

python benchmarks/world_model/self_training.py [MODEL] [--questions 40] [--hops 2] [--rounds 2]
    [--seeds 0 1] [--backtracing yes no] [--out FOLDER]

Questions of a world that neither training nor tests know, from their own paragraphs; with and
without backtracing. A round's line tells how many it answered exactly with the adapters of the one
before.
"""

import argparse
import hashlib
import json
import random
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from measure import HERE
from naming import fresh
from support.fakes import WordEncoder
from world import LANGUAGE, Question, World, pages, questions

from hoptrail.models.llama.model import LlamaCpp
from hoptrail.reasoning.training.lora import Lora
from hoptrail.service import Hoptrail
from hoptrail.service.training.knowtrace import Collecting, Tuning, self_train

WORLD = 800  # its seed


def asked_for(folder: Path, count: int, hops: int) -> Path:
    """Questions about the world, with their paragraphs, as a file in MuSiQue's form.

    Args:
        hops: two, or one: what the first of the two asks for.
    """
    names = fresh(random.Random(f"training {WORLD}"))
    world = World.made(WORLD, people=60, towns=40, works=50, rivers=25, names=names)
    texts = {page.title: page.text for page in pages(world, WORLD)}
    told = [q for q in questions(world, 4 * count, WORLD, ["chain"]) if q.hops == 2]
    if hops == 1:
        told = list({q.text: q for q in map(_first_hop, told)}.values())
    path = folder / f"musique_world_{count}_{hops}.jsonl"
    path.write_text("\n".join(json.dumps(_record(q, texts)) for q in told[:count]), "utf-8")
    return path


def _first_hop(question: Question) -> Question:
    fact = question.chain[0]
    text = LANGUAGE.asked[fact.relation][0].format(fact.head)
    plain = fact.tail.partition(" (")[0]
    return replace(question, text=text, answer=fact.tail, aliases=(plain,), hops=1, chain=(fact,))


def _record(question: Question, texts: Mapping[str, str]) -> dict[str, object]:
    paragraphs = [
        {
            "idx": number,
            "title": title,
            "paragraph_text": texts[title],
            "is_supporting": title in question.titles,
        }
        for number, title in enumerate(question.paragraphs)
    ]
    return {
        "id": hashlib.sha256(question.text.encode()).hexdigest()[:12],
        "question": question.text,
        "paragraphs": paragraphs,
        "answer": question.answer,
        "answer_aliases": question.aliases,
        "answerable": True,
    }


def main() -> None:
    """Print a line a round."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("model", nargs="?", type=Path, default=HERE)
    options.add_argument("--questions", type=int, default=40)
    options.add_argument("--hops", type=int, default=2, choices=(1, 2))
    options.add_argument("--rounds", type=int, default=2)
    options.add_argument("--seeds", type=int, nargs="*", default=[0, 1])
    options.add_argument("--backtracing", nargs="*", default=["yes", "no"], choices=("yes", "no"))
    options.add_argument("--out", type=Path, default=Path("build/world_model/self-training"))
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    asked = asked_for(given.out, given.questions, given.hops)
    for backtracing in (word == "yes" for word in given.backtracing):
        for seed in given.seeds:
            model = LlamaCpp(given.model, context=4096)
            tools = Hoptrail(given.out / "none.db", encoder=WordEncoder(256), model=model)
            how = Collecting("knowtrace:passages=3:rounds=3", own=True, backtracing=backtracing)
            lora = Lora(epochs=2, batch=8, learning_rate=3e-4, seed=seed)
            folder = given.out / f"{'distilled' if backtracing else 'all'}-{seed}"
            for told in self_train(
                tools, [asked], how, Tuning("lora", given.rounds, lora=lora), folder
            ):
                way = "with" if backtracing else "without"
                right, share = f"{told['kept']} of {told['questions']}", told["filtered_to_all"]
                at = f"{way} backtracing, seed {seed}, round {told['round']}"
                print(f"{at}: {right} right, FA {share:.2f}", flush=True)


if __name__ == "__main__":
    main()
