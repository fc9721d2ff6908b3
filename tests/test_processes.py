"""Tasks in worker processes: limits of time and memory, deaths that take one task, and no process left behind."""

from __future__ import annotations

import mmap
import os
import platform
import signal
import subprocess
import sys
import threading
import uuid
from pathlib import Path

import pytest
from traces import VARIABLE, eventually, hear_interrupts, marked, needs_proc, nothing_left, patiently, workers_of
from worker_tasks import HARD, double, obey

from grpo_symbolic.checks.proposals.apart import ask_apart
from grpo_symbolic.errors import CheckError
from grpo_symbolic.processes import crew, programs
from grpo_symbolic.processes.crew import working
from grpo_symbolic.processes.tasks import Cause, Ended, Limits, Lost, News, Started

pytestmark = patiently
TESTS = Path(__file__).resolve().parent
LONG = Limits(3600)
#: Short enough to be reached, long enough for what has to be done before on a busy machine.
SHORT = Limits(3)


@pytest.fixture
def mark(monkeypatch):
    """What marks the processes that this test starts; at its end none may be left."""
    mark = uuid.uuid4().hex
    monkeypatch.setenv(VARIABLE, mark)
    yield mark
    if Path("/proc/self/environ").exists():
        nothing_left(mark)


def outcomes(work, tasks, jobs=1, limits=LONG):
    with working(work, tasks, jobs=jobs, limits=limits) as events:
        return {event.key: event.found for event in events if isinstance(event, Ended)}


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_every_task_has_its_outcome(mark, jobs):
    tasks = {f"task-{number}": number for number in range(7)}
    assert outcomes(double, tasks, jobs) == {f"task-{number}": 2 * number for number in range(7)}


def test_nothing_to_do_starts_nothing(monkeypatch):
    monkeypatch.setattr(crew._Worker, "start", None)
    assert outcomes(double, {}) == {}


def test_processes_wait_for_the_next_round(mark):
    own = {1: ("own_number",)}
    with crew.hired(obey, jobs=1) as workers:
        rounds = [
            {event.key: event.found for event in workers.events(tasks, 3600) if isinstance(event, Ended)}
            for tasks in (own, {}, own | {2: ("echo", "b")}, {3: ("leave", 1)}, own)
        ]
    assert rounds[0][1] == rounds[2][1] != os.getpid()
    assert rounds[1] == {}
    assert rounds[2][2] == "b"
    assert isinstance(rounds[3][3], Lost)
    assert rounds[4][1] not in (rounds[0][1], os.getpid())


def ended(events):
    return {event.key: event.found for event in events if isinstance(event, Ended)}


def test_an_interrupt_that_another_thread_hears_waits_until_a_process_is_started():
    def interrupt():
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)

    started = []

    def start():
        with programs.interrupts_blocked():
            thread = threading.Thread(target=interrupt)
            thread.start()
            thread.join()
            started.append(sum(range(10**5)))

    with pytest.raises(KeyboardInterrupt):
        start()
    assert started


@pytest.mark.parametrize("jobs", [1, 2])
def test_events_of_a_task_come_in_order(mark, jobs):
    tasks = {0: ("echo", "a"), 1: ("say", "thinking"), 2: ("echo", "c")}
    with working(obey, tasks, jobs=jobs, limits=LONG) as events:
        told = list(events)
    for key in tasks:
        kinds = [type(event) for event in told if event.key == key]
        assert kinds == ([Started, News, Ended] if key == 1 else [Started, Ended])
    flying = 0
    for event in told:
        flying += {Started: 1, News: 0, Ended: -1}[type(event)]
        assert 0 <= flying <= jobs


@pytest.mark.slow
def test_a_task_that_runs_over_is_lost_alone_and_says_what_it_was_busy_with(mark):
    found = outcomes(obey, {1: ("report", "thinking"), 2: ("spin",), 3: ("echo", 3)}, limits=SHORT)
    assert (found[1].cause, found[1].busy) == (Cause.TIMEOUT, "thinking")
    assert found[1].reason == "stopped after 3 s in thinking"
    assert found[1].seconds >= 3
    assert (found[2].cause, found[2].reason) == (Cause.TIMEOUT, "stopped after 3 s")
    assert found[3] == 3


@pytest.mark.parametrize(
    ("task", "how"),
    [
        (("die", "SIGKILL"), "killed by SIGKILL"),
        (("die", "SIGABRT"), "killed by SIGABRT"),
        (("die", "SIGRTMIN"), f"killed by {getattr(signal, 'SIGRTMIN', signal.SIGTERM).name}"),
        (("leave", 9), "exit code 9"),
        (("leave", 0), "exit code 0"),
    ],
)
@pytest.mark.parametrize("jobs", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_a_process_that_dies_takes_only_its_task_with_it(mark, task, how, jobs):
    found = outcomes(obey, {0: ("echo", 0), 1: task, 2: task, 3: ("echo", 3)}, jobs)
    assert (found[0], found[3]) == (0, 3)
    for key in (1, 2):
        assert found[key].cause is Cause.DIED
        assert found[key].reason == f"its process died ({how}; its limit of memory is 4096 MB)"


@pytest.mark.slow
def test_processes_that_die_in_the_middle_of_large_outcomes_disturb_no_other(mark):
    size = 20_000_000
    tasks = dict.fromkeys(range(12), ("give", size))
    found = {}
    with working(obey, tasks, jobs=3, limits=LONG) as events:
        for number, event in enumerate(events):
            if isinstance(event, Ended):
                found[event.key] = event.found
            elif number % 3 == 0:
                (victim,) = [one for one in events.gi_frame.f_locals["self"]._workers if one.key == event.key]
                os.kill(victim.process.pid, signal.SIGKILL)
    assert set(found) == set(tasks)
    assert all(one == bytes(size) or one.cause is Cause.DIED for one in found.values())
    assert {type(one) for one in found.values()} == {bytes, Lost}


@pytest.mark.skipif(sys.platform != "linux", reason="the system does not keep limits of memory")
def test_a_task_that_wants_too_much_memory_is_lost_alone(mark):
    found = outcomes(obey, {1: ("eat", 2**30), 2: ("eat", 2**20)}, limits=Limits(3600, 2**29))
    assert (found[1].cause, found[1].reason) == (Cause.MEMORY, "more than 512 MB of memory")
    assert found[2] == 2**20


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library may give memory back at once")
def test_memory_that_is_free_again_is_kept(mark):
    """A solver takes megabytes for each question: they are not fetched from the system each time, page by page."""
    size, times = 2**24, 8
    found = outcomes(obey, {1: ("take_again", size, times)})
    assert found[1] < times * size / mmap.PAGESIZE / 10


@pytest.mark.parametrize(
    ("task", "reason"),
    [
        (("fail", "no root"), "ArithmeticError: no root"),
        (("return_function",), "its outcome cannot travel: "),
        (("return_stubborn",), "its outcome cannot be read: TypeError: "),
        (("echo", lambda: 0), "could not be handed to a process: "),
    ],
    ids=["raises", "not-sent", "not-read", "not-handed"],
)
def test_what_breaks_is_told_and_the_others_go_on(mark, task, reason):
    found = outcomes(obey, {1: task, 2: ("echo", 2), 3: task})
    for key in (1, 3):
        assert found[key].cause is Cause.BROKE
        assert found[key].reason.startswith(reason)
    assert found[2] == 2


def no_start(pipe):
    os._exit(3)


@pytest.mark.slow
def test_processes_that_cannot_start_end_the_run(mark, monkeypatch):
    monkeypatch.setattr(crew, "serve", no_start)
    message = r"3 worker processes in a row did not start, the last: its process died \(exit code 3; .*__main__"
    with pytest.raises(CheckError, match=message):
        outcomes(double, {1: 1, 2: 2}, jobs=2)


def no_end_of_starting(pipe):
    signal.pause()


@pytest.mark.slow
def test_processes_that_never_become_ready_end_the_run(mark, monkeypatch):
    monkeypatch.setattr(crew, "serve", no_end_of_starting)
    monkeypatch.setattr(crew, "_STARTING", 0.5)
    with pytest.raises(CheckError, match=r"3 worker processes in a row did not start, the last: stopped after 0\.5 s;"):
        outcomes(double, {1: 1, 2: 2}, jobs=2)


def test_a_limit_longer_than_the_system_can_wait_is_no_trouble(mark):
    assert outcomes(double, {1: 1}, limits=Limits(1e12)) == {1: 2}


def test_a_process_that_cannot_be_made_is_told(monkeypatch):
    def refuse(self):
        raise OSError("too many processes")

    monkeypatch.setattr("multiprocessing.process.BaseProcess.start", refuse)
    with pytest.raises(CheckError, match="a worker process could not be started: too many processes"):
        outcomes(double, {1: 1})


@pytest.mark.parametrize("kind", [Started, News, Ended])
@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_whatever_ends_the_run_leaves_no_process(mark, kind, error):
    tasks = {0: ("echo", 0), **dict.fromkeys(range(1, 4), ("report", "busy"))}

    def run():
        with working(obey, tasks, jobs=2, limits=LONG) as events:
            for event in events:
                if isinstance(event, kind):
                    raise error

    # Other tests may have processes of their own.
    before = set(crew.multiprocessing.active_children())
    with pytest.raises(error):
        run()
    assert not any(worker.is_alive() for worker in set(crew.multiprocessing.active_children()) - before)


# What the processes of a run are busy with when it ends, by whatever way.

BUSY = ["spin", "spin_in_c", "wait_for_program", "ask_cvc5"]


def quick(*first):
    """These tasks in every run, the other ones in the full run."""
    return [*first, *(pytest.param(task, marks=pytest.mark.slow) for task in BUSY if task not in first)]


def busy(folder: Path, count: int) -> bool:
    return len(list(folder.glob("busy-*"))) >= count


@needs_proc
@pytest.mark.parametrize("task", quick("wait_for_careless_program"))
def test_what_runs_over_leaves_nothing_of_what_it_started(mark, tmp_path, task):
    with working(obey, {1: (task, str(tmp_path)), 2: ("echo", 2)}, jobs=1, limits=SHORT) as events:
        found = {event.key: event.found for event in events if isinstance(event, Ended)}
        assert found[1].cause is Cause.TIMEOUT
        # The second task is done by another process, and of the first nothing is left while that one lives.
        eventually(lambda: len(workers_of(mark)) == 1, f"one process and no more: {workers_of(mark)}")
    assert found[2] == 2
    assert busy(tmp_path, 1)


@pytest.fixture
def run(mark, tmp_path):
    """Start a run of its own session whose two workers are busy, as a terminal would."""

    started = []

    def start(task):
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS.parent), str(TESTS)])}
        process = subprocess.Popen(
            [sys.executable, str(TESTS / "worker_tasks.py"), task, str(tmp_path)], env=environment,
            start_new_session=True, preexec_fn=hear_interrupts,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        started.append(process)
        eventually(lambda: busy(tmp_path, 2) or process.poll() is not None, "two busy workers")
        assert process.poll() is None
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("task", quick("spin_in_c", "ask_cvc5"))
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGKILL"])
@pytest.mark.parametrize("whole", [True, False], ids=["group", "parent"])
def test_no_process_outlives_a_run(mark, run, name, task, whole):
    number = signal.Signals[name]
    process = run(task)
    if whole:
        os.killpg(process.pid, number)
    else:
        os.kill(process.pid, number)
    process.communicate()
    assert process.returncode == -number
    eventually(lambda: not marked(mark), f"the end of {marked(mark)}")


@pytest.mark.slow
@needs_proc
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can be told to forget")
def test_where_the_system_does_not_end_a_worker_with_its_parent_it_does_so_itself(mark, run):
    process = run("spin_untied")
    process.kill()
    process.communicate()
    eventually(lambda: not marked(mark), f"the end of {marked(mark)}")


# Programs.


def test_a_program_reads_and_writes_and_has_an_exit_code(tmp_path):
    code = "import os, sys; print(sys.stdin.read(), os.getcwd(), os.environ['A']); sys.exit('no')"
    command = [sys.executable, "-c", code]
    done = programs.run_program(
        command, seconds=3600, input=b"in", folder=tmp_path, environment={**os.environ, "A": "b"}
    )
    assert done.stdout.decode().split() == ["in", str(tmp_path.resolve()), "b"]
    assert done.stderr.decode().strip() == "no"
    assert done.returncode == 1


def test_a_program_that_runs_over_is_killed(mark):
    assert programs.run_program(["sleep", "3600"], seconds=0.5) is None


@needs_proc
def test_a_program_whose_parent_is_gone_before_it_begins_does_not_begin(mark, tmp_path):
    launcher = [sys.executable, programs.__file__, str(os.getppid()), "3600", "inf"]
    done = subprocess.run([*launcher, "touch", str(tmp_path / "begun")], check=False)
    assert done.returncode == 1
    assert not (tmp_path / "begun").exists()


@needs_proc
def test_a_program_ends_by_itself_where_nobody_ends_it(mark):
    launcher = [sys.executable, programs.__file__, str(os.getpid()), "0.2", "inf"]
    done = subprocess.run([*launcher, "sleep", "3600"], check=False)
    assert done.returncode == -signal.SIGALRM


@pytest.mark.slow
@needs_proc
def test_a_program_has_its_time_of_the_processor_however_long_that_takes(mark):
    spinning = [sys.executable, "-c", "while True: pass"]
    assert programs.run_program(spinning, seconds=3600, processor=1).returncode == -signal.SIGKILL
    waiting = ["sleep", "1.5"]
    assert programs.run_program(waiting, seconds=3600, processor=1).returncode == 0


@pytest.mark.slow
@needs_proc
def test_cvc5_gives_up(mark):
    pytest.importorskip("cvc5", reason="cvc5 is not installed: pip install 'grpo-symbolic[smt]'")
    assert ask_apart(HARD, 10**9, True, 1) == ("unknown", {})
    easy = "(set-logic QF_NRA)(declare-const a Real)(assert (= (* 2 a) 3))"
    assert ask_apart(easy, 10**9, True, 3600) == ("sat", {"a": "3/2"})


def deaf(task, tell):
    """Tell whether this process hears interrupts."""
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])


@pytest.mark.slow
@needs_proc
def test_no_worker_ever_hears_an_interrupt_not_even_the_first_one(mark):
    code = (
        "from test_processes import deaf, outcomes\n"
        "if __name__ == '__main__': print(sorted(outcomes(deaf, dict.fromkeys('abcd'), 2).items()))"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS.parent), str(TESTS)])}
    script = [sys.executable, "-c", code]
    done = subprocess.run(script, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str([(name, True) for name in "abcd"])


@pytest.mark.parametrize(("tasks", "processes"), [(3, 1), pytest.param(40, 2, marks=pytest.mark.slow)])
def test_a_few_quick_tasks_are_not_worth_a_second_process(mark, monkeypatch, tasks, processes):
    monkeypatch.setattr(crew, "_START", 60.0)
    found = outcomes(obey, dict.fromkeys(range(tasks), ("slow_number", 0.2)), jobs=2)
    assert len(set(found.values())) == processes


@pytest.mark.slow
def test_a_few_slow_tasks_are_worth_it(mark, monkeypatch):
    monkeypatch.setattr(crew, "_START", 0.0)
    found = outcomes(obey, dict.fromkeys(range(10), ("slow_number", 0.6)), jobs=2)
    assert len(set(found.values())) == 2
