"""Low-rank adapters (LoRA, Hu et al. 2022) of a language model, by transformers and peft."""

import contextlib
import importlib
import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...kg.errors import BadRequest, ModelMissing

Example = tuple[Sequence[int], Sequence[int]]
"""Tokens of a prompt, and of what is to be said to it."""
OnStep = Callable[[int, int], None]
"""Told how many steps of how many are done."""
_WHOLE = "whole"  # names the last checkpoint, once all of it is written


@dataclass(frozen=True, slots=True)
class Lora:
    """Hyperparameters; KnowTrace tunes the first three over the values named here (§4.1.3).

    Args:
        epochs: 1, 2 or 3.
        batch: examples of a step: 32, 64 or 128.
        learning_rate: 1e-5, 5e-5, 1e-4 or 3e-4.
        rank: of the two matrices of each layer; the paper gives none.
        seed: of their beginning, and of the order of examples.
    """

    epochs: int = 3
    batch: int = 32
    learning_rate: float = 1e-4
    rank: int = 16
    seed: int = 0

    @property
    def alpha(self) -> int:
        """The scale of what the matrices add, over the rank."""
        return 2 * self.rank


class LossIsNoNumber(BadRequest):
    """The training diverged."""


def library(name: str) -> Any:  # noqa: ANN401 - a module without types
    """Import transformers, peft or gguf.

    Raises:
        ModelMissing: it is not installed.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ModelMissing(
            f'Fine-tuning needs {name} ({error}): pip install "hoptrail[train]"'
        ) from error


def load_base(weights: Path) -> Any:  # noqa: ANN401
    """Load a model to be fine-tuned, on the GPU where there is one.

    Args:
        weights: a folder that transformers wrote, or a GGUF file, whose weights are taken out of
            their quantisation.

    Raises:
        ModelMissing: it can't be loaded.
    """
    torch, transformers = library("torch"), library("transformers")
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    gpu = torch.cuda.is_available()
    kind = torch.bfloat16 if gpu else torch.float32
    try:
        if weights.is_dir():
            model = _pretrained(weights, dtype=kind)
        else:
            dense = transformers.GgufConfig(dequantize=True)
            more = {"gguf_file": weights.name, "quantization_config": dense}
            model = _pretrained(weights.parent, dtype=kind, **more)
            model.is_quantized = False  # as it was asked for, which Trainer does not see
    except (OSError, ValueError, KeyError, RuntimeError, ImportError) as error:
        raise ModelMissing(
            f"transformers can't load the weights of {weights} ({str(error)[:200]}). Name the "
            "folder that the GGUF file was made from: --weights FOLDER."
        ) from error
    return model.to("cuda") if gpu else model


def _pretrained(folder: Path, **how: Any) -> Any:  # noqa: ANN401
    kind = library("transformers").AutoModelForCausalLM
    return kind.from_pretrained(folder, local_files_only=True, **how)


def fine_tune(
    base: Any,  # noqa: ANN401
    examples: Sequence[Example],
    how: Lora,
    folder: Path,
    on_step: OnStep,
) -> Any:  # noqa: ANN401
    """Train an adapter, from the last checkpoint in the folder where there is one.

    Args:
        base: from `load_base`; its own weights stay as they are.
        folder: of checkpoints, one an epoch.

    Returns:
        The base with its adapter, a peft model; `unload()` gives the base back.

    Raises:
        LossIsNoNumber: the loss became NaN or infinite.
    """
    torch, peft = library("torch"), library("peft")
    torch.manual_seed(how.seed)
    config = peft.LoraConfig(
        r=how.rank, lora_alpha=how.alpha, target_modules="all-linear", task_type="CAUSAL_LM"
    )
    marker = folder / _WHOLE
    checkpoint = marker.read_text("utf-8") if marker.exists() else None
    with warnings.catch_warnings(action="ignore"):  # of the libraries, about each other
        model = peft.get_peft_model(base, config)
        trainer = _trainer(model, examples, how, folder, on_step)
        trainer.train(resume_from_checkpoint=checkpoint)
    model.eval()
    return model


def collated(rows: Sequence[Example]) -> dict[str, Any]:
    """Make the tensors of the one example of a batch, (1, n) each: what is read, and learned."""
    torch, [(prompt, said)] = library("torch"), rows
    return {
        "input_ids": torch.tensor([[*prompt, *said]]),
        "labels": torch.tensor([[*[-100] * len(prompt), *said]]),  # the prompt is not learned
    }


def _trainer(
    model: Any,  # noqa: ANN401
    examples: Sequence[Example],
    how: Lora,
    folder: Path,
    on_step: OnStep,
) -> Any:  # noqa: ANN401
    torch, transformers = library("torch"), library("transformers")
    folder.mkdir(parents=True, exist_ok=True)

    class Told(transformers.TrainerCallback):
        def on_step_end(self, _args: object, state: Any, *_: object, **__: object) -> None:  # noqa: ANN401
            on_step(state.global_step, state.max_steps)

        def on_save(self, _args: object, state: Any, *_: object, **__: object) -> None:  # noqa: ANN401
            part = folder / f"{_WHOLE}.part"
            part.write_text(str(folder / f"checkpoint-{state.global_step}"), encoding="utf-8")
            part.replace(folder / _WHOLE)

        def on_log(
            self,
            _args: object,
            state: Any,  # noqa: ANN401
            _control: object,
            logs: dict[str, float],
            **_: object,
        ) -> None:
            if not math.isfinite(logs.get("loss", 0.0)):
                raise LossIsNoNumber(
                    f"The loss is no number after {state.global_step} steps. Take a smaller "
                    "--learning-rate."
                )

    arguments = transformers.TrainingArguments(
        output_dir=str(folder),
        num_train_epochs=how.epochs,
        per_device_train_batch_size=1,  # prompts are long; a step gathers a batch of them
        gradient_accumulation_steps=how.batch,
        learning_rate=how.learning_rate,
        seed=how.seed,
        logging_steps=1,
        logging_nan_inf_filter=False,
        save_strategy="epoch",
        save_total_limit=1,
        report_to=[],
        disable_tqdm=True,
        use_cpu=not torch.cuda.is_available(),
        dataloader_pin_memory=False,
        remove_unused_columns=False,
        label_names=["labels"],
    )
    trainer = transformers.Trainer(
        model, arguments, data_collator=collated, train_dataset=list(examples), callbacks=[Told()]
    )
    with contextlib.suppress(ValueError):
        trainer.remove_callback(transformers.PrinterCallback)
    return trainer
