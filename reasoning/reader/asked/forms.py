"""What an answer looks like, where a question tells: a price, a phone number, a path, a length."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Token

HOW = re.compile(
    r"\bhow (many|much|long|old|tall|far|large|big|high|often|heavy|wide|deep|fast|expensive|strong"
    r"|thick|small|warm|cold)\b"
)
NUMBERS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen"
    "|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
    "|hundred|thousand|million|billion|dozen|half|twice|once"
)
CURRENCY = (
    r"euros?|dollars?|pounds?|cents?|francs?|crowns?|kron(?:or|er|a|e|ur)|yen|rupees?|zloty|yuan"
    r"|pesos?|rand"
)
LABELS = {
    "person": frozenset({"PERSON"}),
    "place": frozenset({"GPE", "LOC", "FAC"}),
    "date": frozenset({"DATE"}),
    "number": frozenset({"CARDINAL", "QUANTITY"}),
    "group": frozenset({"ORG"}),
    "work": frozenset({"WORK"}),
}
"""What recognisers call answers of each kind."""
LONG = "long form"
"""What is asked for is what a short form stands for: see `initials`."""
NAME = "name"
"""What is asked for is how something or somebody is called: no form, but capitals."""
FORMS = {  # a whole answer of this form, and what it must have at least
    "phone": (r"\+?\(?\d[\d ()/.-]{4,}\d", r"\d{3}"),
    "extension": (r"(?:ext(?:ension|\.)? ?)?\d{1,6}", r"(?<![\d.,])\d{1,6}(?![.,]?\d)"),
    "mail": (r"\S+@\S+\.\w+", "@"),
    "contact": (r"\S+@\S+\.\w+|(?:\w+://|www\.)\S+", r"\w"),
    "web": (r"(?:\w+://|www\.)\S+|[\w-]+(?:\.[\w-]+)+(?:/\S*)?", r"\w[./]\w"),
    "path": (r"(?:[\w.~-]*[/\\])+[\w.*-]*|[\w.-]*\w\.[a-z]\w{0,5}", r"[/\\~]|\.[a-z]"),
    "version": (r"(?:v|version )?\d+(?:\.\d+)*[\w.-]*", r"\d"),
    "port": (r"(?:port )?\d{1,5}(?:/\w+)?", r"\d"),
    "money": (
        rf"(?:.*\d.*(?:[$€£¥]|\b(?:{CURRENCY}|eur|usd|gbp|chf)\b).*|.*[$€£¥] ?\d.*"
        rf"|(?:an? )?(?:(?:{NUMBERS})[ -](?:and |an? )?)+(?:{CURRENCY})"
        r"|(?:is )?free(?: of charge)?|(?:at )?no (?:extra )?(?:cost|charge))",
        r"\d",
    ),
    "weight": (r".*\d.*\b(?:k?g|mg|lbs?|oz|t|tons?|tonnes?|pounds?|kilo\w*|gram\w*)\b.*", r"\d"),
    "length": (
        r".*(?:\d.*\b(?:[mck]?m|µm|nm|ft|in|inch(?:es)?|feet|foot|miles?|yards?|\w*met(?:er|re)s?"
        r'|light-years?|pixels?|px)\b|\d").*',
        r"\d",
    ),
    "age": (
        r"(?:about |over )?(?:\d{1,3}|[a-z-]+(?= year))(?: years?(?: old| of age)?)?",
        r"\d|year",
    ),
    "long": (
        r".*\b(?:second|minute|hour|day|night|week|month|year|decade|centur(?:y|ie))s?\b.*"
        r"|.*\d.*\b(?:[mck]?m|ft|inch(?:es)?|feet|miles?|\w*met(?:er|re)s?|pages?)\b.*",
        r"\w",
    ),
    "share": (
        r".*\d.*(?:%|\bper ?cent\b).*|(?:[\w-]+[ -])?(?:half|thirds?|quarters?|fifths?|tenths?)",
        r"\d|half|third|quarter",
    ),
    "often": (
        r".*\b(?:every|daily|hourly|weekly|monthly|yearly|annually|once|twice|times|each|(?:a|per)"
        r" (?:second|minute|hour|day|week|month|year))\b.*",
        r"\w",
    ),
    "measure": (r".*\d.*", r"\d"),
}
_CONTACT = re.compile(  # a street may be one, too
    r"\b(?:(?:what|which) address (?:do|does|can|could|should|shall|must) \w+ (?:write|e-?mail)\b"
    r"|where (?:do|can|could|should|shall|must|to)(?: (?:i|we|you|one|people|users))?"
    r" (?:send|report|submit|mail|e-?mail)(?: [\w-]+){0,3}?"
    r" (?:bugs?|patch(?:es)?|questions?|comments?|suggestions?|feedback|corrections?|errors?"
    r"|problems?|(?:bug )?reports?|e-?mails?)\b)"
)
_IS_MAIL = re.compile(  # taggers take "e" or "contact" for the noun
    r"\b(?:what|which) (?:is|are|was|were) (?:the |an? )?(?:[\w-]+ ){0,2}?e-?mail"
    r"(?: address(?:es)?)?(?= (?:of|for|to|at)\b| ?\?|$)"
)
_FORM_OF_HOW = {
    "old": "age",
    "long": "long",
    "heavy": "weight",
    "far": "length",
    "tall": "length",
    "often": "often",
}
_FORM_OF_HOW |= {"wide": "length", "deep": "length", "expensive": "money", "thick": "length"}
_FORM_NOUNS = (
    ("phone", "(?:tele)?phone(?: number)?|(?:fax|mobile|cell)(?: number)?|hotline"),
    ("mail", "e-?mail(?: address)?"),
    ("web", "ur[li]|web ?(?:site|page|address)|homepage|domain"),
    ("path", "path|directory|folder|file"),
    ("version", "versions?"),
    ("port", "ports?(?: number)?"),
    ("money", "price|costs?|fee|salary|wage|budget|revenue|turnover|rent|fare|rate per hour"),
    ("weight", "weight|mass"),
    ("length", "length|height|width|depth|diameter|distance|aperture|radius|altitude"),
    ("share", "percentage|percent|share|quota|discount"),
    ("often", "how often"),
    (
        "measure",
        "speed|frequency|temperature|capacity|size|duration|voltage|power|limit|age|number of \\w+",
    ),
)


_COSTS = re.compile(
    r"\bhow much (?:money|.*\b(?:costs?|paid|pay|spend|spent|price|charged?|earn|owed?|deposit)\b"
    r"|(?:is|are|was|were) .*\bbuy\b|.*\bas (?:a )?security\b)"
    r"|\bwhat (?:do|does|did|will|would|must|should) .*\b(?:costs?|charge|pay|owe)\b"
    r"|^(?:the )?(?:price|cost|fee|fare) (?:of|for)\b"
)
_DIALLED = re.compile(r"\bextension (?:number )?.*\b(?:dial|ring|call|phone|reach)\b")
_AHEAD = re.compile(
    r"\bhow (?:far|long) (?:in advance|ahead|beforehand)\b|\bhow (?:soon|quickly|early)\b"
)


def form_of(text: str, noun: "Token | None") -> str:
    """What the answer looks like, by "how …" or by the noun asked for; a key of FORMS, or ""."""
    low = text.lower()
    if _COSTS.search(low):
        return "money"
    if _DIALLED.search(low):
        return "extension"
    if _CONTACT.search(low):
        return "contact"
    if _IS_MAIL.search(low):
        return "mail"
    if _AHEAD.search(low):
        return "long"
    how = HOW.search(low)
    if how:
        return _FORM_OF_HOW.get(how.group(1), "")
    if noun is None:
        return ""
    if noun.lemma_.lower() == "name" and not any(c.lower_ == "of" for c in noun.children):
        return NAME
    phrase = noun.doc[noun.left_edge.i : noun.i + 1].text.lower()
    said = (form for form, nouns in _FORM_NOUNS if re.search(rf"\b(?:{nouns})$", phrase))
    return next(said, "")
