"""JSON values by kind and key in one SQLite file: whole after a kill, shared by several processes, bounded in size.

A value counts only if this user wrote it: each has a digest made with a secret of the user, which is not in the folder.

Whoever asks a store for something has to be able to do without. So nothing that goes wrong with it is an error: a value
that is damaged is not there, a file that is no database is put aside, and where nothing can be read or written any
more (a full disk, a folder without permission) the store says so once, in ``complaint``, and is empty from then on.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import TypeAlias

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"

#: The name of the file in the folder of a store, and the layout of the tables in it.
FILE, LAYOUT = "kept.sqlite", 1
#: Bytes of all values together; where it is exceeded, those that were used least recently go, down to this part.
LIMIT, _SHRUNK = 256 * 2**20, 0.8
#: Values that are written together, and the seconds after which they are written in any case: a kill loses no more.
_BATCH, _PATIENCE = 64, 2.0
#: Seconds for which it need not be told again that a value was used.
_DAY = 86_400.0
#: Bytes of the secret of a user.
_SECRET = 32
#: Seconds to wait for another process that writes.
_BUSY = 20.0
_TABLES = """
    CREATE TABLE kept (
        kind TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, digest TEXT NOT NULL, used REAL NOT NULL,
        PRIMARY KEY (kind, key)
    ) WITHOUT ROWID
"""


def folder_of_user() -> Path | None:
    """Where a program keeps what it can do without: the folder of this user for that; None if there is no home."""
    return _of_user("XDG_CACHE_HOME", ".cache")


def _of_user(variable: str, below: str) -> Path | None:
    named = os.environ.get(variable) or os.environ.get("LOCALAPPDATA")
    if named and Path(named).is_absolute():
        return Path(named) / "grpo-symbolic"
    try:
        return Path.home() / below / "grpo-symbolic"
    except RuntimeError:
        return None


def secret_of_user() -> bytes:
    """What only this user knows, made if need be; where it cannot be kept, nobody knows it the next time."""
    folder = _of_user("XDG_DATA_HOME", ".local/share")
    made = secrets.token_bytes(_SECRET)
    if folder is None:
        return made
    path = folder / "secret"
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with suppress(FileExistsError), open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(made)
        found = path.read_bytes()
        return found if len(found) == _SECRET else made
    return made


class Store:
    """Values in a folder, which is made if need be; a context that writes what is waiting when it is left."""

    def __init__(self, folder: Path, limit: int = LIMIT) -> None:
        self.path = folder / FILE
        #: What went wrong, with a remedy, as soon as something did; the store is empty then.
        self.complaint: str | None = None
        #: How many values were found to be damaged.
        self.damaged = 0
        self._limit = limit
        self._secret = secret_of_user()
        self._waiting: dict[tuple[str, str], str] = {}
        self._used: set[tuple[str, str]] = set()
        self._written = time.monotonic()
        self._database: sqlite3.Connection | None = None
        with self._complaining("cannot be opened"):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._database = self._opened()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def get(self, kind: str, key: str) -> Json:
        """The value of a kind under a key; None if there is none, or what is there is damaged."""
        text = self.text(kind, key)
        value: Json = None if text is None else json.loads(text)
        return value

    def text(self, kind: str, key: str) -> str | None:
        """What `get` reads, as `text_of` writes it."""
        if self._database is None:
            return None
        if (kind, key) in self._waiting:
            return self._waiting[kind, key]
        with self._complaining("cannot be read"):
            query = "SELECT value, digest, used FROM kept WHERE kind = ? AND key = ?"
            for text, digest, used in self._database.execute(query, (kind, key)).fetchall():
                if isinstance(text, str) and digest == self._digest(kind, key, text):
                    if not 0 <= time.time() - used < _DAY:
                        self._used.add((kind, key))
                    return text
                self.damaged += 1
        return None

    def put(self, kind: str, key: str, value: Json) -> None:
        """Keep a value; it is written soon, or when the store is closed."""
        if self._database is None:
            return
        self._waiting[kind, key] = text_of(value)
        if len(self._waiting) >= _BATCH or time.monotonic() - self._written > _PATIENCE:
            self.flush()

    def flush(self) -> None:
        """Write what is waiting: all of it, or nothing."""
        waiting, used = self._waiting, self._used
        self._waiting, self._used, self._written = {}, set(), time.monotonic()
        if self._database is None or not (waiting or used):
            return
        now = time.time()
        rows = [(kind, key, text, self._digest(kind, key, text), now) for (kind, key), text in waiting.items()]
        with self._complaining("cannot be written"), self._transaction(self._database) as database:
            database.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?, ?, ?, ?)", rows)
            database.executemany(
                "UPDATE kept SET used = ? WHERE kind = ? AND key = ?",
                ((now, *place) for place in used - waiting.keys()),
            )

    def close(self) -> None:
        """Write what is waiting, let what was not used for longest go if there is too much, and close the file."""
        self.flush()
        if self._database is not None:
            with self._complaining("cannot be made smaller"):
                self._shrink(self._database)
        if self._database is not None:
            self._database.close()
            self._database = None

    def _opened(self) -> sqlite3.Connection:
        """The database; a file that is none is put aside for a new one."""
        try:
            return self._connected()
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            self._put_aside()
            return self._connected()

    def _connected(self) -> sqlite3.Connection:
        database = sqlite3.connect(self.path, timeout=_BUSY, isolation_level=None)
        try:
            if _layout(database) != LAYOUT:
                database.execute("PRAGMA auto_vacuum = FULL")
                with self._transaction(database):
                    if _layout(database) != LAYOUT:  # another process may have been quicker
                        database.execute("DROP TABLE IF EXISTS kept")
                        database.execute(_TABLES)
                        database.execute(f"PRAGMA user_version = {LAYOUT}")
        except BaseException:
            database.close()
            raise
        return database

    def _put_aside(self) -> None:
        """Rename a file that cannot be used: another process that still has it open is not disturbed."""
        self.damaged += 1
        os.replace(self.path, self.path.with_suffix(".damaged"))
        with suppress(FileNotFoundError):  # what was left of a transaction belongs to the old file
            self.path.with_name(f"{FILE}-journal").unlink()

    def _digest(self, kind: str, key: str, text: str) -> str:
        """What tells that a value is the one that this user wrote, under this key."""
        written = "\0".join((kind, key, text)).encode("utf-8", "surrogatepass")
        return hmac.digest(self._secret, written, "sha256").hex()

    @contextmanager
    def _transaction(self, database: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
        database.execute("BEGIN IMMEDIATE")
        try:
            yield database
            database.execute("COMMIT")
        except BaseException:
            # Where the disk is full, SQLite has rolled back already.
            with suppress(sqlite3.Error):
                database.execute("ROLLBACK")
            raise

    def _shrink(self, database: sqlite3.Connection) -> None:
        (size,) = database.execute("SELECT TOTAL(LENGTH(CAST(value AS BLOB))) FROM kept").fetchone()
        if size <= self._limit:
            return
        with self._transaction(database):
            rows = database.execute("SELECT kind, key, LENGTH(CAST(value AS BLOB)) FROM kept ORDER BY used, kind, key")
            for kind, key, length in rows.fetchall():
                if size <= self._limit * _SHRUNK:
                    break
                database.execute("DELETE FROM kept WHERE kind = ? AND key = ?", (kind, key))
                size -= length

    @contextmanager
    def _complaining(self, what: str) -> Iterator[None]:
        """Turn what goes wrong into a complaint, after which there is no database."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            self.complaint = (
                f"the cache {self.path} {what} ({error}), so this run does without it; nothing else is affected: "
                "--cache DIR names another place, --no-cache does without"
            )
            broken = isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError)
            if broken:
                # The next run begins with a new file.
                with suppress(OSError):
                    self._put_aside()
            if self._database is not None:
                with suppress(sqlite3.Error):
                    self._database.close()
            self._database = None


def text_of(value: Json) -> str:
    """A value as it is kept."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _layout(database: sqlite3.Connection) -> int:
    (layout,) = database.execute("PRAGMA user_version").fetchone()
    return int(layout)
