"""What is looked up over HTTP."""

import pytest

from hoptrail import Document
from hoptrail.service.web.public import public_source


def test_passages_are_ranked_with_their_sentences(service):
    found = service.get("/v1/search", params={"q": "director", "retriever": "bm25"}).json()
    best = found["passages"][0]
    assert (best["title"], best["source"]) == ("Runa Eide", "Runa Eide.txt")
    assert "director" in best["sentences"][0]["sentence"]


def test_documents_come_page_by_page(service):
    seen, after = [], ""
    while after is not None:
        page = service.get("/v1/documents", params={"after": after, "limit": 3}).json()
        seen += [one["title"] for one in page["documents"]]
        after = page["next"]
    assert {"Runa Eide", "Salt", "The Salt Lantern", "Vaagur"} <= set(seen)
    assert len(seen) == len(set(seen)) == page["total"]


def test_a_document_has_its_passages_and_no_path(service):
    shown = service.get("/v1/documents/id Vaagur").json()
    assert (shown["source"], shown["passages_in_all"]) == ("Vaagur.txt", 1)
    assert shown["passages"][0]["text"].startswith("Vaagur is a town")
    assert "/srv/notes" not in service.get("/v1/things", params={"name": "Vaagur"}).text


def test_an_entity_has_its_neighbours(service):
    shown = service.get("/v1/entities/runa eide").json()
    assert shown["name"] == "Runa Eide"
    ends = {(t["head_id"], t["tail_id"]) for t in shown["triples"]}
    assert {("salt lantern", "runa eide"), ("runa eide", "vaagur")} <= ends


def test_what_was_asked_comes_page_by_page_the_newest_first(service):
    asked = [f"Who directed The Salt Lantern{mark}" for mark in ("?", " again?", " then?")]
    for question in asked:
        service.hop.keep(service.hop.consider(question), record=True)
    seen, after = [], ""
    while after is not None and len(seen) < 4:
        page = service.get("/v1/questions", params={"after": after, "limit": 2}).json()
        seen += [one["question"] for one in page["questions"]]
        after = page["next"]
    assert seen[:3] == asked[::-1]
    assert service.get("/v1/questions", params={"after": "nothing"}).status_code == 404


@pytest.mark.parametrize("kind", ["documents", "passages", "entities", "answers", "jobs"])
def test_what_is_not_there_is_a_problem(service, kind):
    missing = service.get(f"/v1/{kind}/nothing")
    assert missing.status_code == 404
    assert missing.json()["type"] == "/problems/not-found"


def test_a_misspelt_parameter_is_refused(service):
    said = service.get("/v1/search", params={"q": "theatre", "limt": 1})
    assert said.status_code == 422
    assert said.json()["detail"] == (
        "This route has no parameter limt; there are: q, retriever, limit, where, sources."
    )
    assert service.get("/v1/stats", params={"x": 1}).json()["detail"].endswith("there are none.")
    assert service.get("/health", params={"t": 1}).status_code == 200


def test_conditions_are_refused_with_a_sentence(service):
    def found(where):
        said = service.get("/v1/search", params={"q": "theatre", "where": where}).json()
        return said.get("detail") or [one["title"] for one in said["passages"]]

    assert found("source=*Salt.txt") == ["Salt"]
    assert found("title").startswith("query.where.0: 'title' is no condition. Write a field")
    assert "'tomorrow' is no date" in found("ingested_at>tomorrow")
    assert "'abc' is neither a number nor a date" in found("price<abc")
    assert "more than two *" in found("title=a*b*c*d")
    assert found("source=Salz.txt") == (
        "No document in the graph fulfils source=Salz.txt. In source they have: Runa Eide.txt, "
        "Salt.txt, The Salt Lantern.txt, Vaagur.txt."
    )


def test_a_file_is_found_by_its_name(service):
    said = service.get("/v1/things", params={"name": "salt.txt", "limit": 1}).json()
    assert [one["title"] for one in said["found"]] == ["Salt"]
    assert said["left_out"] == 0


def test_a_path_is_no_name(service):
    assert service.get("/v1/things", params={"name": "/etc/passwd"}).status_code == 404
    assert service.get("/v1/things", params={"name": ""}).status_code == 422


def test_the_service_says_what_it_is(service):
    about = service.get("/v1/about").json()
    assert about["model"] is None
    assert "trace" in about["methods"]
    assert service.get("/v1/stats").json()["documents"] >= 4
    paths = service.get("/openapi.json").json()["paths"]
    assert {"/v1/ask", "/v1/ask/stream", "/v1/documents", "/v1/jobs/{id}/events"} <= set(paths)
    text = service.get("/metrics").text
    assert 'hoptrail_requests_total{method="GET",route="/v1/about",status="200"}' in text


def test_a_path_names_all_of_its_methods(service):
    assert service.put("/v1/documents/x").headers["allow"] == "DELETE, GET, HEAD"
    assert service.delete("/v1/stats").headers["allow"] == "GET, HEAD"


def test_a_head_is_what_get_answers_without_its_body(service):
    for path in ("/", "/health", "/v1/stats", "/v1/documents", "/v1/entities/nothing", "/nothing"):
        got, head = service.get(path), service.head(path)
        assert (head.status_code, head.content) == (got.status_code, b"")
        for name in ("content-type", "content-length"):
            assert head.headers[name] == got.headers[name]
    assert service.head("/v1/ask").status_code == 405


def test_what_has_a_slash_in_its_id_is_shown_and_removed(service):
    song = "AC/DC recorded Thunderstruck. Malcolm Young founded AC/DC."
    service.hop.ingest(Document("bands/acdc", "AC/DC", song, "/srv/notes/bands.txt"))
    for id_ in ("ac%2Fdc", "ac/dc"):
        shown = service.get(f"/v1/entities/{id_}").json()
        assert shown["name"] == "AC/DC"
        assert shown["passages"][0]["document_id"] == "bands/acdc"
    assert service.get("/v1/documents/bands%2Facdc").json()["title"] == "AC/DC"
    metrics = service.get("/metrics").text
    assert 'route="/v1/entities/{id}",status="200"' in metrics
    assert service.delete("/v1/documents/bands%2Facdc").status_code == 204


def test_documents_are_listed_that_fulfil_all_conditions(service):
    def listed(*where, **more):
        return service.get("/v1/documents", params={"where": where, **more}).json()

    both = listed("source=notes", "title~Salt")
    assert [one["title"] for one in both["documents"]] == ["Salt", "The Salt Lantern"]
    assert (both["total"], both["next"]) == (2, None)
    first = listed("title~Salt", limit=1)
    assert (first["total"], first["next"]) == (2, "id Salt")
    rest = listed("title~Salt", limit=1, after=first["next"])
    assert [one["title"] for one in rest["documents"]] == ["The Salt Lantern"]
    assert "None has a field colour" in listed("colour=red")["detail"]
    assert "'x' is neither a number nor a date" in listed("price<x")["detail"]


def test_only_files_lose_their_folders():
    assert public_source("/srv/notes/a.txt") == "a.txt"
    assert public_source("https://example.org/a.txt") == "https://example.org/a.txt"
    assert public_source("upload:a.txt") == "upload:a.txt"
