"""Draw sentences of the report for a reader to hold against the statements behind them.

``python tests/sentences_sample.py --seed 1 --count 100`` prints a sample of all sentences of titles, introductions,
notes, corrections, captions, reasons of steps and findings, each with every statement that may have to answer for it.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterator

from judged_library import whole_library

from grpo_symbolic.derivation.chain import Claim
from grpo_symbolic.derivation.result import Result
from grpo_symbolic.translate.text import statement_text
from grpo_symbolic.wording.accounts import claims_named
from grpo_symbolic.wording.prose import parts, sentences_of


def sentences() -> Iterator[tuple[Result, str, str]]:
    """Every sentence, with the result that it is of and where it stands there."""
    for result in whole_library().results:
        for text in sentences_of(result):
            yield from ((result, text.where, part) for part in parts(text.text))
        for made in result.claims:
            yield from ((result, f"reason of {step.id}", step.title) for step in made.steps)


def beside(result: Result, where: str, text: str) -> list[Claim]:
    """The claims that answer for a sentence: its own, or else all of the result and those that it names."""
    claims = whole_library().claims
    place = where.partition(" of ")[2] or where.partition(" in ")[2]
    own = re.sub(r"\.step-\d+$", "", place)
    if own in claims:
        return [claims[own]]
    return list(dict.fromkeys([*claims_named(text, result, claims), *result.claims]))


def main() -> None:
    """Print the sample."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    options = parser.parse_args()
    everything = sorted(sentences(), key=lambda item: (item[1], item[2]))
    print(f"# {options.count} of {len(everything)} sentences, seed {options.seed}\n")
    for number, (result, where, text) in enumerate(random.Random(options.seed).sample(everything, options.count), 1):
        print(f"## {number}. {where} ({result.title})\n\n> {text}\n")
        for made in beside(result, where, text):
            given = "".join(f", given {statement_text(one)}" for one in made.given)
            print(f"- `{made.id}`: {statement_text(made.statement)}{given}")
        print()


if __name__ == "__main__":
    main()
