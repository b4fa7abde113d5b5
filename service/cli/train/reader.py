"""`train reader` and `train spans`: what answers without a language model."""

from dataclasses import replace
from importlib import resources
from pathlib import Path

import click

from ...console.interrupting import all_or_nothing
from ...console.printing import note, print_json
from ...settings import Settings
from ..options import OUT_FILE, files, in_a_folder, json_option
from .parts import NOTHING, READABLE, kept


@click.command()
@files
@click.option(
    "--out",
    type=OUT_FILE,
    callback=in_a_folder,
    default=Path("reader.json"),
    show_default=True,
    help="Where the weights go; HOPTRAIL_READER=FILE makes `ask` use them.",
)
@json_option
@click.pass_obj
def reader(settings: Settings, data: tuple[Path, ...], out: Path, as_json: bool) -> None:
    """Fit the reader's scorer, judge and calibrator on question files (files weighted alike).

    Questions that bring no paragraphs are read from what is found for them in the graph. The
    packaged weights were fitted likewise, to questions over many kinds of documents, not to yours.
    Takes minutes: every paragraph is parsed and encoded.
    """
    from ....reasoning.reader.judging.weights import READER
    from ...training.reader import train_reader

    with all_or_nothing(NOTHING):
        weights = train_reader(settings, data)
    READER.save(weights, out)
    if as_json:
        print_json({"fitted": "reader", "provenance": weights.provenance, **kept(out)})
        return
    note(f"Wrote {out} ({out.stat().st_size:,} bytes). Use it with HOPTRAIL_READER={out}")


@click.command(short_help="Fit the span reader: which stretch of a text answers.")
@files
@click.option(
    "--out",
    type=OUT_FILE,
    callback=in_a_folder,
    default=Path("spans.safetensors"),
    show_default=True,
    help="Where its weights go; HOPTRAIL_SPANS=FILE makes `ask` use them.",
)
@click.option(
    "--sentences",
    is_flag=True,
    help="Fit the larger one that reads single sentences once more, from the packaged weights on "
    "(--rate 1e-4 suits), to what misleads the other, too, which takes an eighth of a second a "
    "question first; HOPTRAIL_SENTENCES=FILE makes `ask` use them.",
)
@click.option(
    "--steps",
    default=1300,
    show_default=True,
    type=click.IntRange(1),
    help="Of two batches of 3,600 tokens: about three seconds each on two cores.",
)
@click.option(
    "--rate",
    default=3e-4,
    show_default=True,
    type=click.FloatRange(0, 1, min_open=True),
    help="The learning rate; a third of it suits --begin.",
)
@click.option(
    "--begin",
    type=READABLE,
    help="Go on from these weights: first fit to many questions of others, then to a few of yours.",
)
@click.option(
    "--teacher",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="FOLDER",
    help="A larger network for transformers (all-mpnet-base-v2, any with BERT's uncased words): it "
    "learns first, and the reader from what it says. On a processor that takes days.",
)
@json_option
@click.pass_obj
def spans(
    settings: Settings,
    data: tuple[Path, ...],
    out: Path,
    sentences: bool,
    steps: int,
    rate: float,
    begin: Path | None,
    teacher: Path | None,
    as_json: bool,
) -> None:
    """Fit the packaged encoder to find the stretch of a text which answers.

    Question files are of any layout: SQuAD, HotpotQA, MuSiQue, your own. Questions that bring no
    paragraphs are read from what is found for them in the graph. The packaged weights were fitted
    to SQuAD and SQuADShifts, then to the others and to questions about own documents, and to what
    two larger networks say of these. A GPU is used where there is one. Fit the reader's weights
    anew afterwards: they hold how far it is trusted.
    """
    from ....models.span_reader import SENTENCES, TEXTS
    from ....reasoning.training.span_rows import OF_SENTENCES, Drawing
    from ....reasoning.training.spans import Schedule
    from ...training.spans import train_spans

    source = SENTENCES if sentences else TEXTS
    with all_or_nothing(NOTHING), resources.as_file(SENTENCES.packaged) as packaged:
        begin = begin or (packaged if sentences else None)
        drawing = OF_SENTENCES if sentences else Drawing()
        drawing = replace(drawing, anywhere=0.5) if teacher else drawing
        how = Schedule(steps, rate=rate, drawing=drawing)
        provenance = train_spans(settings, data, how, out, begin, teacher)
    if as_json:
        print_json({"fitted": "spans", "provenance": provenance, **kept(out)})
        return
    note(f"Wrote {out} ({out.stat().st_size:,} bytes). Use it with {source.setting}={out}")
