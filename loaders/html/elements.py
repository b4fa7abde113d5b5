"""Elements of HTML, by what they are to a page's text."""

BLOCKS = frozenset(
    """address article aside blockquote body caption center dd details dialog dir div dl dt fieldset
    figcaption figure footer form header hgroup hr legend main menu nav ol p pre search
    section summary table ul""".split()
)
HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
BOXES = frozenset("attention caution danger hint important note tip warning".split())
"""What a box beside the text is called by a heading in it, in small letters."""
BOLD = frozenset(["b", "strong"])
ITEMS = frozenset(["li", "dd", "dt"])
UNREAD = frozenset(
    """audio canvas datalist del iframe noframes noscript object s script select strike style svg
    template textarea video""".split()
)
WHOLE = frozenset(["html", "body", "main", "article"])
MADE_OF_LINKS = frozenset(["ul", "ol", "dl", "table", "p", "div", "aside"])
