"""The site as ``watch`` shows it: to this machine alone, loaded again after each build, its files untouched."""

from __future__ import annotations

import os
import shutil
import socket
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import typer
from site_browser import NEEDS_BROWSER, browser, program
from typer.testing import CliRunner

from grpo_symbolic.cli import app
from grpo_symbolic.errors import LibraryError
from grpo_symbolic.referee import commands
from grpo_symbolic.report.site.live import served

PAGE = "<!doctype html><html><body><p>α: what was found</p></body></html>"


def write_anew(site: Path, text: str = PAGE) -> None:
    """Put another folder into the place of the site, as a build does."""
    made = site.with_name("made")
    (made / "assets").mkdir(parents=True)
    (made / "claim").mkdir()
    (made / "index.html").write_text(text, encoding="utf-8")
    (made / "assets" / "site.js").write_text("1;")
    (made / "claim" / "p.less.html").write_text("<!doctype html><title>p.less</title>")
    if site.exists():
        site.replace(site.with_name("before"))
        shutil.rmtree(site.with_name("before"))
    made.replace(site)


@pytest.fixture
def site(tmp_path):
    write_anew(tmp_path / "site")
    (tmp_path / "secret.html").write_text("secret")
    return tmp_path / "site"


@pytest.fixture
def address(site):
    with served(site) as found:
        yield found


def ask(address: str, path: str = "/", method: str = "GET", **headers: str) -> HTTPResponse:
    connection = HTTPConnection(urlsplit(address).netloc, timeout=20)
    connection.request(method, path, headers=headers)
    return connection.getresponse()


def changes(page: str) -> str:
    """Where a page asks whether it is still the newest."""
    return page.partition('EventSource("')[2].partition('"')[0]


def test_a_page_is_as_it_is_in_the_file_but_for_the_script_that_waits(site, address):
    found = ask(address)
    page = found.read().decode()
    assert (found.status, found.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    before, script, after = page.partition("<script>")
    assert before + after.partition("</script>\n")[2] == PAGE
    assert script
    assert (site / "index.html").read_text(encoding="utf-8") == PAGE
    assert found.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["/assets/site.js", "/claim/p.less.html"])
def test_what_is_no_page_is_as_it_is(site, address, path):
    assert ask(address, path).read() == (site / path[1:]).read_bytes()


def test_a_head_has_no_body(address):
    found = ask(address, method="HEAD")
    assert (found.status, found.read()) == (200, b"")


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.html",
        "/%2e%2e/secret.html",
        "/assets/..%2f..%2fsecret.html",
        "//../secret.html",
        "/link.html",
        "/%2Fetc/passwd",
        "/%00",
        "/%ff",
        "/nothing.html",
        f"/{'x' * 5000}",
    ],
)
def test_nothing_outside_of_the_site_is_shown(site, address, path):
    (site / "link.html").symlink_to(site.parent / "secret.html")
    found = ask(address, path)
    assert found.status == 404
    assert b"secret" not in found.read()


@pytest.mark.parametrize(("name", "status"), [("localhost", 200), ("127.0.0.1", 200), ("evil.example", 421), ("", 421)])
def test_only_who_calls_it_by_its_name_is_answered(address, name, status):
    port = urlsplit(address).port
    assert ask(address, Host=f"{name}:{port}" if name else "").status == status


def test_only_this_machine_can_ask(address):
    assert urlsplit(address).hostname == "127.0.0.1"
    with socket.socket() as other, pytest.raises(ConnectionRefusedError):
        other.connect(("127.0.0.2", urlsplit(address).port))


def test_a_page_hears_of_the_next_build_and_of_one_that_it_missed(site, address):
    waiting = changes(ask(address).read().decode())
    news = ask(address, waiting)
    assert news.headers["Content-Type"] == "text/event-stream"
    write_anew(site, PAGE.replace("found", "found now"))
    assert news.read() == b"data: written\n\n"
    assert ask(address, waiting).read() == b"data: written\n\n"
    newest = ask(address).read().decode()
    assert "found now" in newest
    assert changes(newest) != waiting


@pytest.mark.slow
def test_a_browser_loads_the_page_again(site, address):
    if program() is None:
        pytest.skip(NEEDS_BROWSER)
    with browser() as chromium:
        page = chromium.new_page()
        page.goto(address)
        for text in ("found now", "found then"):
            write_anew(site, PAGE.replace("found", text))
            page.wait_for_function("text => document.body.textContent.includes(text)", arg=text, timeout=20_000)


def test_before_the_first_build_a_page_waits_for_it(tmp_path):
    with served(tmp_path / "site") as address:
        page = ask(address).read().decode()
        assert "being written" in page
        news = ask(address, changes(page))
        write_anew(tmp_path / "site")
        assert news.read() == b"data: written\n\n"
        assert "what was found" in ask(address).read().decode()


def test_at_the_end_nobody_waits_and_nobody_is_answered(site):
    with served(site) as address:
        news = ask(address, changes(ask(address).read().decode()))
    assert news.read() == b""
    with pytest.raises(ConnectionRefusedError):
        ask(address)


def test_a_port_that_is_used_is_named(site, address):
    port = urlsplit(address).port
    with pytest.raises(LibraryError, match=rf"port {port} of 127\.0\.0\.1 is used .*--port"), served(site, port):
        pass


def test_watch_shows_the_site_while_it_lasts(tmp_path, monkeypatch):
    """With one build by hand in the place of what the command runs."""
    (tmp_path / "derivations").mkdir()
    shown, seen = [], []

    def watching(once, stamps):
        write_anew(tmp_path / "out" / "site")
        seen.append(ask(shown[0]).read().decode())
        raise KeyboardInterrupt

    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(typer, "launch", shown.append)
    monkeypatch.setattr(commands, "watching", watching)
    found = CliRunner().invoke(app, ["watch", "--out", "out", "--open"])
    assert found.exit_code == 130
    assert f"the site is shown at {shown[0]}" in found.stdout
    assert "what was found" in seen[0]
    with pytest.raises(ConnectionRefusedError):
        ask(shown[0])


def test_watch_says_what_to_do_about_a_port_that_is_used(tmp_path, monkeypatch, address):
    (tmp_path / "derivations").mkdir()
    monkeypatch.chdir(tmp_path)
    found = CliRunner().invoke(app, ["watch", "--port", str(urlsplit(address).port)])
    assert found.exit_code == 2
    assert "is used by another program: name another with --port" in found.stderr
    assert os.listdir(tmp_path / "derivations") == []
