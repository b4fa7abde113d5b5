"""`hoptrail ingest`: its options, and what it teaches by --help."""

import os
import re
import sys
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from ...kg.errors import BadRequest
from ...kg.text.language import ENGLISH, NAMES
from ...loaders import FORMATS, Options, measure
from ...loaders.options import for_files
from ..console.counting import counted
from ..console.interrupting import all_or_nothing, written
from ..console.printing import note, print_json
from ..console.safe import in_a_line
from ..settings import TRIPLES, Settings
from ..written import WrittenMeter
from .options import json_option

if TYPE_CHECKING:
    from ...kg.ingest.workers import Report
    from ..hoptrail import Hoptrail

NOT_ENGLISH = (
    "Some documents are not in English, the only language that triples are extracted from without "
    "a language model. `search` finds them by words, names and meaning, `ask` will rarely assert "
    "an answer from them; --triples model reads them (docs/languages.md)."
)
_ADDRESS = re.compile(
    r"(?:(?P<local>localhost)|www\.[^/\s]+|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?=[:/])"
    r"|[\w.-]+(?=:\d))(?P<port>:\d{1,5})?(?:/\S*)?\Z",
    re.IGNORECASE,
)
"""An address without its scheme: localhost:8000/x, www.example.org, example.org/handbook.pdf."""
MAX_SUFFIXES = 8  # of files that were passed over, by name


@click.command(short_help="Put files, folders, dumps and records into the graph.")
@click.argument("paths", nargs=-1, required=True)
@click.option(
    "--format",
    "format_",
    type=click.Choice(list(FORMATS)),
    help="Read every file as this, whatever its suffix  [default: by suffix; standard input: text]",
)
@click.option(
    "--encoding",
    metavar="NAME",
    default="utf-8",
    show_default=True,
    help="Of text, Markdown, CSV and TSV files: windows-1252, utf-16, …",
)
@click.option(
    "--title",
    default="",
    help="What standard input is called; the same title again replaces it.",
)
@click.option(
    "--text-field",
    metavar="NAME",
    multiple=True,
    help="Field that holds a record's text; repeatable, joined as paragraphs  [default: text, "
    "body, content, abstract, passage, description or answer]",
)
@click.option(
    "--title-field",
    metavar="NAME",
    help='Field that holds its title, "" for none  [default: title, name, heading, headline or '
    "question]",
)
@click.option(
    "--id-field",
    metavar="NAME",
    help='Field by which an edited record replaces itself; "" for none: then title and text are '
    "its identity  [default: id, _id or url]",
)
@click.option(
    "--metadata-field",
    metavar="NAME",
    multiple=True,
    help="Field to keep with the document; repeatable  [default: all others with plain values]",
)
@click.option(
    "--files",
    metavar="PATTERN:SETTING=NAME:…",
    multiple=True,
    help="Fields of the files that a pattern matches, before the options above: "
    "'films*.csv:text=plot+notes:title=film:id=imdb'; also metadata=, format= and encoding=. "
    "Repeatable; the first that matches counts",
)
@click.option(
    "--limit",
    metavar="N",
    type=click.IntRange(1),
    help="Stop after N documents: to try a large dump.",
)
@click.option(
    "--passage-tokens",
    metavar="N",
    default=200,
    show_default=True,
    type=click.IntRange(8),
    help="Encoder tokens a passage has at most.",
)
@click.option(
    "--overlap",
    default=0,
    show_default=True,
    type=click.IntRange(0),
    help="Sentences repeated from the passage before.",
)
@click.option(
    "--embed-triples/--no-embed-triples",
    default=None,
    help="Encode all triples now (2.8 times the encoding), or each when a question first meets "
    "it: then those next to TRACE's chains, up to 1,000 a question  [default: now on a server, "
    "later in a file]",
)
@click.option(
    "--keep-parses/--no-keep-parses",
    default=True,
    help="Keep the parses that questions read, some 1.2 kB a passage, or make them for each "
    "question again  [default: keep]",
)
@click.option(
    "--triples",
    type=click.Choice(TRIPLES),
    default=TRIPLES[0],
    show_default=True,
    help="Where triples come from: rules over a dependency parse, or the model of --model.",
)
@click.option(
    "--regenerate",
    is_flag=True,
    help="Also take up unchanged documents whose triples another parse or model gave.",
)
@click.option(
    "--prune",
    is_flag=True,
    help="Afterwards remove documents from these files or below these folders that are no longer "
    "there: deleted rows, deleted files.",
)
@json_option
@click.pass_obj
def ingest(
    settings: Settings,
    paths: tuple[str, ...],
    as_json: bool,
    **options: Any,  # noqa: ANN401 - click checks them
) -> None:
    """Put files, folders, dumps and records into the graph.

    PATHS are files, folders, quoted patterns, URLs, or - for standard input. Formats go by suffix:
    text (.txt), Markdown (.md), RST, HTML, PDF, DOCX, XLSX, PPTX, EPUB, also packed (.gz); records
    as CSV, TSV, JSON and JSONL, each a document, whose row is its text where it has none; question
    files of HotpotQA, 2WikiMultihopQA, MuSiQue, IIRC and QuALITY, each paragraph a document; dumps
    of Wikipedia (pages-articles.xml.bz2), whose links are kept. docs/formats.md says what becomes
    of each.

    \b
    hoptrail ingest docs/ 'reports/**/*.pdf'
    hoptrail ingest films.csv --text-field plot --title-field film --id-field imdb
    hoptrail ingest tables/ --files 'films*.csv:text=plot:title=film' --files '*.csv:title=name'
    hoptrail ingest https://example.org/handbook.pdf
    hoptrail ingest enwiki-latest-pages-articles.xml.bz2 --limit 1000
    jq -c '.items[]' all.json | hoptrail ingest - --format jsonl

    Safe to repeat: what is there unchanged is passed over, what has changed replaces exactly its
    own part, and an interrupted run is finished by the same command. A file that can't be read is
    recorded with the reason, the rest goes on, and the exit status is 1. What is no longer in a
    file or folder stays in the graph unless --prune is given.
    """  # noqa: D301 - click wants the character, not its name
    reading = _reading(options)
    with all_or_nothing("Nothing was written yet."), _opened(settings) as hop:
        report = ingest_with_progress(hop, paths, reading, as_json=as_json, **options)
    if report.failures:
        sys.exit(1)


def _opened(settings: Settings) -> "Hoptrail":
    from ..hoptrail import Hoptrail

    return Hoptrail.of(settings)


def _reading(options: dict[str, Any]) -> Options:
    """Takes out of the options those that say how sources are read."""
    return Options(
        format=options.pop("format_") or "",
        title=options.pop("title"),
        text_fields=options.pop("text_field"),
        title_field=options.pop("title_field"),
        id_field=options.pop("id_field"),
        metadata_fields=options.pop("metadata_field") or None,
        limit=options.pop("limit"),
        encoding=options.pop("encoding"),
        files=tuple(map(for_files, options.pop("files"))),
    )


def ingest_with_progress(
    hop: "Hoptrail",
    paths: Sequence[str],
    reading: Options,
    *,
    as_json: bool,
    **options: Any,  # noqa: ANN401 - Hoptrail.ingest checks them
) -> "Report":
    """Ingest with progress on standard error, and a summary there or as JSON on standard output.

    Args:
        reading: how files are read.
        options: of `Hoptrail.ingest`.
    """
    _check_addresses(paths)
    meter = WrittenMeter(total=measure(paths, reading).total)
    report = _with_bar(hop, paths, reading, meter, **options)
    documents = report.added + report.changed + report.unchanged
    if reading.limit and documents >= reading.limit:
        stopped = f"Stopped after {counted(documents, 'document')}"
        note(f"{stopped}; without --limit it goes on to the others.")
    elif not reading.limit:
        for pattern in sorted(dict(reading.files).keys() - meter.matched):
            note(f"--files {pattern}: none of the files read matches it.")
    if as_json:
        beside = {"passed_over": dict(sorted(meter.passed_over.items())), "joined": meter.joined}
        print_json({**report.to_dict(), **beside})
    else:
        print_summary(hop, report)
        for said in filter(None, (_passed_over(meter.passed_over), _joined(meter.joined))):
            note(in_a_line(said))
        if options.get("triples") == "model" and report.unchanged and not options["regenerate"]:
            note("Unchanged documents keep the triples they have; --regenerate replaces others'.")
    return report


def _check_addresses(paths: Sequence[str]) -> None:
    """Refuse what looks like an address without its scheme: no file is called localhost:8000/x."""
    for path in paths:
        if (found := _ADDRESS.match(path)) and not os.path.lexists(path):
            whole = f"{'http' if found['port'] or found['local'] else 'https'}://{path}"
            raise BadRequest(
                f"There is no file or folder {path}. If it is an address, write it whole: {whole}"
            )


def _with_bar(
    hop: "Hoptrail",
    paths: Sequence[str],
    reading: Options,
    meter: WrittenMeter,
    **options: Any,  # noqa: ANN401 - as above
) -> "Report":
    from ...kg.ingest.workers import Report
    from ..console.progress import reading_bar

    report = Report()
    with reading_bar() as progress:
        task = progress.add_task("Ingesting", total=meter.total or None, report=report)
        told: list[None] = []
        shown = 0  # documents whose batches were written

        def show(so_far: Report) -> None:
            nonlocal shown
            if has_written(so_far):
                written()
            if so_far.seen > shown:
                shown = so_far.seen
                total = meter.total or None  # standard input is known only once it has been read
                progress.update(task, completed=meter.written(shown), total=total)
            if _foreign(so_far) and options.get("triples") != "model" and not told:
                told.append(note(NOT_ENGLISH))

        hop.ingest(*paths, reading=reading, meter=meter, progress=show, report=report, **options)
    return report


def has_written(report: "Report") -> bool:
    """Tell whether something of this ingestion is in the graph."""
    return bool(report.added or report.changed or report.failures)


def _foreign(report: "Report") -> list[tuple[str, int]]:
    """Languages other than English and how many documents are in them, the most first."""
    return [(code, count) for code, count in report.languages.most_common() if code != ENGLISH]


def _passed_over(counts: Counter[str]) -> str:
    """Say what has no loader: "Passed over 14 files: 9 .png, 3 .zip, 2 without suffix."."""
    total = counts.total()
    if not total:
        return ""
    listed = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    shown = [f"{count:,} {suffix or 'without suffix'}" for suffix, count in listed[:MAX_SUFFIXES]]
    left = total - sum(count for _, count in listed[:MAX_SUFFIXES])
    shown += [counted(left, "other")] if left else []
    return f"Passed over {counted(total, 'file')}: {', '.join(shown)}."


def _joined(rows: list[str]) -> str:
    """Say which rows of tables had fields too many that could be put together."""
    if not rows:
        return ""
    left = len(rows) - MAX_SUFFIXES
    shown = "; ".join(rows[:MAX_SUFFIXES]) + (f"; {counted(left, 'other')}" if left > 0 else "")
    return f"A field that holds the delimiter, though not in quotes, was put together: {shown}."


def print_summary(hop: "Hoptrail", report: "Report") -> None:
    """Say what an ingestion did."""
    note(
        f"{hop.store.where}: {counted(report.added, 'document')} added, "
        f"{report.changed:,} changed, {report.unchanged:,} unchanged; "
        f"{counted(report.passages, 'passage')}, {counted(report.statements, 'statement')}."
    )
    if report.removed:
        note(f"Removed {counted(report.removed, 'document')}, no longer there.")
    if not report.seen:
        none = "" if hop.store.info() else " No graph was made."
        note(f"There is no file of a known format; --format NAME reads every file as that.{none}")
    if foreign := _foreign(report):
        counts = ", ".join(f"{count:,} {NAMES[code]}" for code, count in foreign)
        note(f"Documents in other languages than English: {counts}.")
    stages = ", ".join(f"{s} {t:.1f} s" for s, t in report.seconds.items() if t and s != "wall")
    if stages:
        stages = f" ({stages}; the stages overlap)"
    note(f"{report.seconds['wall']:.1f} s{stages}.")
    if report.invalid:
        note(f"Of {counted(report.invalid, 'passage')} the model said nothing that is a triple.")
    for failure in report.failures:
        note(in_a_line(f"not read: {failure.source}: {failure.reason}"))
    if report.failures:
        what = counted(len(report.failures), "source")
        note(f"{what} could not be read; mend what is wrong and repeat the command.")
