"""A made record of each dataset, in its official layout."""

FULL_WIKI = {
    "_id": "h1",
    "question": "In which country is the town where Ada Brun was born?",
    "answer": "Norway",
    "type": "bridge",
    "supporting_facts": [["Ada Brun", 0], ["Vik", 1]],
    "context": [["Vik", ["Vik is a town."]], ["Bonn", ["Bonn is one too.", " On the Rhine."]]],
}
TWO_WIKI = {
    "_id": "w1",
    "question": "Where was the director of Salt born?",
    "answer": "Kristiania",
    "answer_id": "Q585",
    "type": "compositional",
    "supporting_facts": [["Salt", 0]],
    "context": [["Salt", ["Salt is by Ada Brun."]]],
    "evidences": [["Salt", "director", "Ada Brun"], ["Ada Brun", "born in", "Kristiania"]],
    "evidences_id": [["Q1", "director", "Q2"], ["Q2", "born in", "Q585"]],
}
ALIASES = [
    {"Q_id": "Q2", "aliases": ["A. Brun"], "demonyms": []},
    {"Q_id": "Q585", "aliases": ["Oslo", "Christiania"], "demonyms": ["Osloer"]},
]
MUSIQUE = {
    "id": "2hop__1_2",
    "question": "Who?",
    "answer": "Ada",
    "answer_aliases": ["A."],
    "answerable": True,
    "question_decomposition": [{"id": 1, "question": "x", "answer": "y"}],
    "paragraphs": [{"idx": 0, "title": "T", "paragraph_text": "Text.", "is_supporting": True}],
}
IIRC = {
    "pid": "p_1",
    "title": "Ada Brun",
    "text": "Ada Brun rowed for <a href='x'>Vik</a> &amp; Bonn.",
    "links": [{"target": "Vik", "indices": [19, 22]}, {"target": "Bonn", "indices": [25, 29]}],
    "questions": [
        {
            "qid": "q_1",
            "question": "For which towns on a river did she row?",
            "context": [
                {"text": "rowed for Vik", "passage": "main", "indices": [9, 22]},
                {"text": "on the Rhine", "passage": "bonn", "indices": [0, 5]},
            ],
            "question_links": ["Bonn"],
            "answer": {"type": "span", "answer_spans": [{"text": "Vik"}, {"text": "Bonn"}]},
        },
        {
            "qid": "q_2",
            "question": "How old is Vik?",
            "context": [{"text": "900 years old", "passage": "vik", "indices": [0, 5]}],
            "answer": {"type": "value", "answer_value": "900", "answer_unit": "years"},
        },
        {
            "qid": "q_3",
            "question": "Is Vik older than Bonn?",
            "context": [],
            "answer": {"type": "binary", "answer_value": "no"},
        },
        {"qid": "q_4", "question": "Why?", "context": [], "answer": {"type": "none"}},
        {"qid": "q_5", "question": "What?", "context": [], "answer": {"type": "bad"}},
    ],
}
QUALITY = {
    "article_id": "52845",
    "set_unique_id": "52845_A",
    "title": "The Salt Lamp",
    "article": "<html><body><p>It was dark.</p><p>Ada lit the lamp.</p></body></html>",
    "questions": [
        {
            "question": "Who lit the lamp?",
            "question_unique_id": "52845_A_1",
            "options": ["Bo", "Ada", "Nobody", "Rain"],
            "gold_label": 2,
            "difficult": 1,
        },
        {
            "question": "When?",
            "question_unique_id": "52845_A_2",
            "options": ["Now", "Then", "Later", "Never"],
        },
    ],
}
FEVER = {
    "id": 75397,
    "verifiable": "VERIFIABLE",
    "label": "SUPPORTS",
    "claim": "Ada Brun was in a band.",
    "evidence": [
        [[1, 2, "Ada_Brun", 7]],
        [[3, 4, "Ada_Brun", 0], [3, 5, "Savage_-LRB-band-RRB-", 1]],
        [[6, 7, "Ada_Brun", 7]],
    ],
}
OPEN = {
    "id": 2,
    "label": "NOT ENOUGH INFO",
    "claim": "Ada Brun sleeps.",
    "evidence": [[[9, None, None, None]]],
}
WIKI_PAGE = {
    "id": "Savage_-LRB-band-RRB-",
    "text": "Savage -LRB- 1976 -RRB- is a band . It is loud .",
    "lines": "0\tSavage -LRB- 1976 -RRB- is a band .\tband\tBand\n1\tIt is loud .\n2\t",
}
BAMBOOGLE = {"Question": "Who was born where Ada Brun rowed?", "Answer": "Bo Lind"}
OURS = {
    "id": "q1",
    "question": "Where was the composer born?",
    "answer": "Bergen",
    "answer_aliases": ["Bjørgvin"],
    "answerable": True,
    "type": "bridge",
    "hops": 2,
    "options": ["Bergen", "Oslo"],
    "paragraphs": [
        {"title": "Grieg", "text": "Born in Bergen.", "is_supporting": True, "sent_starts": [0]}
    ],
    "supporting_facts": [["Grieg", 0]],
    "evidences": [["Grieg", "place of birth", "Bergen"]],
    "decomposition": [{"question": "Who is #1?", "answer": "Grieg"}],
}
