"""What the rules decide of a question, one after the other."""

from .pages import Evidence
from .rules.columns import by_row
from .rules.comparison import by_class, by_country, by_date, by_default
from .rules.definition import by_definition
from .rules.denial import by_likeness, denied_after_all
from .rules.distinct import by_distinct
from .rules.identity import by_identity
from .rules.long_form import by_long_form
from .rules.paths import by_path
from .rules.permission import by_permission
from .rules.replies import by_reply
from .rules.roster import by_roster
from .rules.rulings import Ruling
from .rules.statement import by_statement, stated_after_all

# In the order in which they are asked.
_RULES = (
    *(by_date, by_country, by_class, by_row, by_reply, by_distinct, by_permission, by_statement),
    *(by_default, by_long_form, by_roster, by_definition, by_identity, by_path),
)


def ruling(evidence: Evidence) -> Ruling | None:
    """Return what the first rule that understands the question decides, or None."""
    told = (rule(evidence) for rule in ((by_path,) if evidence.asked.language else _RULES))
    decided = next((found for found in told if found is not None), None)
    decided = denied_after_all(evidence, stated_after_all(evidence, decided))
    guessed = decided is not None and decided.rule == "default" and decided.read is None
    return (by_likeness(evidence) or decided) if guessed else decided
