"""Muon (Jordan et al. 2024): momentum, made orthogonal, for the matrices of layers.

PyTorch's own makes each matrix orthogonal in bfloat16, one after the other: 13 s a step here on a
processor that has to put bfloat16 together from other operations. This one takes the numbers that
the device multiplies fastest, and matrices of one shape together.
"""

from collections import defaultdict
from collections.abc import Iterable

import torch
from torch import Tensor

from hoptrail.models.precision import fastest

_MOMENTUM = 0.95
_STEPS = 5
_A, _B, _C = 3.4445, -4.7750, 2.0315
"""Of the quintic that brings singular values near 1 (Jordan et al. 2024, "Newton-Schulz")."""
_AS_ADAMW = 0.2  # an update's root mean square (Liu et al. 2025, "Muon is scalable", section 2.2)


class Muon(torch.optim.Optimizer):
    """Muon with Nesterov momentum and AdamW's scale and decay."""

    def __init__(self, matrices: Iterable[Tensor], lr: float, weight_decay: float) -> None:
        super().__init__(matrices, {"lr": lr, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self, closure: None = None) -> None:
        """Change the matrices by their gradients."""
        for group in self.param_groups:
            for matrices in _by_shape(group["params"]):
                orthogonal = _orthogonal(torch.stack([self._momentum(m) for m in matrices]))
                rate = group["lr"] * _AS_ADAMW * max(matrices[0].shape) ** 0.5
                for matrix, update in zip(matrices, orthogonal, strict=True):
                    matrix.mul_(1 - group["lr"] * group["weight_decay"])
                    matrix.sub_(rate * update)

    def _momentum(self, matrix: Tensor) -> Tensor:
        kept = self.state[matrix].setdefault("momentum_buffer", torch.zeros_like(matrix))
        assert matrix.grad is not None
        kept.lerp_(matrix.grad, 1 - _MOMENTUM)
        return matrix.grad.lerp(kept, _MOMENTUM)


def _by_shape(matrices: Iterable[Tensor]) -> Iterable[list[Tensor]]:
    found: dict[torch.Size, list[Tensor]] = defaultdict(list)
    for matrix in matrices:
        found[matrix.shape].append(matrix)
    return found.values()


def _orthogonal(stacked: Tensor) -> Tensor:
    """Bring the singular values of (n, rows, columns) near 1."""
    made = stacked.to(fastest(stacked.device))
    tall = made.shape[1] > made.shape[2]
    made = made.mT if tall else made
    made = made / made.norm(dim=(1, 2), keepdim=True).clamp(1e-7)
    for _ in range(_STEPS):
        gram = made @ made.mT
        made = _A * made + (_B * gram + _C * gram @ gram) @ made
    return (made.mT if tall else made).float()
