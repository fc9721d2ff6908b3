"""Show the site of a folder to a browser on this machine, and have a page loaded again as soon as it is written anew.

Files are served from 127.0.0.1 alone, to whoever asks for it by that name, and none from outside of the folder. The
script that waits for another build stands in what is served and never in a file: a published site asks for nothing.
"""

from __future__ import annotations

import errno
import mimetypes
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from urllib.parse import parse_qs, unquote, urlsplit

from grpo_symbolic.errors import LibraryError

_HOST, _CHANGES = "127.0.0.1", "/-changes"
#: Seconds between two looks at whether the site was written anew, and looks after which a silent browser is spoken to.
_GLANCE, _SILENT = 0.25, 40
#: A page asks only while it is looked at: a browser keeps few connections to one place.
_SCRIPT = """<script>(() => {
  let news;
  const listen = () => {
    news?.close();
    news = document.hidden ? null : new EventSource("%s?seen=%s");
    if (news) news.onmessage = () => location.reload();
  };
  document.addEventListener("visibilitychange", listen);
  listen();
})();</script>
"""
_WAITING = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Not written yet</title></head>
<body><p>The site is being written; this page shows it as soon as it is there.</p>
</body></html>
"""
_END = "</body>"


@contextmanager
def served(site: Path, port: int = 0) -> Iterator[str]:
    """Serve the site while the context lasts, and give the address of its front; any free port if it is 0.

    Raises:
        LibraryError: if the port cannot be used.
    """
    server = _listening(site, port)
    # Ends with the process, however that ends.
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True)
    thread.start()
    try:
        yield f"http://{_HOST}:{server.server_port}/"
    finally:
        server.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()


def _listening(site: Path, port: int) -> _Server:
    try:
        return _Server(site, port)
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        why = "is used by another program" if taken else f"cannot be used ({error.strerror or error})"
        remedy = "name another with --port, or none for one that is free"
        raise LibraryError(f"port {port} of {_HOST} {why}: {remedy}") from error


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, site: Path, port: int) -> None:
        self.site = site
        self.closing = Event()
        super().__init__((_HOST, port), _Handler)

    def written(self) -> str:
        """What tells one build of the site from the next; empty while there is none."""
        try:
            stat = (self.site / "index.html").stat()
        except OSError:
            return ""
        return f"{stat.st_ino:x}-{stat.st_mtime_ns:x}"

    def file(self, path: str) -> Path | None:
        """The file of the site at a path; None for all others, wherever links and dots lead."""
        root = self.site.resolve()
        try:
            found = (root / unquote(path, errors="strict").lstrip("/")).resolve()
            found = found / "index.html" if found.is_dir() else found
            return found if found.is_relative_to(root) and found.is_file() else None
        except (OSError, ValueError):  # a name that no file can have
            return None


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        """Answer with a file, or with the news that the site was written anew."""
        # Who goes away in between is missed by nobody.
        with suppress(ConnectionError):
            self._answer()

    do_HEAD = do_GET  # noqa: N815 - the name is the library's

    def _answer(self) -> None:
        asked = urlsplit(self.path)
        names = {f"{name}:{self.server.server_port}" for name in (_HOST, "localhost")}
        if self.headers.get("Host") not in names:
            # A page from elsewhere that calls this address by a name of its own.
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
        elif asked.path == _CHANGES:
            self._tell_of_changes(parse_qs(asked.query).get("seen", [""])[0])
        else:
            self._send_file(asked.path)

    def _send_file(self, path: str) -> None:
        # Looked up first: if another build comes in between, the page is loaded once too often.
        written = self.server.written()
        file = self.server.file(path)
        try:
            content = _WAITING.encode() if file is None and not written else file.read_bytes() if file else None
        except OSError:  # it has gone a moment ago
            content = None
        if content is None:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        kind = "text/html" if file is None else mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        if kind == "text/html":
            before, end, after = content.decode().rpartition(_END)
            content = f"{before}{_SCRIPT % (_CHANGES, written) if end else ''}{end}{after}".encode()
        self._begin(f"{kind}; charset=utf-8" if kind.startswith("text/") else kind, len(content))
        if self.command == "GET":
            self.wfile.write(content)

    def _tell_of_changes(self, seen: str) -> None:
        """Wait until the site is another one than was seen, and say so."""
        self._begin("text/event-stream")
        looks = 0
        while self.command == "GET":
            if self.server.written() not in ("", seen):
                self.wfile.write(b"data: written\n\n")
                return
            if self.server.closing.wait(_GLANCE):
                return
            looks += 1
            if looks % _SILENT == 0:
                self.wfile.write(b": nothing new\n\n")

    def _begin(self, kind: str, length: int | None = None) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", kind)
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the terminal belongs to the builds."""
