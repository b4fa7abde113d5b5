"""A small random BERT as transformers saves it: in place of a larger network."""

from pathlib import Path

from hoptrail.models.encoder_files import packaged_folder


def small_network(folder: Path, words: int | None = None) -> Path:
    """Write it, with the packaged encoder's words or the first of them."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    known = (packaged_folder() / "vocab.txt").read_text(encoding="utf-8").splitlines()[:words]
    folder.mkdir(exist_ok=True)
    (folder / "words.txt").write_text("\n".join(known), encoding="utf-8")
    torch.manual_seed(0)
    size = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = BertConfig(vocab_size=len(known), intermediate_size=64, **size)
    BertModel(config).save_pretrained(folder)
    BertTokenizerFast(vocab=str(folder / "words.txt")).save_pretrained(folder)
    return folder
