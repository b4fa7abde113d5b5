"""Questions of a benchmark file, in the layout of the dataset or of this project.

The layout is told from each record's content; beside this module lies one for each,
which says what fields it has.
"""

from collections.abc import Iterator
from pathlib import Path

from ..fields import TEXTS
from ..records import Record, quoted, records
from ..rows import rows
from . import bamboogle, fever, hotpotqa, iirc, musique, own, quality, squad
from .aliases import Aliases
from .question import Fact, Paragraph, Question

__all__ = [
    "Fact",
    "Paragraph",
    "Question",
    "is_answered",
    "is_question",
    "parse_questions",
    "read_questions",
]

_TABLES = (".csv", ".tsv")
_OF_BENCHMARKS = frozenset(
    "answer_aliases answerable context dataset decomposition evidences hops options paragraphs"
    " question_decomposition supporting_facts".split()
)
_ENDS = (".", "!", "?", "…")
_LONG = 5  # words; a longer answer needs no full stop to be a sentence


def read_questions(path: Path) -> Iterator[Question]:
    """Yield the questions of a file in its order.

    Args:
        path: JSON lines, one JSON array, or a table (Bamboogle's).

    Raises:
        SourceError: the file can't be read, a record is malformed (named by its line or number,
            and field), or an id comes twice.
    """
    aliases, seen = Aliases(path.parent), set[str]()
    for record in rows(path) if path.suffix.lower() in _TABLES else records(path):
        for question in parse_questions(record, aliases):
            if question.id in seen:
                raise record.error(f"id {quoted(question.id)} comes again; a file has each once")
            seen.add(question.id)
            yield question


def parse_questions(record: Record, aliases: Aliases | None = None) -> Iterator[Question]:
    """Return the questions of one record: several where it is a passage or an article.

    Args:
        record: of any layout.
        aliases: of entities; by default none.

    Raises:
        SourceError: a field is missing or of the wrong kind.
    """
    data, aliases = record.data, aliases or Aliases(None)
    if _is_squad(record):
        yield from squad.questions(record)
    elif _asks_several(record):
        yield from quality.questions(record) if "article" in data else iirc.questions(record)
    elif _is_claim(record):
        yield fever.question(record)
    elif "Question" in data and "question" not in data:
        yield bamboogle.question(record)
    elif "context" in data:
        yield hotpotqa.question(record, aliases)
    elif _is_musique(record):
        yield musique.question(record)
    else:
        yield own.question(record, aliases)


def is_question(record: Record) -> bool:
    """Tell whether a record asks, rather than being a document."""
    data = record.data
    asks = "question" in data or data.keys() == {"Question", "Answer"}
    return asks or _is_article(record) or _is_claim(record) or _is_squad(record)


def is_answered(record: Record) -> bool:
    """Tell whether a record asks and tells the answer in a sentence: of a list of such, a FAQ."""
    asked, answer = record.data.get("question"), record.data.get("answer")
    if not (isinstance(asked, str) and isinstance(answer, str)):
        return False
    told = answer.strip().endswith(_ENDS) or len(answer.split(None, _LONG)) > _LONG
    return told and not _OF_BENCHMARKS & record.data.keys()


def _is_article(record: Record) -> bool:
    """Whether a record is an article or passage with its questions."""
    asked = record.data["questions"] if _asks_several(record) else None
    if not isinstance(asked, list):
        return False
    objects = bool(asked) and all(isinstance(one, dict) for one in asked)
    return "article" in record.data or (objects and {"text", "links"} <= record.data.keys())


def _asks_several(record: Record) -> bool:
    return "questions" in record.data and "question" not in record.data


def _is_claim(record: Record) -> bool:
    return "claim" in record.data and not record.data.keys() & {"question", *TEXTS}


def _is_squad(record: Record) -> bool:
    """Whether a record is an article of SQuAD, or all of them."""
    articles = record.data.get("data", [record.data])
    first = articles[0] if isinstance(articles, list) and articles else None
    paragraphs = first.get("paragraphs") if isinstance(first, dict) else None
    first = paragraphs[0] if isinstance(paragraphs, list) and paragraphs else None
    return isinstance(first, dict) and {"context", "qas"} <= first.keys()


def _is_musique(record: Record) -> bool:
    paragraphs = record.data.get("paragraphs")
    first = paragraphs[0] if isinstance(paragraphs, list) and paragraphs else None
    named = isinstance(first, dict) and "paragraph_text" in first
    return named or "question_decomposition" in record.data
