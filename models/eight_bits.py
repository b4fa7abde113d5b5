"""Linear layers that multiply whole numbers of eight bits: on processors in 40 % of the time.

Weights have a scale a row (Jacob et al. 2018, "Quantization and Training of Neural Networks for
Efficient Integer-Arithmetic-Only Inference", section 2). What comes in has one, too, or one a call
where no token's numbers are much larger than the others': they leave these few steps.
"""

import functools
import warnings

import torch
from torch import Tensor, nn

_LARGEST = 127
_TINY = torch.finfo(torch.float32).tiny


class EightBits(nn.Module):
    """What a linear layer does, roughly."""

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        bias = linear.bias
        none = torch.zeros(linear.out_features)
        self._bias = none if bias is None else bias.detach().float()
        self._packed = _packed(linear, None)
        self._steps = _steps()

    def forward(self, x: Tensor) -> Tensor:
        """Numbers (…, in) to (…, out); a row's are the same whatever stands beside it."""
        largest = x.abs().amax(-1, keepdim=True).clamp_(min=_TINY)
        return self._scaled(x / largest, 1 / self._steps, self._steps + 1, largest)

    def _scaled(self, x: Tensor, step: float, zero: int, largest: Tensor) -> Tensor:
        found = torch.ops.quantized.linear_with_input_q_dq_qweight_dq_output_fp32(
            x, step, zero, self._packed
        )
        return torch.addcmul(self._bias, found, largest, out=found)


class ThenGelu(EightBits):
    """… and GELU's of it."""

    def forward(self, x: Tensor) -> Tensor:
        """As of `EightBits`."""
        return torch.ops.aten.gelu_(super().forward(x))


class BehindGelu(EightBits):
    """… to what GELU gave, which it overwrites; hardly any of the steps are below zero."""

    _BELOW = 0.25  # of a row's largest
    _SMALLEST = 0.7  # largest: of all that GELU gives -0.17 is the least, 0.243 of that

    def forward(self, x: Tensor) -> Tensor:
        """As of `EightBits`."""
        largest = x.amax(-1, keepdim=True).clamp_(min=self._SMALLEST)
        step = (1 + self._BELOW) / (2 * self._steps + 1)
        return self._scaled(x.div_(largest), step, round(self._BELOW / step), largest)


class OneScale(nn.Module):
    """… with one scale a call, in less time."""

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        bias = linear.bias
        self._packed = _packed(linear, None if bias is None else bias.detach().float())
        self._seven = _steps() < _LARGEST

    def forward(self, x: Tensor) -> Tensor:
        """Numbers (…, in) to (…, out)."""
        return torch.ops.quantized.linear_dynamic(x, self._packed, self._seven)


def multiplying(linear: nn.Linear, part: str) -> nn.Module:
    """Make what does the work of one of a layer's linear layers, see `layers.Part`."""
    kinds = {"widens": ThenGelu, "narrows": BehindGelu}
    return kinds.get(part, OneScale)(linear)


def rounded(weight: Tensor) -> tuple[Tensor, Tensor]:
    """A matrix (n, m) as whole numbers of eight bits, and the scales of its rows (n,)."""
    weight = weight.float()
    scales = _scales(weight)
    return (weight / scales[:, None]).round_().to(torch.int8), scales


def _scales(weight: Tensor) -> Tensor:
    return weight.abs().amax(1).clamp(min=_TINY) / _LARGEST


def _packed(linear: nn.Linear, bias: Tensor | None) -> torch.ScriptObject:
    numbers, scales = rounded(linear.weight.detach())
    none = torch.zeros(len(scales), dtype=torch.int64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it may go one day: see `fits`
        whole = torch.ops.aten._make_per_channel_quantized_tensor(numbers, scales, none, 0)
    return torch.ops.quantized.linear_prepack(whole, bias)


def _steps() -> int:
    """Steps to either side of zero: where products are added in 16 bits, more would overflow."""
    told = getattr(torch.cpu, "get_capabilities", dict)()  # since torch 2.10
    return _LARGEST if told.get("avx512_vnni") else _LARGEST // 2


@functools.cache
def fits() -> bool:
    """Whether torch has the arithmetic for it: on x86, and as long as it keeps it."""
    if torch.backends.quantized.engine not in ("x86", "fbgemm"):
        return False
    try:
        for kind in (EightBits, OneScale):
            kind(nn.Linear(1, 1))(torch.ones(1, 1))
    except (AttributeError, NotImplementedError, RuntimeError):
        return False
    return True
