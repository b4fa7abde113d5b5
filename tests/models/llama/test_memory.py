"""How many layers go to the GPU. No GPU is needed: what one has free is made up."""

import ctypes

import pytest
from support.gguf_model import write_model

from hoptrail.models.llama import memory
from hoptrail.models.llama.header import Header
from hoptrail.models.llama.memory import Device, devices, fitting, layer_sizes
from hoptrail.models.llama.model import LlamaCpp
from hoptrail.models.llama.vocabulary import library

GIB = 1 << 30
LAYERS = [GIB] * 32 + [2 * GIB]  # the output is the last


@pytest.mark.parametrize(
    ("free", "count"),
    [
        ([40], 33),
        ([35], 33),  # 34 and one that is kept free
        ([34.9], 32),
        ([10], 8),  # the output's two, and seven more
        ([3], 1),
        ([2.9], 0),
        ([0], 0),
        ([20, 20], 33),
        ([18, 18], 33),
        ([17, 17], 32 - 1),
        ([30, 10], 33),
        ([0, 0], 0),
    ],
)
def test_the_last_layers_that_fit_go_to_the_gpu(free, count):
    assert fitting(LAYERS, [int(bytes_ * GIB) for bytes_ in free]) == count


def test_layers_are_all_that_the_file_holds_but_for_the_tokens_embeddings(gguf_file):
    header = Header(gguf_file)
    weights = layer_sizes(header, 0, 2)
    assert len(weights) == 3
    embedding = next(t.size for t in header.tensors if t.name == "token_embd.weight")
    lib = library()
    model = lib.llama_model_load_from_file(
        str(gguf_file).encode(), lib.llama_model_default_params()
    )
    assert sum(weights) + embedding == lib.llama_model_size(model)
    lib.llama_model_free(model)
    kept = [a - b for a, b in zip(layer_sizes(header, 1000, 2), weights, strict=True)]
    assert kept == [1000 * 64 * 2 * 2] * 2 + [0]  # heads of 16 × 4, keys and values, two bytes
    assert layer_sizes(header, 10**9, 2) == layer_sizes(header, 2048, 2)  # the model's own context


def test_what_does_not_fit_is_said(tmp_path, monkeypatch):
    path = write_model(tmp_path / "m.gguf", layers=4)
    size = layer_sizes(Header(path), 2048, 2)[0]
    free = GIB + layer_sizes(Header(path), 2048, 2)[-1] + 2 * size
    monkeypatch.setattr(memory, "devices", lambda: [Device("CUDA0", free)])
    with pytest.warns(UserWarning, match=r"3 of 5 layers of .*m.gguf fit .*1.0 GiB of CUDA0"):
        assert LlamaCpp(path).count_tokens("x")
    for given in (2, -1):
        assert LlamaCpp(path, gpu_layers=given).count_tokens("x")  # as asked, without a word
    monkeypatch.setattr(memory, "devices", lambda: [Device("CUDA0", 8 * GIB)])
    assert LlamaCpp(path).count_tokens("x")


def test_devices_are_those_that_llama_cpp_has():
    ggml: ctypes.CDLL = library().llama_cpp._lib
    assert ggml.ggml_backend_dev_count() >= 1  # the processor
    assert bool(devices()) <= library().llama_supports_gpu_offload()
