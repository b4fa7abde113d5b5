"""What `hoptrail doctor` tries on a language model."""

import time

from ..kg.errors import ModelUnavailable
from ..models.cache import Cached
from ..models.language import Form, LanguageModel

YES_OR_NO = Form('root ::= "yes" | "no"', "yes|no", {"enum": ["yes", "no"]})
TOKENS = 32
PROMPT = "Is Vienna the capital of Austria? Answer yes or no, then say why."


def trial(model: LanguageModel) -> str:
    """Load it, have it write under a grammar and without, and say how fast it was.

    Raises:
        ModelUnavailable: it does not keep to a grammar, though one that can't be held to it could.
        As LanguageModel.
    """
    tried = model.model if isinstance(model, Cached) else model  # what is cached tells nothing
    [held] = tried.generate([PROMPT], form=YES_OR_NO, max_tokens=4)
    if held.text not in ("yes", "no"):
        raise ModelUnavailable(
            f"{tried.name} answers {held.text[:40]!r} where only yes or no is asked for. Choose a "
            "larger model, or a server that takes grammars (docs/models.md)."
        )
    started = time.perf_counter()
    [said] = tried.generate([PROMPT], max_tokens=TOKENS)
    seconds = time.perf_counter() - started
    rate = f"{said.tokens_out / seconds:.0f} tokens a second" if said.tokens_out else "no tokens"
    layers = getattr(tried, "layers_on_gpu", None)
    where = "on a server" if layers is None else f"{layers} layers on the GPU"
    context = f"context {tried.context_length:,} tokens"
    return f"{tried.name}, {context}, {where}, keeps to a grammar, {rate}"
