"""Ask cvc5 in a process that can be killed, because its coverings cannot be interrupted. Nobody believes the answer.

A question that was answered here in time can be put to cvc5 again by who decides: it takes no longer there.
"""

from __future__ import annotations

import json
import sys

from grpo_symbolic.checks import cvc5_process
from grpo_symbolic.checks.cvc5_process import Answer
from grpo_symbolic.processes.programs import run_program

#: So many times as slow as alone a process may be on a busy machine, before it is taken to hang.
_PATIENCE = 50


def ask_apart(script: str, effort: int, thorough: bool, seconds: float) -> Answer:
    """Check a script in a process of its own and give up after some seconds of the processor.

    Those of the clock would make the answer depend on what else the machine does. A crash is no answer either.
    """
    command = [sys.executable, cvc5_process.__file__]
    question = json.dumps([script, effort, thorough]).encode()
    done = run_program(command, seconds=_PATIENCE * seconds, processor=seconds, input=question)
    if done is None or done.returncode != 0:
        return "unknown", {}
    status, values = json.loads(done.stdout)
    return status, values
