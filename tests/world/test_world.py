"""The world is what it says, and its reader knows nothing but the prompt."""

import dataclasses
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hoptrail.kg.errors import BadRequest
from world import SymbolicReader, World, pages, questions
from world.questions import CLAIMS
from world.reader import CHOOSES, SAYS
from world.wikidata import held, turtle
from world.wording import as_triple, stated
from world.world import bare

WORLD = World.made()
PAGES = {page.title: page for page in pages(WORLD)}
QUESTIONS = questions(WORLD)


def reading(question, titles):
    shown = "\n\n".join(f"[{n}] {title}\n{PAGES[title].text}" for n, title in enumerate(titles, 1))
    return (
        f"Answer the question from the passages alone.\n\n## Passages\n{shown}\n\n"
        f"## Question\n{question.text}\n\n## Answer\n"
    )


def read(question, titles, reader=None):
    [said] = (reader or SymbolicReader()).generate([reading(question, titles)])
    return said.text


def test_a_seed_makes_one_world():
    again = World.made()
    assert list(PAGES.values()) == pages(again)
    assert questions(again) == QUESTIONS
    assert World.made(seed=1).facts != WORLD.facts


def test_another_process_makes_the_same_world():
    told = "from world import *; w = World.made(); print([w.facts, pages(w), questions(w)])"
    done = subprocess.run(
        [sys.executable, "-c", told],
        cwd=Path(__file__).parents[1],
        env={**os.environ, "PYTHONHASHSEED": "1", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    assert done.stdout == f"{[WORLD.facts, [*PAGES.values()], QUESTIONS]}\n"


def test_claims_are_supported_refuted_or_neither():
    claims = questions(WORLD, 35, kinds=CLAIMS)
    assert {claim.answer for claim in claims} == {"supported", "refuted", ""}
    assert [read(c, c.titles) for c in claims] == [c.answer or "unknown" for c in claims]


def test_there_is_much_to_confuse():
    assert len(PAGES) == 300
    homonyms = [title for title in PAGES if " (" in title]
    assert len(homonyms) > 20
    assert len(WORLD.aliases) > 20
    assert {q.hops for q in QUESTIONS} == {2, 3, 4}
    assert {q.type for q in QUESTIONS} == {"chain", "comparison", "unanswerable"}
    assert len({q.text for q in QUESTIONS}) == len(QUESTIONS)
    texts = [page.text for page in PAGES.values()]
    mentioned = [alias for alias in WORLD.aliases if sum(alias in text for text in texts) > 1]
    assert len(mentioned) > 10  # others call somebody by the alias


def test_a_page_states_its_facts_and_no_others():
    for name in WORLD.kinds:
        assert set(stated(name, PAGES[name].text)) == set(WORLD.about(name))
    for title in PAGES.keys() - WORLD.kinds.keys():
        assert stated(title, PAGES[title].text) == []


def test_gold_pages_hold_the_gold_chain_and_the_answer():
    for question in QUESTIONS:
        facts = [fact for title in question.titles for fact in stated(title, PAGES[title].text)]
        assert set(question.chain) <= set(facts)
        assert len(question.chain) <= 4
        said = read(question, question.titles)
        assert said in question.golds if question.answer else said == "unknown"
        assert set(question.titles) < set(question.paragraphs)


def test_without_a_gold_page_the_reader_does_not_know():
    for question in QUESTIONS:
        if question.type == "chain":
            others = [title for title in question.paragraphs if title != question.titles[-1]]
            assert read(question, others) == "unknown"


def test_a_namesake_does_not_answer():
    [question, *_] = [q for q in QUESTIONS if q.type == "chain" and " (" in q.titles[-1]]
    last = question.titles[-1]
    namesakes = [t for t in PAGES if t != last and t.split(" (")[0] == last.split(" (")[0]]
    assert namesakes
    assert read(question, [*question.titles[:-1], *namesakes]) == "unknown"


def chosen(question, chain, candidates, reader=None):
    prefix = f"Choose the next triple of a chain.\n\n## Question\n{question.text}\n\n"
    letters = "ABCDEFGHIJ"[: len(candidates) + 1]
    offered = ["no need for additional triples", *map(as_triple, candidates)]
    lines = "\n".join(f"{a}. {text}" for a, text in zip(letters, offered, strict=True))
    so_far = "\n".join(map(as_triple, chain)) or "none yet"
    tail = f"## Chosen triples\n{so_far}\n\n## Candidates\n{lines}\n\n## Next\n"
    choices = (reader or SymbolicReader()).choose(prefix, [tail], list(letters))
    [row] = choices.log_probabilities
    assert math.fsum(map(math.exp, row)) == pytest.approx(1)
    return letters[int(row.argmax())]


def test_the_reader_chooses_along_the_gold_chain_and_stops_at_its_end():
    for question in (q for q in QUESTIONS if q.type == "chain"):
        others = [fact for title in question.paragraphs for fact in WORLD.about(title)]
        distractors = [fact for fact in others if fact not in question.chain][:4]
        for hop, fact in enumerate(question.chain):
            options = [*distractors[:2], fact, *distractors[2:]]
            assert chosen(question, question.chain[:hop], options) == "D"
        assert chosen(question, question.chain, distractors) == "A"


def test_the_reader_extracts_only_what_a_passage_states():
    page = PAGES["Dorgard"]
    prompt = (
        "List what the passage states as triples.\n\n## Passage\n[1] Example\nExample lies on the "
        "river Arrne.\n\n## Triples\n⟨Example; river; Arrne⟩\n\n"
        f"## Passage\n[1] {page.title}\n{page.text}\n\n## Triples\n"
    )
    [said] = SymbolicReader().generate([prompt])
    assert set(said.text.splitlines()) == {as_triple(fact) for fact in WORLD.about("Dorgard")}


def test_noise_errs_more_the_more_there_is_to_see_and_the_same_way_again():
    asked = [question for question in QUESTIONS if question.answer]

    def wrong(noise, titles):
        reader = SymbolicReader(noise)
        return sum(read(q, titles(q), reader) not in q.golds for q in asked)

    few, many = (wrong(0.03, of) for of in (lambda q: q.titles, lambda q: q.paragraphs))
    assert 0 < few < many < len(asked)
    assert wrong(0.03, lambda q: q.paragraphs) == many
    assert wrong(0.0, lambda q: q.paragraphs) == 0


def test_what_the_reader_can_not_do_it_refuses():
    with pytest.raises(BadRequest, match=r"no task 'Write a poem\.'"):
        SymbolicReader().generate(["Write a poem."])
    short = SymbolicReader(context_length=100)
    with pytest.raises(BadRequest, match=r"has \d+ tokens and 256 .* holds 100"):
        short.generate([reading(QUESTIONS[0], QUESTIONS[0].paragraphs)])


def test_later_methods_add_handlers():
    reader = SymbolicReader(says={**SAYS, "Name the colour": lambda prompt, judge: "blue"})
    assert [said.text for said in reader.generate(["Name the colour of the sky."])] == ["blue"]
    assert dataclasses.replace(reader, chooses=CHOOSES).noise == 0


def test_a_small_wikidata_holds_the_world():
    text = turtle(WORLD, held(WORLD))
    assert all(f'rdfs:label "{bare(name)}"@en' in text for name in WORLD.kinds)
