"""KnowTrace in the made-up world: what it traces, what it keeps of that, and what it costs."""

import pytest
from world import SymbolicReader, chatty, thoughtful
from world.reader import SAYS
from world.tracing import wordy
from world.wording import as_triple, triples

from hoptrail.kg.errors import BadRequest
from hoptrail.reasoning.matching import exact_match
from hoptrail.reasoning.methods import answer as answered_by
from hoptrail.reasoning.methods.knowtrace.method import KnowTrace
from hoptrail.reasoning.prompts.showing import triple_lines


class Overheard(SymbolicReader):
    """Remembers what it says."""

    def __init__(self, **given):
        super().__init__(**given)
        self.said = []

    def generate(self, prompts, decoding=None):
        said = super().generate(prompts, decoding)
        self.said += [(p, one.text) for p, one in zip(prompts, said, strict=True)]
        return said


@pytest.fixture
def some(ground):
    asked = [q for q in ground.questions if q.answer]
    aliased = [q for q in asked[8:] if any(fact.relation == "alias" for fact in q.chain)]
    return asked[:8] + aliased[:4]


def asked(ground, question, spec="knowtrace", model=None, **more):
    return answered_by(spec, ground.parts(model or SymbolicReader()), question.text, **more)


def facts(found):
    return set(triples(triple_lines(found)))


def test_the_evidence_is_the_gold_chain(ground, some):
    right = 0
    for question in some:
        answer = asked(ground, question)
        if exact_match(answer.text, question.golds):
            right += 1
            assert facts(answer.tracing.evidence()) == set(question.chain)
            chained = [step.triple for chain in answer.chains for step in chain.triples]
            assert facts(chained) == set(question.chain)
            assert {c.title for c in answer.passages} == set(question.titles)
            assert answer.usage["filtered_tokens"] == 0
            assert answer.usage["rounds"] <= question.hops + 2
    assert right >= len(some) - 1


@pytest.mark.parametrize(("pairs", "also"), [(True, False), (False, True), (True, True)])
def test_what_is_said_beyond_the_chain_is_filtered_to_the_token(ground, some, pairs, also):
    for question in some:
        model = Overheard(says={**SAYS, **wordy(pairs, also)})
        answer = asked(ground, question, model=model)
        if not exact_match(answer.text, question.golds):
            continue
        assert facts(answer.tracing.evidence()) == set(question.chain)
        kept, every = kept_by_gold(model, question)
        assert answer.usage["traced_tokens"] == every
        assert answer.usage["filtered_tokens"] == every - kept
        assert kept < every


def kept_by_gold(model, question):
    """Tokens said for the gold chain, and all: counted without the method's help."""
    gold = set(map(as_triple, question.chain))
    brought, kept, every = {}, 0, 0
    for prompt, said in model.said:
        if prompt.startswith("Pick out"):
            entity = prompt.rpartition("## Entity\n")[2].partition("\n")[0]
            lines = [line for line in said.splitlines() if line in gold]
            brought[f"- {entity}"] = bool(lines)
            kept += model.count_tokens("\n".join(lines))
    for prompt, said in model.said:
        every += model.count_tokens(said)
        if prompt.startswith("Decide"):
            lines = said.splitlines()
            left = [one for one in lines if not one.startswith("- ") or brought[one]]
            kept += model.count_tokens("\n".join(left))
    return kept, every


@pytest.mark.parametrize("persona", [chatty, thoughtful])
def test_a_model_that_is_held_to_no_form_answers_as_well(ground, some, persona):
    for question in some[:6]:
        plain, dressed = (
            asked(ground, question, model=model)
            for model in (SymbolicReader(), SymbolicReader(persona=persona, held=False))
        )
        assert dressed.text == plain.text
        assert dressed.tracing == plain.tracing


def test_thoughts_that_are_longer_than_a_reply_get_room(ground, some):
    def pensive(told):
        return f"<think>\n{'Hmm, wait. ' * 300}\n</think>\n\n{told}"

    plain = asked(ground, some[0])
    answer = asked(ground, some[0], model=SymbolicReader(persona=pensive, held=False))
    assert (answer.text, answer.tracing) == (plain.text, plain.tracing)
    assert answer.usage["calls"] == plain.usage["calls"] + 1


@pytest.mark.parametrize("shows", ["paths", "text"])
def test_other_ways_to_show_what_is_known(ground, some, shows):
    for question in some[:6]:
        answer = asked(ground, question, f"knowtrace:shows={shows}")
        assert answer.text == asked(ground, question).text
    tells = any(step.name == "knowtrace/tell" for step in answer.steps)
    assert tells == (shows == "text")


def test_pairs_of_a_round_are_one_batch(ground):
    [question, *_] = [q for q in ground.questions if q.type == "comparison"]
    batches = []

    class Batched(SymbolicReader):
        def generate(self, prompts, decoding=None):
            batches.append([p.partition("\n")[0][:4] for p in prompts])
            return super().generate(prompts, decoding)

    asked(ground, question, model=Batched())
    assert ["Pick", "Pick"] in batches


def test_rounds_that_bring_nothing_new_end_it(ground):
    silent = [q for q in ground.questions if q.type == "unanswerable"][:4]
    for question in silent:
        answer = asked(ground, question)
        assert answer.abstained
        assert answer.chains == answer.tracing.targets == ()
        assert answer.usage["rounds"] <= len(question.chain) + 1
    short = asked(ground, silent[0], "knowtrace:rounds=1")
    assert [s.name for s in short.steps].count("knowtrace/explore") == 1


def test_what_the_graph_holds_costs_no_completion(ground, some):
    for question in some[:6]:
        only = asked(ground, question, "knowtrace:graph=only:near=-1.0:graph_triples=20")
        assert not [s for s in only.steps if s.name in ("knowtrace/complete", "retrieve (hop)")]
        assert only.stated == ()
        if only.text:
            assert set(question.chain) <= facts(only.tracing.evidence())
            assert {p for c in only.chains for s in c.triples for p in s.passage_ids} <= set(
                only.shown
            )
        first = asked(ground, question, "knowtrace:graph=first:near=-1.0:graph_triples=20")
        assert first.usage["calls"] <= asked(ground, question).usage["calls"]
    assert only.text


def test_what_it_read_names_model_and_prompt_and_the_passage(ground, some):
    answer = asked(ground, some[0])
    assert answer.stated
    for statement in answer.stated:
        extractor = statement.triple.extractor
        assert extractor.startswith("symbolic reader knowtrace/complete ")
        [passage] = ground.store.passages([statement.passage_id]).values()
        assert passage.title == statement.triple.head


def test_malformed_lines_are_dropped_and_counted(ground, some):
    def sloppy(prompt, judge):
        return "⟨The town; is; unknown⟩\n" + SAYS["Pick out of passages"](prompt, judge)

    model = SymbolicReader(says={**SAYS, "Pick out of passages": sloppy}, held=False)
    answer = asked(ground, some[0], model=model)
    assert answer.text == asked(ground, some[0]).text
    dropped = [step.output for step in answer.steps if step.name == "dropped"]
    assert dropped
    assert set(dropped) == {"1 lines that are no triples are left out."}


def test_settings_that_can_not_be_are_refused(ground, some):
    with pytest.raises(BadRequest, match="graph of knowtrace takes"):
        asked(ground, some[0], "knowtrace:graph=last")
    with pytest.raises(BadRequest, match="rounds of knowtrace is at least 1"):
        answered_by(KnowTrace(rounds=0), ground.parts(SymbolicReader()), some[0].text)
