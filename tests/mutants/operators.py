"""Put what operators of mutation make of a module into a copy of the code; which do tests notice?

python tests/mutants/operators.py FILE TEST...

FILE is below the root, the tests are what is to notice. The operators are Cosmic Ray's, which needs
`pip install cosmic-ray`; those are taken that change what happens, and `run.py` tries what they
make.
"""

import difflib
import sys
from collections.abc import Iterator

from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator
from run import ROOT, Fault, tried

TAKEN = [
    *(
        f"ReplaceComparisonOperator_{pair}"
        for pair in "Eq_NotEq NotEq_Eq Lt_LtE LtE_Lt Gt_GtE GtE_Gt Is_IsNot IsNot_Is".split()
    ),
    *(f"ReplaceBinaryOperator_{pair}" for pair in "Add_Sub Sub_Add Mul_Div Div_Mul".split()),
    *"AddNot ReplaceTrueWithFalse ReplaceFalseWithTrue ReplaceAndWithOr ReplaceOrWithAnd".split(),
    *"ReplaceUnaryOperator_Delete_Not NumberReplacer ReplaceBreakWithContinue".split(),
    *"ReplaceContinueWithBreak ZeroIterationForLoop".split(),
]


def main() -> int:
    """Try what the operators make."""
    file, *tests = sys.argv[1:]
    return tried(list(made(file, " ".join(tests))))


def made(file: str, tests: str) -> Iterator[Fault]:
    """Yield each change of a module that an operator makes, one at a time."""
    text = (ROOT / file).read_text("utf-8")
    for name in TAKEN:
        operator, number = get_operator(f"core/{name}")(), 0
        while (other := mutate_code(text, operator, number)) is not None:
            lines = difflib.unified_diff(text.splitlines(), other.splitlines(), n=0, lineterm="")
            says = " | ".join(line for line in lines if not line.startswith(("---", "+++")))
            yield Fault(f"{name} {says}", file, text, other, tests)
            number += 1


if __name__ == "__main__":
    sys.exit(main())
