"""Ask cvc5, in this process or, because its coverings cannot be interrupted, in one that can be killed.

Run as a program it reads a question as JSON from standard input and writes the answer to standard output.
Then it imports nothing of the package, so that starting it is cheap.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping

#: Status, and values of the variables that are rational in the model if there is one.
Answer = tuple[str, dict[str, str]]

#: So many times as slow as alone a process may be on a busy machine, before it is taken to hang.
_PATIENCE = 50


def ask(script: str, options: Mapping[str, str]) -> Answer:
    """Check a script in this process; the status is ``sat``, ``unsat`` or ``unknown``."""
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    for option, value in {"produce-models": "true", **options}.items():
        solver.setOption(option, value)
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "obligation")
    symbols = parser.getSymbolManager()
    command = parser.nextCommand()
    while not command.isNull():
        command.invoke(solver, symbols)
        command = parser.nextCommand()
    result = solver.checkSat()
    if not result.isSat():
        return ("unsat" if result.isUnsat() else "unknown"), {}
    values = {str(term): solver.getValue(term) for term in symbols.getDeclaredTerms()}
    return "sat", {name: str(value.getRealValue()) for name, value in values.items() if value.isRealValue()}


def ask_apart(script: str, options: Mapping[str, str], seconds: float) -> Answer:
    """Check a script in a process of its own and give up after some seconds of the processor.

    Those of the clock would make the answer depend on what else the machine does. A crash is no answer either.
    """
    # Not at the top: the program has no package around it.
    from grpo_symbolic.processes.programs import run_program

    question = json.dumps({"script": script, "options": dict(options)})
    done = run_program(
        [sys.executable, __file__], seconds=_PATIENCE * seconds, processor=seconds, input=question.encode()
    )
    if done is None or done.returncode != 0:
        return "unknown", {}
    status, values = json.loads(done.stdout)
    return status, values


def _main() -> None:
    question = json.load(sys.stdin)
    json.dump(ask(question["script"], question["options"]), sys.stdout)


if __name__ == "__main__":
    _main()
