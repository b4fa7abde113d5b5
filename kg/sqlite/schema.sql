-- One graph in one file: the nodes and relationships of docs/graph-model.md.
-- What can be derived exactly by a query (NEXT, SHARES_KEYWORD, RELATES_TO) is a view or a join, not a table.
-- {kind} stands for the columns that kg/schema.py describes (kg/sqlite/columns.py); lists and maps are JSON in them.

CREATE TABLE graph_info (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    schema_version INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,                -- JSON
    created_by TEXT NOT NULL,
    next_fingerprint TEXT,                    -- of the encoder it is being moved to
    stamp TEXT NOT NULL DEFAULT (hex(randomblob(8))),  -- tells this file from another put in its place
    passage_changes INTEGER NOT NULL DEFAULT 0  -- counted up whenever passage vectors change: tells readers
                                                -- in every process that the vectors they keep are stale
);

-- What `train` fitted on this graph, with its provenance.
CREATE TABLE parameters ({parameters}, PRIMARY KEY (id)) WITHOUT ROWID;  -- text: JSON object

CREATE TABLE document ({document}, PRIMARY KEY (id));
CREATE INDEX document_title ON document (title);
CREATE INDEX document_source ON document (source);

CREATE TABLE failure ({failure}, PRIMARY KEY (source));

CREATE TABLE passage (
    number INTEGER PRIMARY KEY,               -- its row in passage_words and passage_vector
    {passage},
    UNIQUE (id),
    UNIQUE (document_id, position),
    FOREIGN KEY (document_id) REFERENCES document (id) ON DELETE CASCADE
);
CREATE INDEX passage_title ON passage (normal_title) WHERE position = 0;
CREATE INDEX passage_text_key ON passage (text_key, id);

CREATE TABLE passage_vector (
    number INTEGER PRIMARY KEY REFERENCES passage (number) ON DELETE CASCADE,
    vector BLOB NOT NULL                      -- little-endian float32
);

-- Holds folded words (kg.text.words) only, so that a phrase is found as kg.text.titles sees it.
CREATE VIRTUAL TABLE passage_words USING fts5 (
    title, text, content = '', tokenize = 'porter unicode61 remove_diacritics 2'
);

-- How many passages hold a stem: what the words of a question weigh.
CREATE TABLE term (id TEXT PRIMARY KEY, passages INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE entity ({entity}, PRIMARY KEY (id));  -- passages: how many mention it

-- How often mentions and triple ends spell an entity so: its name and aliases follow.
CREATE TABLE spelling (
    entity_id TEXT NOT NULL,
    spelling TEXT NOT NULL,
    times INTEGER NOT NULL,
    PRIMARY KEY (entity_id, spelling)
) WITHOUT ROWID;

CREATE TABLE mentions (
    {mentions},
    PRIMARY KEY (passage_id, entity_id),
    FOREIGN KEY (passage_id) REFERENCES passage (id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX mentions_entity ON mentions (entity_id, passage_id);

CREATE TABLE triple (
    number INTEGER PRIMARY KEY,               -- its row in triple_vector
    {triple},
    head_id TEXT NOT NULL,
    tail_id TEXT NOT NULL,
    tied INTEGER NOT NULL,
    UNIQUE (id)
);
CREATE INDEX triple_head ON triple (head_id);
CREATE INDEX triple_tail ON triple (tail_id);

CREATE TABLE triple_vector (
    number INTEGER PRIMARY KEY REFERENCES triple (number) ON DELETE CASCADE,
    vector BLOB NOT NULL                      -- little-endian float32
);

-- Numbers of vectors that went, or came below the highest: with what lies above the highest number it
-- has, a process that keeps vectors in memory reads no more than what changed. Another encoder's are
-- not logged: the fingerprint tells.
CREATE TABLE passage_vector_log (entry INTEGER PRIMARY KEY, number INTEGER NOT NULL);

CREATE TRIGGER passage_vector_gone AFTER DELETE ON passage_vector BEGIN
    INSERT INTO passage_vector_log (number) VALUES (OLD.number);
END;
CREATE TRIGGER passage_vector_below BEFORE INSERT ON passage_vector
WHEN NEW.number <= (SELECT max(number) FROM passage_vector) BEGIN
    INSERT INTO passage_vector_log (number) VALUES (NEW.number);
END;

-- Vectors of the encoder that the graph is being moved to; they take the place of the others all at once.
CREATE TABLE passage_vector_next (
    number INTEGER PRIMARY KEY REFERENCES passage (number) ON DELETE CASCADE,
    vector BLOB NOT NULL
);
CREATE TABLE triple_vector_next (
    number INTEGER PRIMARY KEY REFERENCES triple (number) ON DELETE CASCADE,
    vector BLOB NOT NULL
);

CREATE TABLE states (
    {states},
    PRIMARY KEY (passage_id, triple_id),
    FOREIGN KEY (passage_id) REFERENCES passage (id) ON DELETE CASCADE,
    FOREIGN KEY (triple_id) REFERENCES triple (id)
) WITHOUT ROWID;
CREATE INDEX states_triple ON states (triple_id, passage_id);

-- What extracted the triples of a passage, also when it found none.
CREATE TABLE extracted_by (
    {extracted_by},
    PRIMARY KEY (passage_id),
    FOREIGN KEY (passage_id) REFERENCES passage (id) ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE names (
    {names},
    PRIMARY KEY (source, target),
    FOREIGN KEY (source) REFERENCES passage (id) ON DELETE CASCADE,
    FOREIGN KEY (target) REFERENCES passage (id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX names_target ON names (target, source);

CREATE VIEW next (source, target) AS
SELECT a.id, b.id FROM passage a JOIN passage b ON b.document_id = a.document_id
    AND b.position = a.position + 1 AND a.position = b.position - 1;  -- said twice: indexed from either end

CREATE VIEW relates_to (source, target, relation, triple_id) AS
SELECT head_id, tail_id, relation, id FROM triple WHERE NOT tied;

-- Items of Wikidata, which entity of which document means one, what linked each document, what is stated of items.
CREATE TABLE item ({item}, PRIMARY KEY (id)) WITHOUT ROWID;

CREATE TABLE link (
    {link},
    PRIMARY KEY (document_id, entity_id),
    FOREIGN KEY (document_id) REFERENCES document (id) ON DELETE CASCADE,
    FOREIGN KEY (item_id) REFERENCES item (id)
) WITHOUT ROWID;
CREATE INDEX link_entity ON link (entity_id, document_id);
CREATE INDEX link_item ON link (item_id, entity_id, document_id);

CREATE TABLE linked_by (
    {linked_by},
    PRIMARY KEY (document_id),
    FOREIGN KEY (document_id) REFERENCES document (id) ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE claim (
    {claim},
    PRIMARY KEY (id),
    FOREIGN KEY (item_id) REFERENCES item (id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX claim_item ON claim (item_id, pid, id);
CREATE INDEX claim_value ON claim (value_id) WHERE value_id IS NOT NULL;

CREATE TABLE question (id TEXT PRIMARY KEY, text TEXT NOT NULL);
CREATE INDEX question_text ON question (text);

CREATE TABLE answer (
    id TEXT PRIMARY KEY,
    question_id TEXT NOT NULL REFERENCES question (id),
    method TEXT NOT NULL,
    text TEXT NOT NULL,
    abstained INTEGER NOT NULL,
    confidence REAL,
    model TEXT NOT NULL,
    usage TEXT NOT NULL,                      -- JSON object
    created_at TEXT NOT NULL
);
CREATE INDEX answer_question ON answer (question_id);
CREATE INDEX answer_created_at ON answer (created_at, id);

-- Evidence outlives the replacement of a document by one with the same passages: what really went is deleted in
-- kg/sqlite/write.py at the end of the transaction, not by a cascade in the middle of it.
CREATE TABLE step (
    answer_id TEXT NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
    chain INTEGER NOT NULL,
    place INTEGER NOT NULL,
    score REAL NOT NULL,                      -- the chain's
    triple_id TEXT NOT NULL,
    PRIMARY KEY (answer_id, chain, place)
) WITHOUT ROWID;
CREATE INDEX step_triple ON step (triple_id);

CREATE TABLE step_passage (
    answer_id TEXT NOT NULL,
    chain INTEGER NOT NULL,
    place INTEGER NOT NULL,
    rank INTEGER NOT NULL,
    passage_id TEXT NOT NULL,
    PRIMARY KEY (answer_id, chain, place, rank),
    FOREIGN KEY (answer_id, chain, place) REFERENCES step (answer_id, chain, place) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX step_passage_passage ON step_passage (passage_id);

CREATE TABLE cites (
    answer_id TEXT NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
    rank INTEGER NOT NULL,
    votes INTEGER NOT NULL,
    score REAL NOT NULL,
    passage_id TEXT NOT NULL,
    PRIMARY KEY (answer_id, rank)
) WITHOUT ROWID;
CREATE INDEX cites_passage ON cites (passage_id);

-- The graph that was traced for a question, with what brought each triple; and the entities where it began (initial)
-- and that the answer names (target).
CREATE TABLE traced (
    answer_id TEXT NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    round INTEGER NOT NULL,
    entity TEXT NOT NULL,                     -- explored
    guidance TEXT NOT NULL,
    entity_id TEXT NOT NULL,                  -- normal form of entity
    triple_id TEXT NOT NULL,
    PRIMARY KEY (answer_id, place)
) WITHOUT ROWID;
CREATE INDEX traced_triple ON traced (triple_id);

CREATE TABLE traced_end (
    answer_id TEXT NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    place INTEGER NOT NULL,
    entity_id TEXT NOT NULL,
    PRIMARY KEY (answer_id, kind, place)
) WITHOUT ROWID;
CREATE INDEX traced_end_entity ON traced_end (entity_id);

-- What of Wikidata an answer rests on, as the tables above have what documents state. It goes with the claims.
CREATE TABLE claim_step (
    answer_id TEXT NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
    chain INTEGER NOT NULL,
    place INTEGER NOT NULL,
    score REAL NOT NULL,
    claim_id TEXT NOT NULL REFERENCES claim (id) ON DELETE CASCADE,
    PRIMARY KEY (answer_id, chain, place)
) WITHOUT ROWID;
CREATE INDEX claim_step_claim ON claim_step (claim_id);

CREATE TABLE claim_cites (
    answer_id TEXT NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
    rank INTEGER NOT NULL,
    votes INTEGER NOT NULL,
    score REAL NOT NULL,
    claim_id TEXT NOT NULL REFERENCES claim (id) ON DELETE CASCADE,
    PRIMARY KEY (answer_id, rank, claim_id)
);  -- with rowids: else integrity_check takes votes for NULL, as the key is not the first columns
CREATE INDEX claim_cites_claim ON claim_cites (claim_id);

CREATE TABLE claim_traced (
    answer_id TEXT NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    round INTEGER NOT NULL,
    entity TEXT NOT NULL,
    guidance TEXT NOT NULL,
    claim_id TEXT NOT NULL REFERENCES claim (id) ON DELETE CASCADE,
    PRIMARY KEY (answer_id, place)
) WITHOUT ROWID;
CREATE INDEX claim_traced_claim ON claim_traced (claim_id);

-- The question's own graph, triple by triple: what was asked for each, and what its variables were bound to. What the
-- answers rest on, and the entities that variables were bound to, lie beside it: kind is triple, passage, head or tail.
CREATE TABLE question_triple (
    answer_id TEXT NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    head TEXT NOT NULL,
    relation TEXT NOT NULL,
    tail TEXT NOT NULL,
    head_value TEXT NOT NULL,
    tail_value TEXT NOT NULL,
    sub_question TEXT NOT NULL,
    sub_answer TEXT NOT NULL,
    confidence REAL,
    kept INTEGER NOT NULL,
    tries INTEGER NOT NULL,
    PRIMARY KEY (answer_id, place)
) WITHOUT ROWID;

CREATE TABLE question_triple_triple (
    answer_id TEXT NOT NULL,
    place INTEGER NOT NULL,
    kind TEXT NOT NULL,
    rank INTEGER NOT NULL,
    triple_id TEXT NOT NULL,
    PRIMARY KEY (answer_id, place, kind, rank),
    FOREIGN KEY (answer_id, place) REFERENCES question_triple (answer_id, place) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX question_triple_triple_triple ON question_triple_triple (triple_id);

CREATE TABLE question_triple_passage (
    answer_id TEXT NOT NULL,
    place INTEGER NOT NULL,
    kind TEXT NOT NULL,
    rank INTEGER NOT NULL,
    passage_id TEXT NOT NULL,
    PRIMARY KEY (answer_id, place, kind, rank),
    FOREIGN KEY (answer_id, place) REFERENCES question_triple (answer_id, place) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX question_triple_passage_passage ON question_triple_passage (passage_id);

CREATE TABLE question_triple_entity (
    answer_id TEXT NOT NULL,
    place INTEGER NOT NULL,
    kind TEXT NOT NULL,
    rank INTEGER NOT NULL,
    entity_id TEXT NOT NULL,
    PRIMARY KEY (answer_id, place, kind, rank),
    FOREIGN KEY (answer_id, place) REFERENCES question_triple (answer_id, place) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX question_triple_entity_entity ON question_triple_entity (entity_id);
