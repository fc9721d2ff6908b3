"""What is kept outlives whatever happens to it, or is not there; it never breaks a run."""

from __future__ import annotations

import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from grpo_symbolic.cache import store as store_module
from grpo_symbolic.cache.store import FILE, Store, folder_of_user

VALUES = some.recursive(
    some.none() | some.booleans() | some.integers() | some.text() | some.floats(allow_nan=False, allow_infinity=False),
    lambda inner: some.lists(inner) | some.dictionaries(some.text(), inner),
)
ROOT = Path(__file__).resolve().parent.parent


def kept_in(folder: Path, kind: str = "kind", key: str = "key"):
    with Store(folder) as store:
        found = store.get(kind, key)
    return found, store


@pytest.mark.slow
@given(value=VALUES)
def test_a_value_comes_back_as_it_was(tmp_path_factory, value):
    folder = tmp_path_factory.mktemp("store")
    with Store(folder) as store:
        store.put("kind", "key", value)
        assert store.get("kind", "key") == value
        assert store.get("kind", "other") is None
        assert store.get("other", "key") is None
    found, store = kept_in(folder)
    assert found == value
    assert (store.complaint, store.damaged) == (None, 0)


def changed(folder: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(folder / FILE)) as database, database:
        assert database.execute(statement, values).rowcount


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE kept SET value = '[1, 2, 4]'",
        "UPDATE kept SET value = value || ' '",
        "UPDATE kept SET value = X'00FF'",
        "UPDATE kept SET digest = 'no digest'",
        "UPDATE kept SET key = 'key' WHERE key = 'second'",
        "UPDATE kept SET kind = 'kind', key = 'key' WHERE kind = 'another'",
    ],
)
def test_a_damaged_value_is_not_there(tmp_path, damage):
    with Store(tmp_path) as store:
        store.put("kind", "second" if "second" in damage else "key", [1, 2, 3])
        if "another" in damage:
            store.put("another", "key", [5])
    if "another" in damage:
        changed(tmp_path, "DELETE FROM kept WHERE kind = 'kind'")
    changed(tmp_path, damage)
    found, store = kept_in(tmp_path)
    assert found is None
    assert store.damaged == 1
    with Store(tmp_path) as store:
        store.put("kind", "key", [1, 2, 3])
    assert kept_in(tmp_path)[0] == [1, 2, 3]


@pytest.mark.parametrize("rubbish", [b"no database", b"SQLite format 3\0 but no more", os.urandom(5000)])
def test_a_file_that_is_no_database_is_put_aside(tmp_path, rubbish):
    (tmp_path / FILE).write_bytes(rubbish)
    with Store(tmp_path) as store:
        store.put("kind", "key", 1)
    assert store.complaint is None
    assert store.damaged == 1
    assert kept_in(tmp_path)[0] == 1
    assert (tmp_path / FILE).with_suffix(".damaged").read_bytes() == rubbish


def test_a_database_with_torn_pages_is_used_no_more(tmp_path):
    with Store(tmp_path) as store:
        for number in range(200):
            store.put("kind", str(number), "x" * 1000)
    path = tmp_path / FILE
    content = bytearray(path.read_bytes())
    content[4096:] = os.urandom(len(content) - 4096)
    path.write_bytes(content)
    with Store(tmp_path) as store:
        assert store.get("kind", "7") is None
        store.put("kind", "7", 1)
        assert store.complaint is None or "does without it" in store.complaint
    with Store(tmp_path) as store:
        store.put("kind", "7", 2)
    assert kept_in(tmp_path, key="7")[0] == 2


def test_another_layout_begins_anew(tmp_path):
    with Store(tmp_path) as store:
        store.put("kind", "key", 1)
    with closing(sqlite3.connect(tmp_path / FILE)) as database:
        database.execute("PRAGMA user_version = 99")
    found, store = kept_in(tmp_path)
    assert (found, store.complaint) == (None, None)


@pytest.mark.parametrize(("day", "is_told"), [(0.0, True), (86_400.0, False)])
def test_that_a_value_was_used_is_told_once_a_day(tmp_path, monkeypatch, day, is_told):
    monkeypatch.setattr(store_module, "_DAY", day)

    def used():
        with closing(sqlite3.connect(tmp_path / FILE)) as database:
            return database.execute("SELECT used FROM kept").fetchone()

    with Store(tmp_path) as store:
        store.put("kind", "key", 1)
    before = used()
    assert kept_in(tmp_path)[0] == 1
    assert (used() > before) is is_told


def test_what_was_used_least_recently_goes_first(tmp_path, monkeypatch):
    monkeypatch.setattr(store_module, "_DAY", 0.0)
    for number in range(10):
        with Store(tmp_path) as store:
            store.put("kind", str(number), "x" * 1000)
    assert kept_in(tmp_path, key="0")[0] is not None
    with Store(tmp_path, limit=5100) as store:
        store.put("kind", "new", "x" * 1000)
    with Store(tmp_path) as store:
        left = [key for key in [*map(str, range(10)), "new"] if store.get("kind", key) is not None]
    assert left == ["0", "8", "9", "new"]
    assert (tmp_path / FILE).stat().st_size < 40_000


WRITER = """
import sys
from pathlib import Path
from grpo_symbolic.cache.store import Store
store, name = Store(Path(sys.argv[1])), sys.argv[2]
for number in range(int(sys.argv[3])):
    store.put(name, str(number), [number] * 50)
    if number % 10 == 9:
        store.flush()
        print(number, flush=True)
store.close()
print(store.complaint, flush=True)
"""


def writer(folder: Path, name: str, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(folder), name, str(count)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_two_processes_write_at_once(tmp_path):
    processes = [writer(tmp_path, name, 200) for name in ("one", "other")]
    assert [process.communicate()[0].splitlines()[-1] for process in processes] == ["None", "None"]
    with Store(tmp_path) as store:
        for name in ("one", "other"):
            assert [store.get(name, str(number)) for number in range(200)] == [[number] * 50 for number in range(200)]


@pytest.mark.parametrize("wait", [0, 5, 17])
def test_what_was_written_before_a_kill_is_whole(tmp_path, wait):
    process = writer(tmp_path, "one", 10**9)
    last = [process.stdout.readline() for _ in range(wait + 1)][-1]
    process.send_signal(signal.SIGKILL)
    process.communicate()
    with Store(tmp_path) as store:
        found = [store.get("one", str(number)) for number in range(int(last) + 1)]
        assert found == [[number] * 50 for number in range(int(last) + 1)]
        assert (store.complaint, store.damaged) == (None, 0)


LIMITED = """
import resource, sys
from pathlib import Path
from grpo_symbolic.cache.store import Store
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
with Store(Path(sys.argv[1])) as store:
    for number in range(1000):
        store.put("kind", str(number), "x" * 1000)
print(store.complaint)
"""


def test_a_full_disk_is_told_and_nothing_breaks(tmp_path):
    """Files that cannot grow are what a full disk is to a program."""
    assert resource.getrlimit(resource.RLIMIT_FSIZE)
    with Store(tmp_path) as store:
        store.put("before", "key", 1)
    done = subprocess.run([sys.executable, "-c", LIMITED, str(tmp_path)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert str(tmp_path / FILE) in done.stdout
    assert "this run does without it; nothing else is affected: --cache DIR" in done.stdout
    assert kept_in(tmp_path, "before")[0] == 1


def test_a_place_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").touch()
    with Store(tmp_path / "file" / "folder") as store:
        store.put("kind", "key", 1)
        assert store.get("kind", "key") is None
    assert f"the cache {tmp_path / 'file' / 'folder' / FILE} cannot be opened" in store.complaint


def test_a_store_that_may_only_be_read_is_read(tmp_path, monkeypatch):
    """Permissions mean nothing to an administrator, so the database itself is opened for reading only."""
    with Store(tmp_path) as store:
        store.put("kind", "key", 1)
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda path, **how: connect(f"file:{path}?mode=ro", uri=True, **how))
    with Store(tmp_path) as store:
        assert store.get("kind", "key") == 1
        store.put("kind", "key", 2)
        assert store.complaint is None
    assert "cannot be written (attempt to write a readonly database)" in store.complaint
    monkeypatch.undo()
    assert kept_in(tmp_path)[0] == 1


def test_what_another_user_wrote_is_not_there(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "one"))
    with Store(tmp_path) as store:
        store.put("kind", "key", 1)
    assert kept_in(tmp_path)[0] == 1
    assert (tmp_path / "one" / "grpo-symbolic" / "secret").stat().st_mode & 0o77 == 0
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "another"))
    assert kept_in(tmp_path)[0] is None


@pytest.mark.parametrize("rubbish", [b"", b"short"])
def test_without_a_secret_nothing_is_kept_for_the_next_time(tmp_path, monkeypatch, rubbish):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "grpo-symbolic").mkdir()
    (tmp_path / "grpo-symbolic" / "secret").write_bytes(rubbish)
    with Store(tmp_path) as store:
        store.put("kind", "key", 1)
        assert store.get("kind", "key") == 1
    assert kept_in(tmp_path)[0] is None


def test_nothing_is_kept_that_is_no_json(tmp_path):
    with Store(tmp_path) as store, pytest.raises(ValueError, match="not JSON compliant"):
        store.put("kind", "key", float("nan"))


@pytest.mark.parametrize(
    ("named", "expected"), [("/somewhere", "/somewhere/grpo-symbolic"), ("relative", None), ("", None)]
)
def test_where_it_is(monkeypatch, tmp_path, named, expected):
    monkeypatch.setenv("XDG_CACHE_HOME", named)
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert folder_of_user() == (Path(expected) if expected else tmp_path / ".cache" / "grpo-symbolic")


def test_values_are_json(tmp_path):
    with Store(tmp_path) as store:
        store.put("kind", "key", {"a": [1, None, "é"]})
    with closing(sqlite3.connect(tmp_path / FILE)) as database:
        ((text,),) = database.execute("SELECT value FROM kept").fetchall()
    assert json.loads(text) == {"a": [1, None, "é"]}
