"""Words of retrievers that name what is no file of parameters: an error, soon."""

import os
from collections.abc import Iterator

import pytest
from support.building import WORDS, batch, page
from support.soon import soon

from hoptrail.kg.errors import HoptrailError
from hoptrail.kg.sqlite.store import SqliteStore
from hoptrail.service import Hoptrail

PAGES = [page("Witness", "Quenby met Zorada.", triples=(("Quenby", "met", "Zorada"),))]


@pytest.fixture(scope="module")
def hop(tmp_path_factory) -> Iterator[Hoptrail]:
    with SqliteStore(tmp_path_factory.mktemp("words") / "graph.db") as store:
        store.prepare(WORDS.fingerprint)
        store.add(batch(*PAGES))
        yield Hoptrail(store, encoder=WORDS)


@pytest.mark.parametrize("place", ["/etc/passwd", ".", "/dev/zero", "pipe"])
def test_a_file_of_parameters_is_a_regular_file_of_parameters(hop, place, tmp_path):
    if place == "pipe":
        os.mkfifo(place := str(tmp_path / "pipe"))
    with soon(place), pytest.raises(HoptrailError, match="train ranker") as said:
        hop.search("Who met Quenby?", retriever=f"ranker:file={place}")
    assert "root:" not in str(said.value)
