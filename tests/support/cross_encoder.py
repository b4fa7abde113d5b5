"""A small random cross-encoder, as sentence-transformers saves one: what it ranks means nothing."""

import string
from pathlib import Path


def write_cross_encoder(folder: Path, labels: int = 1, seed: int = 0) -> Path:
    """Write a BERT of random weights that reads letter by letter."""
    import torch
    from sentence_transformers import CrossEncoder
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    folder.mkdir(parents=True)
    letters = [*string.ascii_lowercase, *string.digits, *string.punctuation]
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{c}" for c in letters)]
    (folder / "vocab.txt").write_text("\n".join(tokens))
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(tokens),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=256,
        num_labels=labels,
        initializer_range=1.0,
    )
    plain = folder / "plain"
    BertForSequenceClassification(config).save_pretrained(plain)
    BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(plain)
    CrossEncoder(str(plain), device="cpu").save_pretrained(str(folder / "saved"))
    return folder / "saved"
