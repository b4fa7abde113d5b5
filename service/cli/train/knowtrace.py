"""`train knowtrace`."""

from dataclasses import fields
from pathlib import Path
from typing import Any

import click

from ...console.counting import counted
from ...console.printing import note, print_json, say
from ...settings import DEFAULT_RETRIEVER, Settings
from ..options import files, fixed_graph, json_option


@click.command("knowtrace", short_help="Let KnowTrace learn from its own right answers.")
@files
@click.option(
    "--method",
    default="knowtrace",
    show_default=True,
    help="With settings after colons: knowtrace:rounds=4.",
)
@click.option("--retriever", default=DEFAULT_RETRIEVER, show_default=True, help="As for ask.")
@click.option("--own", is_flag=True, help="Ask over each question's own paragraphs alone.")
@click.option(
    "--backtracing/--no-backtracing",
    default=True,
    show_default=True,
    help="Leave out what is no evidence of the answer, or keep all, as the paper's ablation.",
)
@click.option(
    "--trainer",
    type=click.Choice(["none", "lora"]),
    default="none",
    show_default=True,
    help="Also fine-tune two adapters of the GGUF file (needs hoptrail[train]).",
)
@click.option("--rounds", type=click.IntRange(1), default=1, show_default=True, help="Z.")
@click.option(
    "--weights",
    type=click.Path(path_type=Path, exists=True),
    help="The folder that the GGUF file was made from; without it, the file's own weights.",
)
@click.option("--epochs", type=click.IntRange(1), default=3, show_default=True, help="1 to 3.")
@click.option("--batch", type=click.IntRange(1), default=32, show_default=True, help="32 to 128.")
@click.option(
    "--learning-rate",
    type=click.FloatRange(0, min_open=True),
    default=1e-4,
    show_default=True,
    help="1e-5 to 3e-4.",
)
@click.option("--rank", type=click.IntRange(1), default=16, show_default=True, help="Of adapters.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("knowtrace"),
    show_default=True,
    help="Folder of what is written; what it holds of the same training is not done again.",
)
@json_option
@click.pass_context
def train_knowtrace(
    context: click.Context,
    data: tuple[Path, ...],
    out: Path,
    as_json: bool,
    **given: Any,  # noqa: ANN401 - click checks them
) -> None:
    r"""Ask the questions of DATA by KnowTrace, and learn from what led to right answers.

    Of the questions that are answered exactly, prompts with what was said to them, in the chat form
    that fine-tuning takes: for an adapter that explores and one that completes. What backtracing
    shows to be no evidence is left out (KnowTrace, Algorithm 2). Each round writes explore.jsonl,
    complete.jsonl and a manifest of questions, those kept, FA and sizes. Needs --model.

    With --trainer lora the adapters are trained, on the model anew each round, and the next round
    asks with them. They are written for llama.cpp:

    \b
      hoptrail --model M.gguf train knowtrace DATA --trainer lora --rounds 2
      hoptrail --model M.gguf:adapters=knowtrace/round-2/adapters ask … --method knowtrace

    With --graph over that graph, as it is; without, over a temporary graph of each file.
    """
    from ....reasoning.training.lora import Lora
    from ...hoptrail import Hoptrail
    from ...training.knowtrace import Collecting, Tuning, self_train

    settings: Settings = context.obj
    lora = Lora(**{name: given.pop(name) for name in _names(Lora)})
    tuning = Tuning(lora=lora, **{n: given.pop(n) for n in _names(Tuning) if n in given})
    plan = Collecting(fixed_graph=fixed_graph(context), **given)
    told = []
    for one in self_train(Hoptrail.of(settings), data, plan, tuning, out):
        told.append(one)
        if not as_json:
            say(
                f"Round {one['round']}: {one['kept']:,} of {counted(one['questions'], 'question')} "
                f"answered exactly; FA {100 * one['filtered_to_all']:.1f} %"
            )
            explored = counted(one["explore"], "exploration")
            completed = counted(one["complete"], "completion")
            note(f"Wrote {explored} and {completed} to {out}/round-{one['round']}.")
    if as_json:
        print_json(told)
    elif tuning.trainer == "lora":
        adapters = f"{out}/round-{tuning.rounds}/adapters"
        note(f"Its adapters are used by --model {settings.model}:adapters={adapters}")


def _names(kind: type) -> list[str]:
    return [field.name for field in fields(kind)]
