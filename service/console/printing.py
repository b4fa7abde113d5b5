"""Answers, passages and counts in a terminal, and as JSON."""

import io
import itertools
import logging
import re
import sys
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import replace

import click

from ...kg.answers import RIVAL, Answer, Citation, Copy, Quote, Step, SupportedTriple
from ...kg.shown.guesses import in_words, with_chance
from ...kg.text.marking import Excerpt
from ...kg.text.words import stems
from ...kg.types import Passage, Triple
from ..hits import Hit, ListedDocument
from .safe import as_json, in_a_line, is_dumb, printable

WIDTH = 100
_ON, _OFF = "\ue000", "\ue001"  # around marked words until lines are cut
_MARKS = re.compile(f"[{_ON}{_OFF}]")
MAX_SOURCES = 5  # named of a passage that stands in many


def say(text: str = "", *, bold: bool = False, dim: bool = False) -> None:
    """Write a line on standard output."""
    click.secho(printable(text), bold=bold or None, dim=dim or None)


def note(text: str) -> None:
    """Write a line on standard error: progress, hints, errors."""
    click.echo(printable(text), err=True)


def print_json(value: object) -> None:
    """Write one object on standard output, and nothing else."""
    click.echo(as_json(value, ascii_only=not _utf8()))


def show_usage(error: click.ClickException) -> None:
    """Show what click says of wrong arguments, which it quotes as they are."""
    said = io.StringIO()
    error.show(said)
    note(said.getvalue().rstrip("\n"))


class Notes(logging.Handler):
    """Writes log lines that nobody else takes: libraries' warnings, which may quote documents."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a log line as a note."""
        note(self.format(record))


def triple_text(triple: Triple) -> str:
    """Show a triple as ⟨head; relation; tail⟩."""
    return f"⟨{triple.head}; {triple.relation}; {triple.tail}⟩"


def named(passage: Passage | Citation) -> str:
    """Name a passage by title and place in its document: "Grieg, p. 12, Later years"."""
    page = "" if passage.page is None else f"p. {passage.page}"
    heading = "" if passage.title.endswith(passage.heading) else passage.heading
    return ", ".join(filter(None, (passage.title or "(no title)", page, heading)))


def excerpt(text: str, width: int, lines: int = 2) -> list[str]:
    """Cut the first lines of a passage."""
    return textwrap.wrap(" ".join(text.split()), width, max_lines=lines, placeholder=" …")


def print_quote(quote: Excerpt, indent: str, where: str = "") -> None:
    """Print a sentence with its marked words in bold; where nothing is bold, between asterisks."""
    plain, bold = is_dumb() or not sys.stdout.isatty(), False
    pieces = ((_MARKS.sub(" ", piece), marked) for piece, marked in quote.parts())
    text = "".join(f"{_ON}{piece}{_OFF}" if marked else piece for piece, marked in pieces)
    text = f"“{in_a_line(text)}”" + (f"  {in_a_line(where)}" if where else "")
    for line in textwrap.wrap(text, WIDTH - len(indent), break_on_hyphens=False):
        shown = ""
        for piece in re.split(f"([{_ON}{_OFF}])", line):
            if piece in (_ON, _OFF):
                bold = piece == _ON
                shown += "**" * plain
            else:
                shown += piece if plain else click.style(piece, bold=bold, dim=not bold)
        click.echo(indent + shown)


def print_answer(answer: Answer, *, all_chains: bool = False) -> None:
    """Print the answer, its best chain or all of them, and the cited passages."""
    if answer.abstained:
        why = f": {in_a_line(answer.missing).rstrip('.')}" if answer.missing else ""
        say(f"Insufficient evidence{why}.", bold=True)
        if answer.advice:
            say(answer.advice)
        guesses = in_words(answer.guesses, withheld=answer.withheld)
        if guesses:
            say(in_a_line(guesses))
        if answer.quote:
            several = len(answer.guesses) > 1
            found = "The first of them stands in" if several else "It stands in"
            head = found if guesses else "Closest to the question is"
            _print_read(answer, answer.quote, head)
    else:
        sure = f"   (confidence {answer.confidence:.2f})" if answer.confidence is not None else ""
        say(f"{in_a_line(answer.text)}{sure}", bold=True)
        rivals = [f"{text} ({p:.2f})" for text, p in answer.candidates[1:] if p >= RIVAL]
        if rivals:
            say(in_a_line(f"Or else: {', '.join(rivals)}"))
    _print_steps(answer)
    best = answer.best_chain
    chains = answer.chains if all_chains else (best,) if best else ()
    if answer.quote and not answer.abstained and not chains:
        _print_read(answer, answer.quote, "Read in")
    places = {citation.passage_id: named(citation) for citation in answer.passages}
    for number, chain in enumerate(chains, 1):
        heading = "Chain, to the first candidate" if answer.guessed_by(chain) else "Chain"
        say(f"{heading} {number}" if all_chains else heading, dim=True)
        for step in chain.triples:
            _print_step(step, answer, places)
    _print_passages(answer)


def _print_passages(answer: Answer) -> None:
    if not answer.passages and any(step.kind == "retrieve" for step in answer.steps):
        say("No passage was found. Try --retriever hop or dense, or other words.", dim=True)
    if answer.passages:
        say("Passages", dim=True)
    for citation in answer.passages:
        shown, text, quote = citation, citation.text, answer.quote
        if quote and quote.passage_id == citation.passage_id:
            text = text[max(0, text.find(quote.text)) :]
            shown = replace(citation, heading=quote.heading or citation.heading)
        say(f"  {in_a_line(_place(shown))}")
        for line in excerpt(text, WIDTH - 4, lines=1):
            say(f"    {line}", dim=True)
        _print_also(citation.also, 4)


def print_query(query: str) -> None:
    """Print the query that shows the answer's evidence, in one line to copy."""
    say(f"In Neo4j Browser: {query}", dim=True)


def _print_step(step: SupportedTriple, answer: Answer, places: dict[str, str]) -> None:
    """The triple, and the sentence that states it; where none is known, the passages."""
    say(f"  {in_a_line(triple_text(step.triple))}")
    if step.wikidata:
        say(f"      [{in_a_line(step.wikidata.shown)}]", dim=True)
        return
    cited = {citation.passage_id: citation for citation in answer.passages}
    quoted = answer.quote.text if answer.quote and answer.abstained else ""  # above the chain
    for stated in step.stated[:1]:
        if quoted and quoted in stated.excerpt.text:
            return
        of, heading = cited.get(stated.passage_id), stated.excerpt.heading
        where = f"[{_place(replace(of, heading=heading or of.heading))}]" if of else ""
        print_quote(stated.excerpt, "      ", where)
        return
    where = "; ".join(dict.fromkeys(places.get(p, p) for p in step.passage_ids))
    say(f"      [{in_a_line(where)}]", dim=True)


def _print_read(answer: Answer, quote: Quote, heading: str) -> None:
    """The sentence that the answer, or the first candidate, was read in."""
    say(heading, dim=True)
    _print_marked(answer, quote, "  ")


def _print_steps(answer: Answer) -> None:
    """What the question describes, and what that was found to be."""
    for number, step in enumerate(answer.subanswers):
        if not number:
            say("By way of", dim=True)
        found = with_chance(step.text, step.confidence, withheld=step.withheld)
        say(f"  {in_a_line(f'{step.question} {found}')}")
        if step.quote:
            _print_marked(answer, step.quote, "      ")


def _print_marked(answer: Answer, quote: Quote, indent: str) -> None:
    """A sentence with what was read in it marked, and where it stands."""
    cited = (one for one in answer.passages if one.passage_id == quote.passage_id)
    of = [_place(replace(one, heading=quote.heading or one.heading)) for one in cited]
    print_quote(quote.excerpt, indent, f"[{of[0]}]" if of else "")


def _place(passage: Citation) -> str:
    """Where a passage stands: "Grieg, p. 12, Later years · /notes/grieg.md"."""
    source = "" if passage.source == passage.title else passage.source
    source = passage.wikidata.shown if passage.wikidata else source
    return " · ".join(filter(None, (named(passage), source)))


def step_printer() -> Callable[[Step], None]:
    """Make a function that prints each step of a method as it happens, numbered."""
    numbers = itertools.count(1)

    def show(step: Step) -> None:
        tokens = f", {step.tokens:,} tokens" if step.tokens else ""
        say(f"Step {next(numbers)}: {step.name}, {step.seconds:.2f} s{tokens}", bold=True)
        for line in step.output.splitlines():
            say(f"  {line}")

    return show


def print_hits(hits: list[Hit], question: str, *, full: bool = False) -> None:
    """Print ranked passages: the sentences with most of the question's words, or all of them."""
    asked = frozenset(stems(question))
    said = (stems(f"{hit.passage.title} {hit.passage.heading} {hit.passage.text}") for hit in hits)
    quoted = [hit.sentences(question) for hit in hits]
    marked = any(quote.marked for quotes in quoted for quote in quotes)
    if hits and not marked and asked.isdisjoint(itertools.chain.from_iterable(said)):
        say("No passage found has a word of this; the nearest in meaning are", dim=True)
    for rank, hit in enumerate(hits, 1):
        told = () if full else quoted[rank - 1]
        over = next((quote.heading for quote in told if quote.heading), hit.passage.heading)
        say(f"{rank:3}  {in_a_line(named(replace(hit.passage, heading=over)))}", bold=True)
        if hit.source and hit.source != hit.passage.title:
            source = hit.wikidata.shown if hit.wikidata else hit.source
            say(f"     {in_a_line(source)}", dim=True)
        if full:
            for line in hit.passage.text.splitlines():
                for part in textwrap.wrap(line, WIDTH - 5):
                    say(f"     {part}")
        for quote in told:
            other = quote.heading != over and quote.heading
            print_quote(quote, "     ", f"[{other}]" if other else "")
        _print_also(hit.also, 5)


def _print_also(copies: Sequence[Copy], indent: int) -> None:
    """Name the other sources of a passage, the first MAX_SOURCES of them, and of similar ones."""
    for says, near in (("also in", False), ("similar in", True)):
        of = (copy for copy in copies if copy.near == near)
        named = list(dict.fromkeys(copy.source or copy.title for copy in of))
        if not named:
            continue
        more = f" and {len(named) - MAX_SOURCES} more" if len(named) > MAX_SOURCES else ""
        shown = ", ".join(named[:MAX_SOURCES])
        say(f"{' ' * indent}{says} {in_a_line(shown)}{more}", dim=True)


def print_documents(documents: list[ListedDocument]) -> None:
    """Print a line for each document: passages, day of ingestion, title, source."""
    for one in documents:
        title = in_a_line(one.title) or "(no title)"
        passages = f"{one.passages:,} passage{'' if one.passages == 1 else 's'}"
        say(f"{passages:>14}  {one.ingested_at[:10]}  {title}  ·  {in_a_line(one.source)}")


def print_counts(counts: dict[str, int]) -> None:
    """Print names and numbers in two columns."""
    width = max(map(len, counts), default=0)
    for name, count in counts.items():
        say(f"{name.replace('_', ' '):{width}}  {count:>10,}")


def _utf8() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
