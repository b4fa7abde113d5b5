"""Triples by a model on a server, 1, 4 and 16 passages in flight.

`python benchmarks/model_triples.py FILE --model openai:http://localhost:8080/v1` sends the same
passages, with the packaged prompt and its grammar, once for each number in flight, and prints
passages and generated tokens a second, as a ratio to one at a time. Start the server with as many
slots (llama-server --parallel 16 --ctx-size 32768).

With random weights the answers are nonsense of full length: the figures say how requests overlap,
not what a model would find.
"""

import argparse
import itertools
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hoptrail.kg.errors import BadRequest
from hoptrail.kg.ingest.pipeline import reading
from hoptrail.kg.types import Passage
from hoptrail.loaders import documents
from hoptrail.models.cache import Cached
from hoptrail.models.encoder import SentenceEncoder
from hoptrail.models.language import GREEDY, Completion, Decoding, LanguageModel
from hoptrail.models.opening import open_model
from hoptrail.models.server.model import OpenAIServer
from hoptrail.reasoning.extraction import ModelTriples


class Counting:
    """A model that keeps what it was last told."""

    def __init__(self, model: LanguageModel) -> None:
        self.model = model
        self.said: list[Completion] = []

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the model has
        return getattr(self.model, name)

    def generate(self, prompts: Sequence[str], decoding: Decoding = GREEDY) -> list[Completion]:
        """As the model."""
        self.said = self.model.generate(prompts, decoding)
        return self.said


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, help="documents or a question file")
    parser.add_argument("--model", required=True, help="openai:URL#name")
    parser.add_argument("--passages", type=int, default=32)
    parser.add_argument("--in-flight", type=int, nargs="+", default=[1, 4, 16])
    parser.add_argument("--max-tokens", type=int, default=128)
    options = parser.parse_args()
    passages = first_passages(options.file, options.passages)
    print(f"{'in flight':>9}{'passages/s':>12}{'tokens/s':>10}{'ratio':>7}{'statements':>12}")
    alone = None
    for number in options.in_flight:
        seconds, tokens, stated = run(options.model, number, passages, options.max_tokens)
        alone = alone or seconds
        print(
            f"{number:>9}{len(passages) / seconds:>12.2f}{tokens / seconds:>10.0f}"
            f"{alone / seconds:>7.2f}{stated:>12}",
            flush=True,
        )


def first_passages(file: Path, count: int) -> list[Passage]:
    """Of the first documents that have text, one each."""
    found = (item for item in documents([file]) if getattr(item, "text", ""))
    return [Passage(d.id, 0, d.title, d.text[:1200]) for d in itertools.islice(found, count)]


def run(
    spec: str, in_flight: int, passages: list[Passage], max_tokens: int
) -> tuple[float, int, int]:
    """(seconds, tokens generated, statements); nothing comes from a cache."""
    opened = open_model(spec)
    server = opened.model if isinstance(opened, Cached) else opened
    if not isinstance(server, OpenAIServer):
        raise BadRequest("This measures a server: --model openai:URL#name.")
    server.in_flight = in_flight
    counting = Counting(server)
    encode = SentenceEncoder().encode_passages
    vectors = encode([reading(passage) for passage in passages])
    extract = ModelTriples(counting, encode, max_tokens=max_tokens)
    extract(passages[:1], vectors[:1])  # the server's caches are warm for all alike
    started = time.perf_counter()
    stated = extract(passages, vectors)
    seconds = time.perf_counter() - started
    server.close()
    tokens = sum(said.tokens_out for said in counting.said)
    return seconds, tokens, sum(len(found or ()) for found in stated)


if __name__ == "__main__":
    main()
