"""QuALITY: a long article and questions with four options each.

article_id, title, article (HTML, or its text in the "htmlstripped" files),
questions [{question, question_unique_id, options [text], gold_label (1 to 4), difficult (0, 1)}].
"""

import re
from collections.abc import Iterator

from ..records import Record
from . import parts
from .question import Paragraph, Question

_HTML = re.compile(r"<(?:html|body|p|div|br)\b", re.IGNORECASE)


def questions(record: Record) -> Iterator[Question]:
    """Read the questions of an article, which is the one paragraph of each.

    Those of the test set have no answer; `type` is "hard" where most who read fast went wrong.

    Raises:
        SourceError: a field is missing or of the wrong kind.
    """
    article = Paragraph(record.text("title", ""), _text(record), True)
    for asked in record.inner("questions"):
        options = asked.texts("options")
        gold = parts.whole(asked, "gold_label", 0)
        if len(options) < 2:
            raise asked.error("field 'options' must hold what there is to choose from")
        if not 0 <= gold <= len(options):
            raise asked.error(f"field 'gold_label' must be 1 to {len(options)}")
        yield Question(
            id=asked.text("question_unique_id", "") or asked.place,
            question=asked.text("question"),
            answer=options[gold - 1] if gold else "",
            aliases=(),
            type="hard" if parts.whole(asked, "difficult", 0) else "",
            hops=0,
            paragraphs=(article,),
            evidences=(),
            dataset="quality",
            options=options,
        )


def _text(record: Record) -> str:
    text = record.text("article")
    if not _HTML.search(text):
        return text.strip()
    from ..html.markup import page

    try:
        return page(text).text
    except ValueError as error:
        raise record.error(f"field 'article' can't be read as HTML: {error}") from None
