"""The graph on a Neo4j server as py2neo's object-graph classes, for programs that use py2neo.

For reading: what is written through these classes passes none of the rules that keep the graph
exact (`GraphStore.add`). Needs the extra `py2neo`. docs/graph-model.md holds the model, and what
of py2neo works on current servers.
"""

from py2neo.ogm import GraphObject, Property, RelatedFrom, RelatedTo


class _Node(GraphObject):
    """A node known by its `id`."""

    __primarykey__ = "id"
    id = Property()


class Document(_Node):
    """One input document; `metadata` is JSON text."""

    __primarylabel__ = "HoptrailDocument"
    title = Property()
    source = Property()
    sha256 = Property()
    metadata = Property()
    ingested_at = Property()

    passages = RelatedTo("Passage", "HAS_PASSAGE")


class Passage(_Node):
    """A stretch of a document; SHARES_KEYWORD has no direction, so both ends are here."""

    __primarylabel__ = "HoptrailPassage"
    document_id = Property()
    position = Property()
    title = Property()
    normal_title = Property()
    text = Property()
    terms = Property()
    text_key = Property()
    heading = Property()
    page = Property()
    language = Property()
    headings = Property()
    embedding = Property()

    documents = RelatedFrom("Document", "HAS_PASSAGE")
    next = RelatedTo("Passage", "NEXT")
    previous = RelatedFrom("Passage", "NEXT")
    names = RelatedTo("Passage", "NAMES")
    named_by = RelatedFrom("Passage", "NAMES")
    shares_keyword_to = RelatedTo("Passage", "SHARES_KEYWORD")
    shares_keyword_from = RelatedFrom("Passage", "SHARES_KEYWORD")
    mentions = RelatedTo("Entity", "MENTIONS")
    states = RelatedTo("Triple", "STATES")
    cited_by = RelatedFrom("Answer", "CITES")


class Entity(_Node):
    """What passages talk about; `passages` is its document frequency."""

    __primarylabel__ = "HoptrailEntity"
    name = Property()
    aliases = Property()
    terms = Property()
    passages = Property()
    wikidata_id = Property()
    description = Property()

    mentioned_by = RelatedFrom("Passage", "MENTIONS")
    # One of several to the same entity, as py2neo has it: `heads` and `tails` give all of them.
    relates_to = RelatedTo("Entity", "RELATES_TO")
    related_from = RelatedFrom("Entity", "RELATES_TO")
    heads = RelatedFrom("Triple", "HEAD")
    tails = RelatedFrom("Triple", "TAIL")


class Triple(_Node):
    """⟨head; relation; tail⟩; the texts are properties, the entities relationships."""

    __primarylabel__ = "HoptrailTriple"
    head = Property()
    relation = Property()
    tail = Property()
    text = Property()
    extractor = Property()
    embedding = Property()

    head_entities = RelatedTo("Entity", "HEAD")
    tail_entities = RelatedTo("Entity", "TAIL")
    passages = RelatedFrom("Passage", "STATES")
    answers = RelatedFrom("Answer", "STEP")
    traced_for = RelatedFrom("Answer", "TRACED")

    @property
    def head_entity(self) -> "Entity":
        """The entity that the triple is about."""
        return next(iter(self.head_entities))

    @property
    def tail_entity(self) -> "Entity":
        """The entity at its other end."""
        return next(iter(self.tail_entities))


class Question(_Node):
    """A question that was asked."""

    __primarylabel__ = "HoptrailQuestion"
    text = Property()

    answers = RelatedTo("Answer", "ANSWERED_BY")


class Answer(_Node):
    """A recorded answer; `usage` is JSON text.

    `steps` and `cites` give nodes; order and votes are properties of the relationships:
    `answer.cites.get(passage, "votes")`.
    """

    __primarylabel__ = "HoptrailAnswer"
    method = Property()
    text = Property()
    abstained = Property()
    confidence = Property()
    model = Property()
    usage = Property()
    created_at = Property()

    questions = RelatedFrom("Question", "ANSWERED_BY")
    steps = RelatedTo("Triple", "STEP")
    cites = RelatedTo("Passage", "CITES")
    traced = RelatedTo("Triple", "TRACED")
    began_at = RelatedTo("Entity", "BEGAN_AT")
    led_to = RelatedTo("Entity", "LED_TO")
    asked = RelatedTo("QuestionTriple", "ASKED")


class QuestionTriple(_Node):
    """A triple of a question's own graph, with what was asked for it and bound by it."""

    __primarylabel__ = "HoptrailQuestionTriple"
    head = Property()
    relation = Property()
    tail = Property()
    text = Property()
    head_value = Property()
    tail_value = Property()
    sub_question = Property()
    sub_answer = Property()
    confidence = Property()
    kept = Property()
    tries = Property()

    answers = RelatedFrom("Answer", "ASKED")
    triples = RelatedTo("Triple", "SUPPORTED_BY")
    passages = RelatedTo("Passage", "READ_IN")
    entities = RelatedTo("Entity", "BOUND_TO")
