"""`hoptrail demo`: the packaged corpus ingested and asked."""

import time

from .demo import corpus_folder, questions
from .hoptrail import Hoptrail
from .printing import note, print_answer, say
from .settings import Settings


def run(settings: Settings) -> None:
    """Ingest the demo corpus into the settings' graph and answer its questions as `ask` would."""
    started = time.perf_counter()
    note("Loading the encoder and the parser …")
    with Hoptrail.of(settings) as hop:
        with corpus_folder() as folder:
            report = hop.ingest(folder)
        counts = hop.statistics()
        note(
            f"{report.added} documents: {counts['passages']} passages, {counts['entities']} "
            f"entities, {counts['triples']} triples in {report.seconds['wall']:.1f} s."
        )
        for question in questions():
            say()
            say(f"? {question.text}", bold=True)
            print_answer(hop.ask(question.text))
    say()
    note(
        f"{time.perf_counter() - started:.0f} s in all. "
        "Your own documents: hoptrail ingest PATH, then hoptrail ask."
    )
