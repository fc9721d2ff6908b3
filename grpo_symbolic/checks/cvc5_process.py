"""Ask cvc5.

Run as a program, for a process that can be stopped, it reads a question as JSON from standard input and writes the
answer to standard output. It imports nothing of the package, so that starting it is cheap.
"""

from __future__ import annotations

import json
import sys

#: Status, and values of the variables that are rational in the model if there is one.
Answer = tuple[str, dict[str, str]]


def ask(script: str, effort: int, thorough: bool) -> Answer:
    """Check a script, if ``thorough`` by coverings; the status is ``sat``, ``unsat`` or ``unknown``."""
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("produce-models", "true")
    solver.setOption("rlimit", str(max(effort, 1)))
    solver.setOption("nl-cov", "true" if thorough else "false")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "obligation")
    symbols = parser.getSymbolManager()
    while not (command := parser.nextCommand()).isNull():
        command.invoke(solver, symbols)
    result = solver.checkSat()
    if not result.isSat():
        return ("unsat" if result.isUnsat() else "unknown"), {}
    values = {str(term): solver.getValue(term) for term in symbols.getDeclaredTerms()}
    return "sat", {name: str(value.getRealValue()) for name, value in values.items() if value.isRealValue()}


if __name__ == "__main__":
    json.dump(ask(*json.load(sys.stdin)), sys.stdout)
