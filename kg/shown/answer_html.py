"""An answer as HTML for notebooks; whatever documents say in it is text, not markup."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from ..linked import Origin
from ..text.marking import Excerpt
from .guesses import in_words, with_chance

MAX_CITED = 5

Values = Mapping[str, Any]


def answer_html(answer: Values) -> str:
    """Write question, answer or guesses, the best chain and the first cited passages as HTML.

    Args:
        answer: as `Answer.to_dict` gives it.
    """
    places = {one["id"]: _where(one) for one in answer["passages"]}
    parts = [f"<div><p><em>{escape(answer['question'])}</em></p><p>{_said(answer)}</p>"]
    parts += [_step(one, answer["passages"]) for one in answer["subanswers"]]
    if answer["abstained"] and answer["chains"]:
        parts.append("<p><small>Chain, to the first candidate</small></p>")
    parts += [_chain(chain, places) for chain in answer["chains"][:1]]
    if answer["quote"] and (answer["abstained"] or not answer["chains"]):
        parts.append(_read(answer["quote"], answer["passages"]))
    parts += [_cited(one) for one in answer["passages"][:MAX_CITED]]
    return "".join([*parts, "</div>"])


def _said(answer: Values) -> str:
    if not answer["abstained"]:
        sure = answer["confidence"]
        said = f"<strong>{escape(answer['answer'])}</strong>"
        return said if sure is None else f"{said} (confidence {sure:.2f})"
    guesses = [(one["text"], one["probability"]) for one in answer["candidates"]]
    shown = escape(in_words(guesses, withheld=answer["withheld"]))
    why = f": {answer['missing'].rstrip('.')}" if answer["missing"] else ""
    advice = f" {escape(answer['advice'])}" if answer["advice"] else ""
    return f"<strong>Insufficient evidence{escape(why)}.</strong>{advice} {shown}".rstrip()


def _step(step: Values, passages: Sequence[Values]) -> str:
    """What the question describes, what that was found to be, and where."""
    found = with_chance(step["text"], step["confidence"], withheld=step["withheld"])
    said = f"<p>{escape(step['question'])} {escape(found)}</p>"
    return said + (_read(step["quote"], passages) if step["quote"] else "")


def _chain(chain: Values, places: Mapping[str, str]) -> str:
    lines = []
    for step in chain["triples"]:
        text = escape(f"⟨{step['head']}; {step['relation']}; {step['tail']}⟩")
        named = "; ".join(dict.fromkeys(places.get(id_, id_) for id_ in step["passage_ids"]))
        named = Origin(**step["wikidata"]).shown if step["wikidata"] else named
        said = "".join(map(_stated, step["stated"][:1]))
        lines.append(f"<li>{text} <small>[{escape(named)}]</small>{said}</li>")
    return f"<ol>{''.join(lines)}</ol>"


def _stated(stated: Values) -> str:
    """The sentence that states a triple, with its words marked."""
    return f"<br>“{_marked(stated['sentence'], stated['start'], stated['marked'])}”"


def _marked(text: str, start: int | None, spans: Sequence[Sequence[int]]) -> str:
    at = start or 0
    said = Excerpt(text, at, at + len(text), tuple((first, last) for first, last in spans))
    pieces = (f"<mark>{escape(one)}</mark>" if mark else escape(one) for one, mark in said.parts())
    return "".join(pieces)


def _read(quote: Values, passages: Sequence[Values]) -> str:
    """The sentence that the answer, or the best guess, was read in."""
    cited = (one for one in passages if one["id"] == quote["passage_id"])
    headed = (_where({**one, "heading": quote["heading"] or one["heading"]}) for one in cited)
    where = next(headed, quote["passage_id"])
    said = _marked(quote["text"], quote["start"], quote["marked"])
    return f"<p>“{said}” <small>[{escape(where)}]</small></p>"


def _cited(passage: Values) -> str:
    text = escape(passage["text"])
    return f"<details><summary>{escape(_place(passage))}</summary><p>{text}</p></details>"


def _where(passage: Values) -> str:
    """Where a passage stands, with its file."""
    named = passage["title"], ""
    source = "" if passage["wikidata"] or passage["source"] in named else passage["source"]
    return " · ".join(filter(None, (_place(passage), source)))


def _place(passage: Values) -> str:
    page = "" if passage["page"] is None else f"p. {passage['page']}"
    heading = "" if passage["heading"] == passage["title"] else passage["heading"]
    from_ = Origin(**passage["wikidata"]).shown if passage["wikidata"] else ""
    return ", ".join(filter(None, (passage["title"] or "(no title)", page, heading, from_)))
