"""The packaged demonstration holds together."""

import pytest

from hoptrail.kg.types import Document
from hoptrail.loaders import documents
from hoptrail.service.demo import corpus_folder, questions


@pytest.fixture(scope="module")
def corpus():
    with corpus_folder() as folder:
        found = list(documents([folder]))
    assert all(isinstance(item, Document) for item in found)
    return {document.title: document for document in found}


def test_thirty_six_short_documents(corpus):
    assert len(corpus) == 36
    assert all(55 <= len(d.text.split()) <= 160 for d in corpus.values())


def test_each_document_is_linked_with_another_by_title(corpus):
    for title, document in corpus.items():
        out = any(other in document.text for other in corpus if other != title)
        assert out or any(title in d.text for t, d in corpus.items() if t != title), title


def test_answers_are_in_the_documents_they_need(corpus):
    for question in questions():
        assert set(question.documents) <= set(corpus)
        if question.answer is None:
            assert question.documents == ()
        elif question.answer not in ("yes", "no"):
            assert any(question.answer in corpus[title].text for title in question.documents)


def test_the_unanswerable_question_is_about_nothing_in_the_corpus(corpus):
    (question,) = [q for q in questions() if q.answer is None]
    assert "Carmen" in question.text
    assert not any("Carmen" in d.text for d in corpus.values())
