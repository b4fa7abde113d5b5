"""TRACE with a language model, in the made-up world (tests/world)."""

import functools

import pytest
from world import SymbolicReader

from hoptrail.kg.errors import BadRequest
from hoptrail.models.language import OptionScores
from hoptrail.reasoning.matching import exact_match
from hoptrail.reasoning.methods import answer as answered_by
from hoptrail.reasoning.methods.trace.method import Trace
from hoptrail.reasoning.methods.trace.selectors import BySimilarity
from hoptrail.reasoning.session.budget import UNLIMITED, Budget
from hoptrail.reasoning.session.session import Session

PASSAGES = 20  # a question's own ones, as in the papers
NEAREST = BySimilarity(prior=0, link=0, tied=0, reach=0, name="nearest")
ABLATIONS = {
    "greedy": {"beams": 1, "chains": 1},
    "no adaptive stop": {"adaptive_stop": False},
    "no ranker": {"ranked": False},
    "no selector": {"selector": NEAREST, "adaptive_stop": False},
    "top": {"evidence": "top"},
    "random": {"evidence": "random"},
    "all": {"evidence": "all"},
}


@pytest.fixture(scope="module", params=[0.02, 0.05])
def figures(request, ground):
    """Exact match over 60 answerable questions, by name, each measured when first asked for."""
    parts = ground.parts(SymbolicReader(request.param))
    asked = [question for question in ground.questions[:70] if question.answer]

    def read(question, ids):
        session = Session(parts, question.text)
        return session.read(list(ground.store.passages(ids).values()))

    def retrieved(question, count):
        return [s.id for s in parts.retriever.search(question.text, count, ground.own(question))]

    def said(name, question):
        if name == "gold":
            return read(question, ground.ids(question.titles))
        if name.startswith("plain"):
            return read(question, retrieved(question, int(name.split()[1])))
        settings = {"Triple": {}, "Doc": {"reads": "passages"}, **ABLATIONS}[name]
        method, own = Trace(passages=PASSAGES, **settings), ground.own(question)
        return answered_by(method, parts, question.text, within=own).text

    @functools.cache
    def figure(name):
        return sum(exact_match(said(name, q), q.golds) for q in asked) / len(asked)

    return figure


def test_chains_beat_plain_retrieval_and_stay_below_gold_evidence(figures):
    for variant in ("Triple", "Doc"):
        assert figures(variant) > figures(f"plain {PASSAGES}") + 0.1
        assert figures(variant) > figures("plain 5") + 0.1
        assert figures(variant) <= figures("gold")


def test_every_part_of_the_constructor_earns_its_place(figures):
    for without in ("greedy", "no adaptive stop", "no ranker"):
        assert figures(without) < figures("Triple")


def test_what_does_not_go_step_by_step_is_far_behind(figures):
    """Random triples are worst, then the nearest ones: only the question's own words lead to them.

    All triples are as good as all passages: the same facts.
    """
    assert figures("random") < figures("top") <= figures("no selector") < figures("plain 5")
    assert figures("all") == figures(f"plain {PASSAGES}") < figures("greedy")


def test_expansion_finds_what_was_not_retrieved(ground):
    parts = ground.parts(SymbolicReader())
    asked = [question for question in ground.questions[:28] if question.answer]

    def right(**settings):
        answers = [(q, answered_by(Trace(**settings), parts, q.text)) for q in asked]
        return [(q, a) for q, a in answers if exact_match(a.text, q.golds)]

    plain, expanding = right(expand=False), right()
    assert len(expanding) > len(asked) / 2 > 2 * len(plain)
    beyond = 0
    for question, answer in expanding:
        retrieved = answer.steps[0].evidence
        cited = [citation.passage_id for citation in answer.passages]
        beyond += any(id_ not in retrieved for id_ in cited)
        if question.type == "chain":
            assert set(question.titles) <= set(ground.titles([*cited, *retrieved]))
    assert beyond > len(asked) / 4


def test_expansion_stays_within_the_given_passages(ground):
    for question in ground.questions[:7]:
        own = ground.own(question)
        method, parts = Trace(passages=3, expand=True), ground.parts(SymbolicReader())
        answer = answered_by(method, parts, question.text, within=own)
        assert {citation.passage_id for citation in answer.passages} <= set(own)


@pytest.fixture
def chain(ground):
    """A question of three hops whose chain TRACE finds."""
    return next(q for q in ground.questions if q.type == "chain" and len(q.chain) == 3)


def asking(ground, question, model=None, on_step=lambda step: None, budget=UNLIMITED, **settings):
    return answered_by(
        Trace(passages=PASSAGES, **settings),
        ground.parts(model or SymbolicReader()),
        question.text,
        within=ground.own(question),
        budget=budget,
        on_step=on_step,
    )


def test_the_best_chain_is_the_gold_chain(ground, chain):
    answer = asking(ground, chain)
    best = [(s.triple.head, s.triple.tail) for s in answer.chains[0].triples]
    assert best == [(fact.head, fact.tail) for fact in chain.chain]
    assert answer.text == chain.answer
    assert answer.model == "symbolic reader"
    assert [c.score for c in answer.chains] == sorted(c.score for c in answer.chains)[::-1]
    for step in (step for c in answer.chains for step in c.triples):
        assert step.triple in {s.triple for s in ground.store.triples_of(step.passage_ids)}


def test_what_no_page_says_is_not_answered(ground):
    silent = [q for q in ground.questions if q.type == "unanswerable"]
    for question in silent[:5]:
        answer = asking(ground, question)
        assert answer.abstained
        assert answer.text == ""
        assert answer.chains


def test_no_chain_ends_before_it_begins(ground, chain):
    class Done(SymbolicReader):
        """Would rather choose nothing."""

        def choose(self, prefix, tails, options):
            chosen = super().choose(prefix, tails, options)
            chosen.log_probabilities[:, 0] += 20
            return chosen

    answer = asking(ground, chain, Done())
    assert answer.chains
    assert all(len(one.triples) == 1 for one in answer.chains)
    assert answer.chains[0].score > -10  # its first triple did not compete with the end


def test_prompts_share_their_beginning_and_are_the_same_again(ground, chain):
    model, again = SymbolicReader(), SymbolicReader()
    asking(ground, chain, model)
    asking(ground, chain, again)
    assert model.prompts == again.prompts
    selections = [prompt for prompt in model.prompts if prompt.startswith("Choose")]
    beginning = selections[0].partition("## Chosen triples")[0]
    assert chain.text in beginning
    assert beginning.count("## Example") == 3
    assert len(selections) > 5
    for prompt in selections:
        assert prompt.startswith(beginning)
        assert "A. no need for additional triples" in prompt.removeprefix(beginning)


def test_usage_counts_what_the_model_was_asked(ground, chain):
    model = SymbolicReader()
    answer = asking(ground, chain, model)
    assert answer.usage["calls"] == len(model.prompts)
    assert answer.usage["tokens_out"] == model.count_tokens(answer.text)
    spent = sum(step.tokens for step in answer.steps)
    assert spent == answer.usage["tokens_in"] + answer.usage["tokens_out"]
    assert 0 < answer.usage["tokens_in"] < sum(map(model.count_tokens, model.prompts))


def test_steps_come_as_they_happen_and_can_be_replayed(ground, chain):
    model, seen = SymbolicReader(), []
    answer = asking(ground, chain, model, lambda s: seen.append((s, len(model.prompts))))
    assert tuple(step for step, _ in seen) == answer.steps
    asked = [count for _, count in seen]
    assert asked[0] == 0
    assert asked[1] == 1  # the first choice was told before the next was asked for
    assert asked == sorted(asked)
    last = answer.steps[-1]
    assert last.name == "trace/read_triples"
    assert [said.text for said in model.generate([last.prompt])] == [last.output]


def test_trace_doc_reads_passages_by_their_votes(ground, chain):
    model = SymbolicReader()
    answer = asking(ground, chain, model, reads="passages")
    votes = [citation.votes for citation in answer.passages]
    assert votes == sorted(votes, reverse=True)
    assert all(votes)
    assert len(votes) < 8
    places = [model.prompts[-1].index(f"] {c.title}\n") for c in answer.passages]
    assert places == sorted(places)
    assert answer.text == chain.answer


@pytest.mark.parametrize("budget", [{"max_calls": 3}, {"max_tokens": 3000}])
def test_a_budget_ends_the_search_but_what_was_found_is_read(ground, chain, budget):
    whole = asking(ground, chain)
    answer = asking(ground, chain, budget=Budget(**budget))
    names = [step.name for step in answer.steps]
    assert names[-2:] == ["budget", "trace/read_triples"]
    assert len(names) < len(whole.steps) + 1
    assert answer.chains
    assert answer.usage["calls"] <= budget.get("max_calls", 99)
    assert answer.usage["tokens_in"] + answer.usage["tokens_out"] <= budget.get("max_tokens", 1e9)


def test_a_server_that_reads_the_prefix_for_every_beam_keeps_to_the_budget(ground, chain):
    class Server(SymbolicReader):
        def choose(self, prefix, tails, options):
            chosen = super().choose(prefix, tails, options)
            read = sum(self.count_tokens(prefix + tail) for tail in tails)
            return OptionScores(chosen.log_probabilities, tokens_in=read)

    answer = asking(ground, chain, Server(), budget=Budget(max_tokens=4000))
    assert "budget" in [step.name for step in answer.steps]
    assert answer.usage["tokens_in"] + answer.usage["tokens_out"] <= 4000


def test_a_budget_too_small_for_anything_still_gives_an_answer(ground, chain):
    model = SymbolicReader()
    answer = asking(ground, chain, model, budget=Budget(max_calls=0))
    assert answer.abstained
    assert [step.name for step in answer.steps] == ["retrieve (hop)", "budget", "budget"]
    assert "0 of 0 calls" in answer.steps[-1].output
    assert model.prompts == []
    assert answer.passages


def test_evidence_that_does_not_fit_is_left_out_from_its_end(ground, chain):
    model = SymbolicReader(context_length=700)
    answer = asking(ground, chain, model, evidence="all", reads="passages")
    read = answer.steps[-1].evidence
    cited = tuple(citation.passage_id for citation in answer.passages)
    assert 0 < len(read) < len(cited)
    assert read == cited[: len(read)]


def test_demonstrations_leave_half_of_the_context_to_the_candidates(ground, chain):
    model = SymbolicReader(context_length=1400)
    answer = asking(ground, chain, model)
    assert answer.text == chain.answer
    shown = [prompt.count("## Example") for prompt in model.prompts[:-1]]
    assert shown == [2] * len(shown)


def test_without_a_ranker_candidates_are_as_many_as_letters(ground, chain):
    model = SymbolicReader()
    asking(ground, chain, model, ranked=False)
    assert "\nz. ⟨" in model.prompts[0]
    with pytest.raises(BadRequest, match="only 51 have a letter"):
        asking(ground, chain, model, candidates=60)


def test_prompts_of_ones_own_take_the_place_of_the_packaged_ones(ground, chain, tmp_path):
    own = "Answer the question.\n\n## Triples\n{triples}\n\n## Question\n{question}\n\n## Mine\n"
    (tmp_path / "trace").mkdir()
    (tmp_path / "trace" / "read_triples.txt").write_text(own, encoding="utf-8")
    model = SymbolicReader()
    parts = ground.parts(model, prompts=tmp_path)
    own = ground.own(chain)
    answer = answered_by(Trace(passages=PASSAGES), parts, chain.text, within=own)
    assert answer.text == chain.answer
    assert model.prompts[-1].endswith("## Mine")


def test_settings_that_are_none_are_named(ground, chain):
    with pytest.raises(
        BadRequest, match="reads of trace takes one of triples, passages, not 'sentences'"
    ):
        asking(ground, chain, reads="sentences")
    with pytest.raises(BadRequest, match="at least 1"):
        asking(ground, chain, candidates=0)
    with pytest.raises(BadRequest, match="takes a language model"):
        answered_by(Trace(evidence="top"), ground.parts(), chain.text)


def test_passages_without_triples_are_read_themselves(ground, chain):
    documents = ground.store.documents().values()
    silent = [d.title for d in documents if d.title.endswith((" Prize", " Museum"))]
    parts = ground.parts(SymbolicReader())
    answer = answered_by(Trace(), parts, chain.text, within=ground.ids(silent))
    assert answer.abstained
    assert answer.chains == ()
    assert answer.steps[-1].name == "read_passages"
    assert set(answer.steps[-1].evidence) == {c.passage_id for c in answer.passages}


def test_of_beams_that_do_not_compete_as_many_are_read_as_are_set(ground):
    question = next(q for q in ground.questions if q.type == "chain")
    for count in (1, 2):
        method = Trace(spread=True, beams=4, chains=count)
        answer = answered_by(
            method, ground.parts(SymbolicReader()), question.text, within=ground.own(question)
        )
        assert len(answer.chains) == count
