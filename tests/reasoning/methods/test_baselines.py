"""What is particular to each method that papers compare with, in the made-up world."""

import re
import threading
from dataclasses import replace

import pytest
from world import SymbolicReader, chatty, thoughtful

from hoptrail.models.language import Completion
from hoptrail.reasoning.matching import exact_match, vote
from hoptrail.reasoning.methods import answer as answered_by
from hoptrail.reasoning.session.session import CONCLUDING, THOUGHTS

MULTI_HOP = ["self_ask", "ircot", "iter_retgen", "react", "flare", "kgp"]
MULTI_HOP += ["dsp:hops=3:queries=2:samples=3", "verify_and_edit"]


@pytest.fixture(scope="module")
def chains(ground):
    """Questions of three hops, eight of them."""
    return [q for q in ground.questions if q.type == "chain" and q.hops == 3][:8]


def asked(ground, spec, question, model=None):
    parts = ground.parts(model or SymbolicReader())
    return answered_by(spec, parts, question.text, within=ground.own(question))


def right(ground, spec, questions, noise=0.0):
    parts = ground.parts(SymbolicReader(noise))
    found = [answered_by(spec, parts, q.text, within=ground.own(q)) for q in questions]
    return sum(exact_match(a.text, q.golds) for a, q in zip(found, questions, strict=True))


def names(answer):
    return [step.name for step in answer.steps]


def test_at_three_hops_going_step_by_step_beats_one_retrieval(ground, chains):
    once = right(ground, "rag", chains)
    assert once < 6
    for spec in MULTI_HOP:
        assert right(ground, spec, chains) > once, spec


def test_votes_count_normal_forms_and_ties_go_to_the_first():
    shares = vote(["Ulm", "the Bonn", "bonn.", "", "Bonn", "Ulm", "Ulm", "Ghent"])
    assert shares == [("Ulm", 3 / 8), ("the Bonn", 3 / 8), ("", 1 / 8), ("Ghent", 1 / 8)]


def test_self_consistency_outvotes_single_errors(ground):
    near = [q for q in ground.questions if q.type == "chain" and q.hops == 2][:20]
    alone = right(ground, "cot", near, noise=0.08)
    assert right(ground, "self_consistency:samples=15", near, noise=0.08) > alone


def test_self_consistency_tells_the_shares_of_the_vote(ground, chains):
    answer = asked(ground, "self_consistency:samples=8", chains[0], SymbolicReader(0.3))
    assert names(answer)[1:] == ["think"] * 8
    shares = [share for _, share in answer.candidates]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) <= 1
    assert answer.abstained or answer.candidates[0][0] == answer.text


class Served(SymbolicReader):
    """A server's model: after the first it goes on only when three prompts are there at a time."""

    in_flight = 3

    def __init__(self, **settings) -> None:
        super().__init__(**settings)
        self.here, self.seeds = threading.Barrier(self.in_flight, timeout=20), []

    def generate(self, prompts, decoding):
        self.seeds.append(decoding.seed)
        if len(self.seeds) > 1:
            self.here.wait()
        return super().generate(prompts, decoding)


def test_samples_differ_by_seed_and_are_asked_side_by_side_of_a_server(ground, chains):
    model = Served(noise=0.3)
    served = asked(ground, "self_consistency:samples=7", chains[0], model)
    assert sorted(model.seeds) == [*range(7)]
    alone = asked(ground, "self_consistency:samples=7", chains[0], SymbolicReader(0.3))
    said, said_alone = ([step.output for step in a.steps[1:]] for a in (served, alone))
    assert said == said_alone
    assert len(set(said)) > 1
    assert [step.tokens for step in served.steps] == [step.tokens for step in alone.steps]


def test_self_consistency_votes_on_the_samples_it_could_pay_for(ground, chains):
    answer = asked(ground, "self_consistency:max_calls=4", chains[0])
    assert names(answer)[1:] == ["think"] * 4 + ["budget"]
    model = Served()
    answer = asked(ground, "self_consistency:max_calls=4", chains[0], model)
    assert names(answer)[1:] == ["think"] * 4 + ["budget"]
    one = answer.steps[1].tokens
    # A prompt is admitted with all the tokens that it might be answered with.
    tokens = 4 * one + THOUGHTS.max_tokens
    answer = asked(ground, f"self_consistency:max_tokens={tokens}", chains[0])
    assert names(answer)[1:] == ["think"] * 4 + ["budget"]


def test_self_ask_reads_an_answer_for_each_question_it_asks(ground, chains):
    answer = asked(ground, "self_ask", chains[0])
    asking = [step for step in answer.steps if step.name == "self_ask/follow_up"]
    reading = [step for step in answer.steps if step.name == "read_passages"]
    assert len(asking) == len(reading) + 1 == 4
    for step, next_step in zip(reading, asking[1:], strict=True):
        assert f"Intermediate answer: {step.output}" in next_step.prompt
    assert answer.text == chains[0].answer


@pytest.mark.parametrize("mark", ["Follow-up question: ", "follow up: ", ""])
def test_self_ask_knows_a_follow_up_question_however_it_is_marked(ground, chains, mark):
    class Loose(SymbolicReader):
        def generate(self, prompts, decoding):
            said = super().generate(prompts, decoding)
            return [replace(s, text=s.text.replace("Follow up: ", mark)) for s in said]

    answer = asked(ground, "self_ask", chains[0], Loose())
    assert answer.text == chains[0].answer
    queries = [step.prompt for step in answer.steps if step.name.startswith("retrieve")]
    assert not any("ollow" in query for query in queries)


def test_ircot_asks_with_its_thoughts_and_shows_no_more_than_so_many(ground, chains):
    answer = asked(ground, "ircot:most=7", chains[0])
    queries = [step.prompt for step in answer.steps if step.name.startswith("retrieve")]
    thoughts = [step.output for step in answer.steps if step.name == "think"]
    assert queries == [chains[0].text, *thoughts[: len(queries) - 1]]
    assert max(len(step.evidence) for step in answer.steps if step.name == "think") == 7


def test_iter_retgen_asks_with_thoughts_and_question_until_they_come_again(ground, chains):
    answer = asked(ground, "iter_retgen", chains[0])
    queries = [step.prompt for step in answer.steps if step.name.startswith("retrieve")]
    thoughts = [step.output for step in answer.steps if step.name == "think"]
    assert queries[1:] == [f"{said}\n{chains[0].text}" for said in thoughts[:-1]]
    assert len(set(thoughts)) == len(thoughts) - 1
    assert len(names(asked(ground, "iter_retgen:iterations=1", chains[0]))) == 2


def test_react_ends_after_its_turns_with_what_it_found(ground, chains):
    answer = asked(ground, "react:turns=2", chains[0])
    assert names(answer).count("react/turn") == 2
    assert names(answer)[-1] == "read_passages"
    whole = asked(ground, "react", chains[0])
    assert names(whole)[-1] == "react/turn"
    assert whole.steps[-1].output.endswith(f"Action: finish[{chains[0].answer}]")


def test_react_does_not_search_for_the_same_twice(ground, chains):
    class Stubborn(SymbolicReader):
        def generate(self, prompts, decoding):
            said = super().generate(prompts, decoding)
            again = "Thought: Once more.\nAction: search[the river]"
            turn = prompts[0].startswith("Take turns")
            return [replace(s, text=again) if turn else s for s in said]

    answer = asked(ground, "react", chains[0], Stubborn())
    assert [n.partition(" ")[0] for n in names(answer)] == [
        "react/turn", "retrieve", "react/turn", "read_passages",
    ]  # fmt: skip


@pytest.mark.parametrize("ending", ["].", "", "]\nObservation"])
def test_react_finds_the_action_however_it_ends(ground, chains, ending):
    class Loose(SymbolicReader):
        def generate(self, prompts, decoding):
            said = super().generate(prompts, decoding)
            return [replace(s, text=s.text.removesuffix("]") + ending) for s in said]

    answer = asked(ground, "react", chains[0], Loose())
    assert answer.text == chains[0].answer
    assert "]" not in "".join(s.prompt for s in answer.steps if s.name.startswith("retrieve"))


def test_flare_retrieves_only_for_sentences_it_is_not_sure_of(ground, chains):
    def retrievals(answer):
        return [step for step in answer.steps if step.name.startswith("retrieve")]

    answer = asked(ground, "flare", chains[0])
    assert answer.text == chains[0].answer
    unsure = names(answer).count("think")
    assert 0 < unsure < names(answer).count("flare/look_ahead")
    assert len(retrievals(answer)) == 1 + unsure
    assert retrievals(answer)[0].prompt == chains[0].text
    ahead = [step.evidence for step in answer.steps if step.name == "flare/look_ahead"]
    assert ahead[0] == retrievals(answer)[0].evidence
    assert not any(ahead[1:])
    assert len(retrievals(asked(ground, "flare:threshold=0", chains[0]))) == 1

    class Silent(SymbolicReader):
        def generate(self, prompts, decoding) -> list[Completion]:
            said = super().generate(prompts, decoding)
            return [replace(completion, log_probability=None) for completion in said]

    silent = asked(ground, "flare", chains[0], Silent())
    assert silent.text == chains[0].answer
    assert len(retrievals(silent)) == 1 + names(silent).count("flare/look_ahead") > 1 + unsure


def test_kgp_walks_to_neighbours_and_stops_at_so_many_passages(ground, chains):
    answer = asked(ground, "kgp:seeds=2:passages=6", chains[0])
    assert len(answer.shown) <= 6
    seeds = set(answer.steps[0].evidence)
    walked = [step for step in answer.steps if step.name == "neighbours"]
    for step in walked:
        assert not seeds & set(step.evidence)
        links = ground.store.neighbours(
            ground.ids([step.prompt.partition(": ")[0]]), ("NEXT", "NAMES", "SHARES_KEYWORD")
        )
        assert set(step.evidence) <= {end for link in links for end in (link.source, link.target)}
    assert seeds < set(answer.shown)


def test_kgp_reads_path_by_path(ground, chains):
    answer = asked(ground, "kgp:seeds=2:passages=8", chains[0])
    first, second = answer.steps[0].evidence
    read = answer.steps[-1].evidence
    reached = {first: [first], second: [second]}
    for step in (step for step in answer.steps if step.name == "neighbours"):
        [parent] = ground.ids([step.prompt.partition(": ")[0]])
        [seed] = [seed for seed, path in reached.items() if parent in path]
        reached[seed] += step.evidence
    assert len(reached[first]) > 2
    assert set(read[: len(reached[first])]) == set(reached[first])
    assert (read[0], read[len(reached[first])]) == (first, second)


def test_era_cot_keeps_inferred_relations_that_score_high_enough(ground):
    aliased = next(q for q in ground.questions if q.type == "chain" and len(q.chain) > q.hops == 2)

    def triples(answer):
        assert names(answer)[1:] == [
            "era_cot/entities", "era_cot/relations", "era_cot/infer", "era_cot/score",
            "era_cot/think",
        ]  # fmt: skip
        return set(re.findall("⟨.+⟩", answer.steps[-1].prompt))

    kept, dropped = (
        triples(asked(ground, f"era_cot:passages=20:threshold={t}", aliased)) for t in (5, 11)
    )
    assert dropped < kept


def test_era_cot_reads_relations_in_plain_brackets(ground, chains):
    class Plain(SymbolicReader):
        def generate(self, prompts, decoding):
            said = super().generate(prompts, decoding)
            return [replace(s, text=s.text.replace("⟨", "<").replace("⟩", ">")) for s in said]

    answer, plain = (asked(ground, "era_cot", chains[0], m) for m in (SymbolicReader(), Plain()))
    assert "⟨" in plain.steps[-1].prompt
    assert plain.steps[-1].prompt == answer.steps[-1].prompt


def test_thoughts_that_end_without_an_answer_are_asked_for_it(ground, chains):
    class Stops(SymbolicReader):
        """As small models do: it says what leads to the answer, and leaves that to be asked."""

        def generate(self, prompts, decoding):
            if prompts[0].rstrip().endswith(CONCLUDING):
                return [Completion(self.held, -1.0, "stop", 1, 1)]
            [said] = super().generate(prompts, decoding)
            thoughts, _, self.held = said.text.partition(CONCLUDING)
            return [replace(said, text=thoughts)]

    chain = next(chain for chain in chains if asked(ground, "cot", chain).text)
    whole, short = asked(ground, "cot", chain), asked(ground, "cot", chain, Stops())
    assert (whole.text, names(whole)[1:]) == (short.text, ["think"])
    assert names(short)[1:] == ["think", "think"]
    assert whole.text


def test_sg_prompt_shows_what_each_passage_relates_once(ground, chains):
    answer = asked(ground, "sg_prompt", chains[0])
    graphs, thought = answer.steps[1:-1], answer.steps[-1]
    assert names(answer)[1:] == ["sg_prompt/relations"] * 5 + ["sg_prompt/think"]
    told = re.findall("⟨.+⟩", "\n".join(step.output for step in graphs))
    shown = re.findall("⟨.+⟩", thought.prompt.partition("## Passages")[0])
    assert shown == list(dict.fromkeys(told))
    assert [step.evidence for step in graphs] == [(p,) for p in thought.evidence]
    short = asked(ground, "sg_prompt:passages=20", chains[0], SymbolicReader(context_length=1000))
    left = re.findall("⟨.+⟩", short.steps[-1].prompt.partition("## Passages")[0])
    assert 0 < len(left) < len(re.findall("⟨", "".join(s.output for s in short.steps[1:-1])))


def test_zero_plus_few_shot_begins_thoughts_and_examples_with_one_sentence(ground, chains):
    prompt = asked(ground, "zero_plus_few_shot", chains[0]).steps[-1].prompt
    assert prompt.endswith("\nLet's think step by step.")
    assert prompt.count("Let's think step by step.") == 1 + prompt.count("## Example")


def test_dsp_goes_as_many_hops_as_it_is_let_and_ends_when_nothing_is_missing(ground, chains):
    few = "queries=4:samples=2"
    assert right(ground, f"dsp:hops=1:{few}", chains) < right(ground, f"dsp:hops=3:{few}", chains)
    answer = asked(ground, f"dsp:hops=9:{few}", chains[0])
    searches = [step for step in answer.steps if step.name.startswith("retrieve")]
    assert 1 < len(searches) < 4  # samples that look for the same are one query
    assert names(answer).count("dsp/query") == 4 * (len(searches) + 1)
    assert answer.text == chains[0].answer


def test_dsp_fuses_what_several_queries_find(ground, chains):
    class Divided(SymbolicReader):
        def generate(self, prompts, decoding):
            said = super().generate(prompts, decoding)
            other = decoding.seed % 3 == 0 and prompts[0].startswith("Say what to search")
            return [replace(s, text="I need to know a bridge.") if other else s for s in said]

    answer = asked(ground, "dsp:hops=1:queries=3:samples=1:passages=3", chains[0], Divided())
    one, two = (step.evidence for step in answer.steps if step.name.startswith("retrieve"))
    shown = list(answer.steps[-1].evidence)
    both = [id_ for id_ in shown if id_ in one and id_ in two]
    alone = [id_ for id_ in two if id_ not in one]  # two of three samples looked for these
    assert both
    assert shown == [*both, *alone][:3]


def test_verify_and_edit_leaves_alone_what_samples_agree_on(ground):
    near = [q for q in ground.questions if q.type == "chain" and q.hops == 2]
    agreed = [a for q in near[:8] if (a := asked(ground, "verify_and_edit", q)).candidates]
    assert agreed
    for answer in agreed:
        assert names(answer)[1:] == ["think"] * 5
        assert answer.candidates[0][0] == answer.text


def test_verify_and_edit_puts_what_passages_say_in_a_thoughts_place(ground, chains):
    answer = next(
        a
        for q in chains
        if (a := asked(ground, "verify_and_edit", q)).text == q.answer and not a.candidates
    )
    thoughts = answer.steps[1].output.splitlines()[:-1]
    edited = answer.steps[-1].prompt.rpartition("## Thoughts\n")[2].splitlines()
    assert thoughts[-1].startswith("I need to know")
    assert edited[:-1] == thoughts[:-1]
    assert edited[-1] == answer.steps[-2].output
    assert answer.steps[-1].evidence == ()
    for persona in (chatty, thoughtful):
        [question] = [q for q in chains if q.text == answer.question]
        told = asked(ground, "verify_and_edit", question, SymbolicReader(persona=persona))
        assert told.text == answer.text
