"""Every method on learned weights: the small model of benchmarks/world_model, run by llama.cpp."""

import hashlib
import json
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from world import LANGUAGE, NAMES, SymbolicReader
from world.wording import stated, triples

from hoptrail.models.language import Decoding, OutputForm
from hoptrail.models.llama.model import LlamaCpp
from hoptrail.reasoning.matching import exact_match
from hoptrail.reasoning.methods import METHODS
from hoptrail.reasoning.methods import answer as answered_by
from hoptrail.reasoning.prompts import Template

FOLDER = Path(__file__).parents[3] / "benchmarks" / "world_model"
MODEL = FOLDER / "world-model-q8_0.gguf"
FEW = {
    "trace": "demonstrations=0:candidates=7:beams=2:chains=2:passages=3",
    "semi_structured": "samples=1:passages=3",
    "ge_reasoning": "loops=3",
    "direct": "",
    "self_consistency": "samples=2:passages=3",
    "ircot": "passages=1",
    "flare": "passages=2:sentences=3",
    "dsp": "queries=1:samples=2:passages=2",
    "verify_and_edit": "samples=2:passages=3",
}
"""As few passages as it was trained on."""
SPECS = [f"{name}:{FEW.get(name, 'passages=3')}:max_calls=6".replace("::", ":") for name in METHODS]

SHORT = Decoding(max_tokens=120)
OTHER = "Say nothing."


@pytest.fixture(scope="module")
def model():
    made = LlamaCpp(MODEL, context=4096)
    yield made
    made.close()


def test_the_file_is_the_one_that_the_manifest_describes():
    told = json.loads((FOLDER / "manifest.json").read_text("utf-8"))["files"][MODEL.name]
    content = MODEL.read_bytes()
    assert told == {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    assert len(content) < 15_000_000


def test_it_learned_from_no_name_and_no_template_of_the_test_world(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    naming, templates = import_module("naming"), import_module("templates")
    assert not {*_words(NAMES)} & {*_words(naming.fresh(random.Random(1000)))}
    ours, learned = ({*_forms(vars(of).values())} for of in (LANGUAGE, templates.TRAINING))
    assert len(ours) > 80
    assert ours & learned <= {"It"}  # which stands for works and rivers in both


def test_what_it_learns_from_is_told_of_other_names(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    naming, recording, renaming = map(import_module, ("naming", "recording", "renaming"))
    names = naming.fresh(random.Random(1))
    person, town = f"{names.first[0]} {names.last[0]}", names.town_starts[0] + names.town_ends[0]
    told = recording.Record("Look up.", f"Look up.\n{town}: {person}\n\n{town}", ((person, 1.0),))
    once, again = (next(renaming.renamed([told], names, random.Random(seed))) for seed in (2, 3))
    for one in (once, again):
        place, of = re.fullmatch(r"Look up\.\n(.*): (.*)\n\n\1", one.prompt).groups()
        assert place != town
        assert one.said == ((of, 1.0),)
        assert not {*of.split()} & {*person.split()}
    assert once.prompt != again.prompt


def _words(names):
    """Parts of names; seas are named by common nouns, too."""
    told = (group for kind, group in vars(names).items() if kind != "seas")
    return (part.casefold() for group in told for name in group for part in name.split())


def _forms(values):
    for value in values:
        if isinstance(value, str):
            yield value
        else:
            yield from _forms(value.values() if isinstance(value, Mapping) else value)


@pytest.mark.parametrize("spec", SPECS)
def test_every_method_runs_on_it(ground, model, spec):
    question = ground.questions[0]
    own = ground.own(question)
    answer = answered_by(spec, ground.parts(model), question.text, within=own)
    assert answer.model == MODEL.name
    assert 1 <= answer.usage["calls"] <= 6
    assert answer.usage["tokens_in"] > 50
    assert answer.abstained == (not answer.text)
    assert {citation.passage_id for citation in answer.passages} <= set(own)


@pytest.mark.parametrize(("name", "least"), [("semi_structured", 4), ("knowtrace", 1)])
def test_it_answers_questions_of_several_hops(ground, model, name, least):
    """Six and two of the twelve are right as measured; by what it knows alone none is."""
    spec = f"{name}:{FEW.get(name, 'passages=3')}"
    questions = [question for question in ground.questions[:14] if question.answer]
    right = [
        exact_match(
            answered_by(spec, ground.parts(model), q.text, within=ground.own(q)).text, q.golds
        )
        for q in questions
    ]
    assert sum(right) >= least


@pytest.fixture(scope="module")
def asked(ground):
    """Extraction prompts of some pages, each with what its page states."""
    template = Template.named("shared/triples", None)
    own = ground.store.passages(ground.own(ground.questions[0])).values()
    return [
        (template.render(demonstrations="", title=p.title, text=p.text), stated(p.title, p.text))
        for p in list(own)[:5]
    ]


def test_it_has_learned_to_say_what_a_page_states(model, asked):
    """Names of this world are in no training world: they are copied, not known."""
    found = [triples(model.generate([prompt], SHORT)[0].text) for prompt, _ in asked]
    told = [fact.tail for facts in found for fact in facts]
    true = {fact.tail for _, facts in asked for fact in facts}
    assert len(told) >= 10
    assert sum(tail in true for tail in told) >= len(told) / 2


def test_a_kept_prefix_changes_no_reply(model, asked):
    prompts = [prompt for prompt, _ in asked]
    kept = model.generate(prompts, SHORT)
    anew = [model.generate([OTHER, prompt], SHORT)[1] for prompt in prompts]
    assert [one.text for one in kept] == [one.text for one in anew]


def test_a_form_holds_on_a_vocabulary_that_was_learned(model, asked):
    form = OutputForm('root ::= "yes" | "no" | "⟨" [A-Za-z ]+ "⟩"', "yes|no|⟨[A-Za-z ]+⟩")
    for said in model.generate([prompt for prompt, _ in asked], Decoding(form, max_tokens=24)):
        assert re.fullmatch(form.pattern, said.text) or said.finish == "length"


def test_a_choice_is_over_letters_and_better_than_chance(ground, model):
    """The reader's own candidates of TRACE's first hop: the right one gets more than its share."""
    reader, chain = Choosing(), [q for q in ground.questions if q.type == "chain"][:6]
    for question in chain:
        answered_by(SPECS[0], ground.parts(reader), question.text, within=ground.own(question))
    scores = []
    for prefix, tail, options, best in reader.chosen[:30]:
        [row] = model.choose(prefix, [tail], options).log_probabilities
        assert np.exp(row).sum() == pytest.approx(1)
        scores.append(float(np.exp(row[best])) * len(options))
    assert len(scores) >= 10
    assert np.mean(scores) > 1.5


@dataclass
class Choosing(SymbolicReader):
    """Remembers of each choice the first tail with its best option."""

    chosen: list[tuple[str, str, list[str], int]] = field(default_factory=list)

    def choose(self, prefix, tails, options):
        made = super().choose(prefix, tails, options)
        best = int(made.log_probabilities[0].argmax())
        self.chosen.append((prefix, tails[0], list(options), best))
        return made
