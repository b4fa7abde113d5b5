-- A small graph as schema 7 was written: its own statements, then the rows that tests/support/older.py describes.
PRAGMA application_id = 1213157460;

CREATE TABLE graph_info (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    schema_version INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    created_by TEXT NOT NULL,
    next_fingerprint TEXT,
    stamp TEXT NOT NULL DEFAULT (hex(randomblob(8))),
    passage_changes INTEGER NOT NULL DEFAULT 0

);

CREATE TABLE parameters ("id" TEXT NOT NULL,
    "text" TEXT NOT NULL, PRIMARY KEY (id)) WITHOUT ROWID;

CREATE TABLE document ("id" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "metadata" TEXT NOT NULL,
    "ingested_at" TEXT NOT NULL, PRIMARY KEY (id));

CREATE INDEX document_title ON document (title);

CREATE INDEX document_source ON document (source);

CREATE TABLE failure ("source" TEXT NOT NULL,
    "reason" TEXT NOT NULL, PRIMARY KEY (source));

CREATE TABLE passage (
    number INTEGER PRIMARY KEY,
    "id" TEXT NOT NULL,
    "document_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "normal_title" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "terms" TEXT NOT NULL,
    "text_key" TEXT NOT NULL DEFAULT '',
    "heading" TEXT NOT NULL DEFAULT '',
    "page" INTEGER,
    "language" TEXT NOT NULL DEFAULT '',
    UNIQUE (id),
    UNIQUE (document_id, position),
    FOREIGN KEY (document_id) REFERENCES document (id) ON DELETE CASCADE
);

CREATE INDEX passage_title ON passage (normal_title) WHERE position = 0;

CREATE INDEX passage_text_key ON passage (text_key, id);

CREATE TABLE passage_vector (
    number INTEGER PRIMARY KEY REFERENCES passage (number) ON DELETE CASCADE,
    vector BLOB NOT NULL
);

CREATE VIRTUAL TABLE passage_words USING fts5 (
    title, text, content = '', tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE TABLE term (id TEXT PRIMARY KEY, passages INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE entity ("id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "aliases" TEXT NOT NULL,
    "terms" TEXT NOT NULL,
    "passages" INTEGER NOT NULL,
    "wikidata_id" TEXT,
    "description" TEXT, PRIMARY KEY (id));

CREATE TABLE spelling (
    entity_id TEXT NOT NULL,
    spelling TEXT NOT NULL,
    times INTEGER NOT NULL,
    PRIMARY KEY (entity_id, spelling)
) WITHOUT ROWID;

CREATE TABLE mentions (
    "passage_id" TEXT NOT NULL,
    "entity_id" TEXT NOT NULL,
    "surface" TEXT NOT NULL,
    PRIMARY KEY (passage_id, entity_id),
    FOREIGN KEY (passage_id) REFERENCES passage (id) ON DELETE CASCADE
) WITHOUT ROWID;

CREATE INDEX mentions_entity ON mentions (entity_id, passage_id);

CREATE TABLE triple (
    number INTEGER PRIMARY KEY,
    "id" TEXT NOT NULL,
    "head" TEXT NOT NULL,
    "relation" TEXT NOT NULL,
    "tail" TEXT NOT NULL,
    "extractor" TEXT NOT NULL,
    head_id TEXT NOT NULL,
    tail_id TEXT NOT NULL,
    tied INTEGER NOT NULL,
    UNIQUE (id)
);

CREATE INDEX triple_head ON triple (head_id);

CREATE INDEX triple_tail ON triple (tail_id);

CREATE TABLE triple_vector (
    number INTEGER PRIMARY KEY REFERENCES triple (number) ON DELETE CASCADE,
    vector BLOB NOT NULL
);

CREATE TABLE passage_vector_log (entry INTEGER PRIMARY KEY, number INTEGER NOT NULL);

CREATE TRIGGER passage_vector_gone AFTER DELETE ON passage_vector BEGIN
    INSERT INTO passage_vector_log (number) VALUES (OLD.number);
END;

CREATE TRIGGER passage_vector_below BEFORE INSERT ON passage_vector
WHEN NEW.number <= (SELECT max(number) FROM passage_vector) BEGIN
    INSERT INTO passage_vector_log (number) VALUES (NEW.number);
END;

CREATE TABLE passage_vector_next (
    number INTEGER PRIMARY KEY REFERENCES passage (number) ON DELETE CASCADE,
    vector BLOB NOT NULL
);

CREATE TABLE triple_vector_next (
    number INTEGER PRIMARY KEY REFERENCES triple (number) ON DELETE CASCADE,
    vector BLOB NOT NULL
);

CREATE TABLE states (
    "passage_id" TEXT NOT NULL,
    "triple_id" TEXT NOT NULL,
    "start" INTEGER,
    "end" INTEGER,
    PRIMARY KEY (passage_id, triple_id),
    FOREIGN KEY (passage_id) REFERENCES passage (id) ON DELETE CASCADE,
    FOREIGN KEY (triple_id) REFERENCES triple (id)
) WITHOUT ROWID;

CREATE INDEX states_triple ON states (triple_id, passage_id);

CREATE TABLE extracted_by (
    "passage_id" TEXT NOT NULL,
    "extractor" TEXT NOT NULL,
    PRIMARY KEY (passage_id),
    FOREIGN KEY (passage_id) REFERENCES passage (id) ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE names (
    "source" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    PRIMARY KEY (source, target),
    FOREIGN KEY (source) REFERENCES passage (id) ON DELETE CASCADE,
    FOREIGN KEY (target) REFERENCES passage (id) ON DELETE CASCADE
) WITHOUT ROWID;

CREATE INDEX names_target ON names (target, source);

CREATE VIEW next (source, target) AS
SELECT a.id, b.id FROM passage a JOIN passage b ON b.document_id = a.document_id
    AND b.position = a.position + 1 AND a.position = b.position - 1;

CREATE VIEW relates_to (source, target, relation, triple_id) AS
SELECT head_id, tail_id, relation, id FROM triple WHERE NOT tied;

CREATE TABLE item ("id" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "endpoint" TEXT NOT NULL,
    "fetched_at" TEXT NOT NULL, PRIMARY KEY (id)) WITHOUT ROWID;

CREATE TABLE link (
    "document_id" TEXT NOT NULL,
    "entity_id" TEXT NOT NULL,
    "item_id" TEXT NOT NULL,
    "score" REAL NOT NULL,
    "margin" REAL NOT NULL,
    "method" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    PRIMARY KEY (document_id, entity_id),
    FOREIGN KEY (document_id) REFERENCES document (id) ON DELETE CASCADE,
    FOREIGN KEY (item_id) REFERENCES item (id)
) WITHOUT ROWID;

CREATE INDEX link_entity ON link (entity_id, document_id);

CREATE INDEX link_item ON link (item_id, entity_id, document_id);

CREATE TABLE linked_by (
    "document_id" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    PRIMARY KEY (document_id),
    FOREIGN KEY (document_id) REFERENCES document (id) ON DELETE CASCADE
) WITHOUT ROWID;

CREATE TABLE claim (
    "id" TEXT NOT NULL,
    "item_id" TEXT NOT NULL,
    "pid" TEXT NOT NULL,
    "relation" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "value_id" TEXT,
    "rank" TEXT NOT NULL,
    "unit" TEXT NOT NULL,
    "start" TEXT NOT NULL,
    "end" TEXT NOT NULL,
    "point_in_time" TEXT NOT NULL,
    "statement" TEXT NOT NULL,
    "endpoint" TEXT NOT NULL,
    "fetched_at" TEXT NOT NULL,
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
    usage TEXT NOT NULL,
    created_at TEXT NOT NULL
);

CREATE INDEX answer_question ON answer (question_id);

CREATE INDEX answer_created_at ON answer (created_at, id);

CREATE TABLE step (
    answer_id TEXT NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
    chain INTEGER NOT NULL,
    place INTEGER NOT NULL,
    score REAL NOT NULL,
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

CREATE TABLE traced (
    answer_id TEXT NOT NULL REFERENCES answer (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    round INTEGER NOT NULL,
    entity TEXT NOT NULL,
    guidance TEXT NOT NULL,
    entity_id TEXT NOT NULL,
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
);

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

INSERT INTO answer VALUES('27ee8d9f0bd6144bd6e29bc7','ac5ce829e6f28990e0ddcc9f','trace','Vaagur',0,0.75,'','{"calls": 0}','2026-01-01T00:00:00.000000+00:00');
INSERT INTO cites VALUES('27ee8d9f0bd6144bd6e29bc7',0,1,0.5,'c726f42f73803aee84573a0d');
INSERT INTO document VALUES('id of The Salt Lantern','The Salt Lantern','The Salt Lantern.md','28d7f81228f554df4b1112740b6a31e80eac6489f852c40a48ff6e25528392f0','{}','2026-11-29T16:20:12.270284+00:00');
INSERT INTO document VALUES('id of Runa Eide','Runa Eide','Runa Eide.md','80d515c1251349eaea3eaa3e1531b67c1cde9f26eca10ea9e702f240de322ac7','{}','2026-11-29T16:20:12.270343+00:00');
INSERT INTO document VALUES('id of Introduction','Introduction','Introduction.md','c08854939decfd55d610074859df341c1bf6f0efa2dfa75ece2f36e98a39bfba','{}','2026-11-29T16:20:12.270353+00:00');
INSERT INTO entity VALUES('runa eide','Runa Eide','["RUNA EIDE"]','["runa", "eid"]',4,NULL,NULL);
INSERT INTO entity VALUES('salt lantern','The Salt Lantern','[]','["salt", "lantern"]',1,NULL,NULL);
INSERT INTO entity VALUES('vaagur','Vaagur','[]','["vaagur"]',2,NULL,NULL);
INSERT INTO extracted_by VALUES('2447c4bfb140756af042a662','test');
INSERT INTO extracted_by VALUES('43c31162558900d9b9da5a14','test');
INSERT INTO extracted_by VALUES('584e9ed29cc3e0027aaf54d9','test');
INSERT INTO extracted_by VALUES('c726f42f73803aee84573a0d','test');
INSERT INTO failure VALUES('lost.md','not found');
INSERT INTO graph_info VALUES(1,7,'{"name": "older", "dimension": 6, "pooling": "sum", "normalised": true, "query_prefix": "", "passage_prefix": "", "weights": "none"}','hoptrail 0.1.0',NULL,'C0C2F48C19E9E085',1);
INSERT INTO mentions VALUES('2447c4bfb140756af042a662','runa eide','RUNA EIDE');
INSERT INTO mentions VALUES('2447c4bfb140756af042a662','vaagur','Vaagur');
INSERT INTO mentions VALUES('43c31162558900d9b9da5a14','runa eide','Runa Eide');
INSERT INTO mentions VALUES('584e9ed29cc3e0027aaf54d9','runa eide','Runa Eide');
INSERT INTO mentions VALUES('584e9ed29cc3e0027aaf54d9','salt lantern','The Salt Lantern');
INSERT INTO mentions VALUES('c726f42f73803aee84573a0d','runa eide','Runa Eide');
INSERT INTO mentions VALUES('c726f42f73803aee84573a0d','vaagur','Vaagur');
INSERT INTO names VALUES('2447c4bfb140756af042a662','c726f42f73803aee84573a0d');
INSERT INTO names VALUES('584e9ed29cc3e0027aaf54d9','c726f42f73803aee84573a0d');
INSERT INTO parameters VALUES('gnn-ret','{"alphas": [0.5]}');
INSERT INTO passage VALUES(1,'584e9ed29cc3e0027aaf54d9','id of The Salt Lantern',0,'The Salt Lantern','the salt lantern','The Salt Lantern was drawn by Runa Eide. See Introduction.','["salt", "lantern", "drawn", "runa", "eid", "see", "introduct"]','f98d6d1d3bde512525ef0961','',NULL,'');
INSERT INTO passage VALUES(2,'c726f42f73803aee84573a0d','id of Runa Eide',0,'Runa Eide','runa eide','Runa Eide was born in Vaagur.','["runa", "eid", "born", "vaagur"]','8c0a9ca30c88ca5b4bb190cc','',NULL,'');
INSERT INTO passage VALUES(3,'43c31162558900d9b9da5a14','id of Runa Eide',1,'Runa Eide','runa eide','Runa Eide drew 9 sheets.','["runa", "eid", "drew", "9", "sheet"]','281d2f28ded73b2b7a73f60a','',NULL,'');
INSERT INTO passage VALUES(4,'2447c4bfb140756af042a662','id of Introduction',0,'Introduction','introduction','RUNA EIDE and Vaagur: what they have in common.','["introduct", "runa", "eid", "vaagur", "common"]','114027dc1d3ec4104b2e67e7','',NULL,'');
INSERT INTO passage_vector VALUES(1,X'DB8017BF4BF99DBEC89425BF91F3C83DFB69993E517044BE');
INSERT INTO passage_vector VALUES(2,X'AE78863E1AA1993E7868E43D27C5C13EB796C53E8E7D3B3F');
INSERT INTO passage_vector VALUES(3,X'598A21BFD564223FE437C3BE81D5303E81471FBEF29995BB');
INSERT INTO passage_vector VALUES(4,X'491AE1BD8DBDA6BEE63918BF34901E3E8D8B253FC341963E');
INSERT INTO question VALUES('ac5ce829e6f28990e0ddcc9f','Where was the artist of The Salt Lantern born?');
INSERT INTO spelling VALUES('runa eide','RUNA EIDE',2);
INSERT INTO spelling VALUES('runa eide','Runa Eide',5);
INSERT INTO spelling VALUES('salt lantern','The Salt Lantern',2);
INSERT INTO spelling VALUES('vaagur','Vaagur',4);
INSERT INTO states VALUES('2447c4bfb140756af042a662','57de8f680d27806733a47b35',0,20);
INSERT INTO states VALUES('584e9ed29cc3e0027aaf54d9','54208dbba6e6094164063585',0,39);
INSERT INTO states VALUES('c726f42f73803aee84573a0d','5a28c735b987a2b8a3b49b99',0,28);
INSERT INTO step VALUES('27ee8d9f0bd6144bd6e29bc7',0,0,-0.5,'54208dbba6e6094164063585');
INSERT INTO step_passage VALUES('27ee8d9f0bd6144bd6e29bc7',0,0,0,'584e9ed29cc3e0027aaf54d9');
INSERT INTO term VALUES('9',1);
INSERT INTO term VALUES('born',1);
INSERT INTO term VALUES('common',1);
INSERT INTO term VALUES('drawn',1);
INSERT INTO term VALUES('drew',1);
INSERT INTO term VALUES('eid',4);
INSERT INTO term VALUES('introduct',2);
INSERT INTO term VALUES('lantern',1);
INSERT INTO term VALUES('runa',4);
INSERT INTO term VALUES('salt',1);
INSERT INTO term VALUES('see',1);
INSERT INTO term VALUES('sheet',1);
INSERT INTO term VALUES('vaagur',2);
INSERT INTO triple VALUES(1,'54208dbba6e6094164063585','The Salt Lantern','drawn by','Runa Eide','test','salt lantern','runa eide',0);
INSERT INTO triple VALUES(2,'57de8f680d27806733a47b35','RUNA EIDE','and','Vaagur','test-tied','runa eide','vaagur',1);
INSERT INTO triple VALUES(3,'5a28c735b987a2b8a3b49b99','Runa Eide','born in','Vaagur','test','runa eide','vaagur',0);
INSERT INTO triple_vector VALUES(1,X'1A61C9BEB2F35DBE9F12F8BE85CD753E1C087E3E7EA82ABF');
INSERT INTO passage_words (rowid, title, text) VALUES (1, 'the salt lantern', 'the salt lantern was drawn by runa eide see introduction');
INSERT INTO passage_words (rowid, title, text) VALUES (2, 'runa eide', 'runa eide was born in vaagur');
INSERT INTO passage_words (rowid, title, text) VALUES (3, 'runa eide', 'runa eide drew 9 sheets');
INSERT INTO passage_words (rowid, title, text) VALUES (4, 'introduction', 'runa eide and vaagur what they have in common');
