"""Fitted parameters that an earlier version wrote are read, and written again byte for byte."""

import json
import math
from random import Random

import numpy as np
import pytest
from support.fakes import WordEncoder
from support.mutations import mutated

from hoptrail.kg.errors import BadRequest, EncoderMismatch, ModelMissing
from hoptrail.reasoning.reader.judging.weights import PACKAGED, READER
from hoptrail.reasoning.retrieval.gnn_parameters import GNN_RET, GnnParameters
from hoptrail.reasoning.retrieval.ranker import RANKER, Boosted, Linear

GNN_TEXT = """{
 "format": 1,
 "alphas": [
  0.3,
  0.8
 ],
 "beta": 0.75,
 "step_alphas": [
  0.5,
  0.25
 ],
 "senders": 4,
 "kinds": [
  "NEXT"
 ],
 "encoder": {
  "name": "words",
  "dimension": 64,
  "pooling": "sum",
  "normalised": true,
  "query_prefix": "",
  "passage_prefix": "",
  "weights": "none"
 },
 "provenance": {
  "sources": [
   {
    "file": "m\\u00fchle.jsonl",
    "sha256": "ab"
   }
  ],
  "questions": 2,
  "loss": [
   0.2,
   0.1
  ]
 }
}
"""
RANKER_HEAD = (
    '{"format":1,"kind":"ranker","features":["dense","text","first","covers","is named",'
    '"title asked","title words","seed rank","adds to best","hop","alone","hop rank","behind",'
    '"message","from names","from named","from shared","covers together","second message",'
    '"messages","senders","names senders","rarest","later message","link","sender first",'
    '"sender is named","sends","tied to second","question words","titles named"],'
    '"encoder":{"name":"words","dimension":64,"pooling":"sum","normalised":true,'
    '"query_prefix":"","passage_prefix":"","weights":"none"},"hop":{"shares":0.5},"depth":100,'
    '"provenance":{"sources":[{"file":"mühle.jsonl","sha256":"ab","questions":2}],"questions":2},'
)
TREES_TEXT = (
    RANKER_HEAD + '"hop_weight":3.0,"trees":{"feature":[1],"threshold":[0.5],"left":[-1],'
    '"right":[-2],"roots":[0],"leaf":[0.25,-0.5]}}\n'
)
LINEAR_TEXT = RANKER_HEAD + f'"linear":[{",".join(str(n / 4) for n in range(31))}]}}\n'
READER_TEXT = PACKAGED.read_text(encoding="utf-8")
TEXTS = [
    (GNN_RET, GNN_TEXT),
    (RANKER, TREES_TEXT),
    (RANKER, LINEAR_TEXT),
    (READER, READER_TEXT),
]


@pytest.mark.parametrize(("kind", "text"), TEXTS)
def test_what_an_earlier_version_wrote_is_written_again_byte_for_byte(kind, text, tmp_path):
    (tmp_path / "old.json").write_bytes(text.encode())
    fitted = kind.load(tmp_path / "old.json")
    assert kind.to_json(fitted) == text
    kind.save(fitted, tmp_path / "new.json")
    assert (tmp_path / "new.json").read_bytes() == text.encode()


def test_what_an_earlier_version_wrote_means_the_same():
    gnn = GNN_RET.from_json(GNN_TEXT, "old.json")
    assert gnn.parameters == GnnParameters((0.3, 0.8), 0.75, (0.5, 0.25), 4, ("NEXT",))
    assert gnn.encoder == WordEncoder().fingerprint
    assert gnn.provenance["sources"] == [{"file": "mühle.jsonl", "sha256": "ab"}]
    trees, linear = (RANKER.from_json(text, "r").parameters for text in (TREES_TEXT, LINEAR_TEXT))
    assert (type(trees.model), type(linear.model)) == (Boosted, Linear)
    assert (trees.hop, trees.depth) == ({"shares": 0.5}, 100)


@pytest.mark.parametrize(("kind", "text"), TEXTS)
def test_a_newer_version_is_named(kind, text):
    newer = text.replace('"format": 1', '"format": 2').replace('"format":1', '"format":2')
    with pytest.raises((BadRequest, ModelMissing), match=r"f\.json: .*newer version; upgrade"):
        kind.from_json(newer, "f.json")


@pytest.mark.parametrize("kind", [GNN_RET, RANKER, READER])
@pytest.mark.parametrize("text", ["", "{", "[]", "null", "3", "{}", '{"format": 1}'])
def test_what_is_something_else_is_refused_with_the_command_that_writes_one(kind, text):
    with pytest.raises(kind.error, match=rf"f\.json: not .*hoptrail train {kind.kind}"):
        kind.from_json(text, "f.json")


@pytest.mark.parametrize(("kind", "text"), TEXTS)
def test_a_file_with_something_wrong_is_read_or_refused(kind, text):
    refused = []
    for number in range(60):
        record = mutated(json.loads(text), Random(number))
        try:
            fitted = kind.from_json(json.dumps(record), "f.json")
        except kind.error as error:
            refused.append(str(error))
        else:
            assert all(map(math.isfinite, _numbers(kind.to_record(fitted.parameters))))
    assert all(said.startswith("f.json: not ") and len(said) < 500 for said in refused)
    assert len(refused) > 10


@pytest.mark.parametrize("kind", [GNN_RET, RANKER, READER])
def test_a_file_that_is_nested_without_end_is_refused(kind):
    with pytest.raises(kind.error, match=r"f\.json: not "):
        kind.from_json("[" * 100_000, "f.json")


@pytest.mark.parametrize(
    ("kind", "text", "number"),
    [
        *((READER, READER_TEXT, where) for where in ("scorer", "calibrator")),
        (RANKER, TREES_TEXT, "hop_weight"),
    ],
)
@pytest.mark.parametrize("value", [math.nan, math.inf, 1e39])
def test_weights_are_numbers(kind, text, number, value):
    record = json.loads(text)
    if number == "hop_weight":
        record[number] = value
    else:
        record[number]["intercept"] = value
    with pytest.raises(kind.error, match=r"f\.json: not "):
        kind.from_json(json.dumps(record), "f.json")


def _numbers(value):
    """All numbers in a record."""
    if isinstance(value, dict | list | tuple):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _numbers(one)
    elif isinstance(value, float | np.floating):
        yield value


@pytest.mark.parametrize("kind", [GNN_RET, RANKER, READER])
def test_a_file_that_can_t_be_read_is_named(kind, tmp_path):
    with pytest.raises(
        kind.error, match=rf"absent\.json can't be read as {kind.what}.*train {kind.kind}"
    ):
        kind.load(tmp_path / "absent.json")
    (tmp_path / "latin.json").write_bytes("mühle".encode("latin-1"))
    with pytest.raises(kind.error, match=r"latin\.json can't be read"):
        kind.load(tmp_path / "latin.json")


@pytest.mark.parametrize(("kind", "text"), [(GNN_RET, GNN_TEXT), (RANKER, TREES_TEXT)])
def test_another_encoder_is_refused_with_the_next_step(kind, text):
    fitted = kind.from_json(text, "f.json")
    kind.check(fitted, WordEncoder().fingerprint, "f.json")
    other = WordEncoder(name="other").fingerprint
    with pytest.raises(EncoderMismatch, match=rf"f\.json.* words .*other.*train {kind.kind}"):
        kind.check(fitted, other, "f.json")
