"""The commands of the referee; whatever computes is imported by the command that needs it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from importlib.util import find_spec
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer.core import TyperCommand

from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.errors import GrpoSymbolicError, LibraryError
from grpo_symbolic.referee.findings import USAGE
from grpo_symbolic.referee.meanings import as_text
from grpo_symbolic.referee.options import Mending, Options, Run

if TYPE_CHECKING:
    from rich.console import Console

    from grpo_symbolic.referee.findings import Review

DEFAULTS = Settings()
INTERRUPTED = 130
#: Seconds between two looks at whether a file was saved.
_GLANCE = 0.2


class Format(StrEnum):
    """How findings are written."""

    terminal = "terminal"
    json = "json"
    sarif = "sarif"
    github = "github"


PaperFile = Annotated[
    Path,
    typer.Argument(
        metavar="PAPER", help="LaTeX (.tex), an archive of it, a notebook, or Markdown or text with $$...$$."
    ),
]
MapFile = Annotated[
    Path | None,
    typer.Option("--notation", help="The notation map.", show_default="PAPER with .notation.toml, beside it"),
]
Only = Annotated[
    list[str] | None, typer.Option("--only", metavar="LABEL", help="Label or tag of a display. May be repeated.")
]
Digits = Annotated[int, typer.Option(min=15, max=10_000, help="Decimal digits of the samples.")]
Points = Annotated[int, typer.Option(min=20, max=100_000, help="Sample points of each step.")]
Seed = Annotated[int, typer.Option(help="Seed of all sampling.")]
Jobs = Annotated[
    int | None, typer.Option(min=1, help="Processes that check in parallel.", show_default="one per processor")
]
Timeout = Annotated[float, typer.Option(min=0.1, help="Seconds for each step; then it is left undecided.")]
Inline = Annotated[bool, typer.Option("--inline", help="Check the formulas inside sentences as well.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands of the referee to a command line."""
    app.command(cls=WithOnly, help=_with_findings(check))(check)
    for command in (init, explain, compare, serve):
        app.command(cls=WithOnly)(command)


def _with_findings(command: Callable[..., None]) -> str:
    """The help of a command with the table of what findings mean."""
    return f"{cleandoc(command.__doc__ or '')}\n\n\b\n{as_text()}"


class WithOnly(TyperCommand):
    """A command that says how several names are written, if they were put behind one ``--only``."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        """Parse the arguments; a usage error if some are left over."""
        ctx.allow_extra_args = True
        left = super().parse_args(ctx, args)
        if ctx.args:
            only = ctx.params.get("only")
            hint = f"; --only takes one name each time: {repeated([*only, 'NAME'])}" if only else ""
            ctx.fail(f"{' '.join(ctx.args)}: not expected here{hint}")
        return left


def repeated(names: Sequence[str]) -> str:
    """How several names are given to ``--only``."""
    return " ".join(f"--only {name}" for name in names)


def check(
    paper: PaperFile,
    notation: MapFile = None,
    only: Only = None,
    format: Annotated[Format, typer.Option("--format", help="How findings are written.")] = Format.terminal,
    digits: Digits = DEFAULTS.digits,
    points: Points = DEFAULTS.points,
    seed: Seed = DEFAULTS.seed,
    jobs: Jobs = None,
    timeout: Timeout = 10.0,
    inline: Inline = False,
    allow_unchecked: Annotated[
        bool,
        typer.Option("--allow-unchecked", help="Exit with 0 although something was not checked."),
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Show what holds as well.")] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Check again whenever a file is saved.")] = False,
    baseline: Annotated[
        Path | None, typer.Option("--baseline", metavar="FILE", help="A former result: only what is new counts.")
    ] = None,
    write_baseline: Annotated[
        Path | None, typer.Option("--write-baseline", metavar="FILE", help="Write the result there, to compare with.")
    ] = None,
    main: Annotated[
        str | None, typer.Option("--main", metavar="FILE", help="The paper in an archive, if it has several.")
    ] = None,
    fix: Annotated[
        bool, typer.Option("--fix", help="Put the repairs into a copy, check that and show the difference.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="With --fix, the copy: a file or a folder.", show_default="PAPER with .fixed.tex"),
    ] = None,
    in_place: Annotated[bool, typer.Option("--in-place", help="With --fix, change PAPER itself.")] = False,
    force: Annotated[bool, typer.Option("--force", help="With --fix, overwrite a copy that is there.")] = False,
    power: Annotated[
        bool, typer.Option("--power", help="Plant errors, one at a time, and tell which of them would be caught.")
    ] = False,
    count: Annotated[
        int | None,
        typer.Option(min=1, max=2_000, help="With --power, how many errors are planted.", show_default="40"),
    ] = None,
    certify: Annotated[
        Path | None,
        typer.Option("--certify", metavar="DIR", help="Search for proofs of what holds, and write them into DIR."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> None:
    """Check every step of the formulas that PAPER displays.

    Symbols and their domains are declared in a notation map, PAPER with the ending .notation.toml, or in comments
    of the paper that begin with %:. Without either, a guess is used and said to be one; see `grpo-symbolic init`.

    \b
    Examples:
      grpo-symbolic check paper.tex                          what is wrong or open
      grpo-symbolic check paper.tex --only eq:variance -v    one display, and what holds in it
      grpo-symbolic check paper.tex --format sarif > r.sarif annotations for code review
      grpo-symbolic check paper.tex --fix                    repairs in paper.fixed.tex
      grpo-symbolic check paper.tex --write-baseline b.json  what is known from now on,
      grpo-symbolic check paper.tex --baseline b.json        and what is new since then
      grpo-symbolic check paper.tex --power                  which errors would be caught here?
      grpo-symbolic check paper.tex --certify proofs         proofs of what holds, for all to verify

    \b
    Exit codes:
      0    everything that was asserted holds, and nothing was left unchecked
      1    something fails, or is broken LaTeX
      2    the command, the paper or its map cannot be read
      3    nothing fails, but something was not checked, or nobody declared the notation
      130  interrupted

    PAPER may be a source archive as arXiv hands it out (.tar.gz, .gz of one file, .tar, .zip). Of a notebook the
    Markdown cells are read as one text; places are told as "paper.ipynb, cell 3:2:1", for its second line.

    With --baseline, what the former result says of the same rows does not count, wherever they stand now, and what
    became of the others is told. Nor does what the map or a comment ignores with a reason.

    With --fix, every repair that is found is typed into a copy and the copy is checked again. A repair stays if its row
    holds there and everything else still does; the others are told with the reason. The exit code is about PAPER, which
    a copy leaves as it was; with --in-place, about what it became.

    With --power, errors of the kinds that papers have (a sign, a factor, a lost term or root, an index or exponent one
    off, swapped arguments, n for n - 1, a bracket, a reversed inequality, a limit) are put into steps that hold, one at
    a time, and each changed paper is checked. It is told by kind how many would be caught, how many are refused, left
    open or missed, how many of these are false by evaluation alone, and whether the first repair leads back. Errors are
    drawn by --seed; the exit code is 0 whatever was caught.

    With --certify, what holds is searched for a proof, and what the kernel accepts is PROVED; `grpo-symbolic verify`
    and the program verify.pyz beside the proofs accept them without anything else. A proof is of the formula as it was
    read, on the domains that were declared or guessed.

    Without a map nothing is refuted, since every domain is a guess. The exit code is that of the worst finding:
    """
    with _exit_codes():
        format = Format.json if as_json else format
        settings = Settings(digits=digits, points=points, seed=seed, effort=4_000, boxes=4_000)
        options = Options(
            settings,
            timeout,
            jobs,
            only=tuple(only or ()),
            inline=inline,
            spared=verbose,
            certified=certify is not None,
        )
        if power:
            if fix or watch or baseline or write_baseline or certify or format in (Format.sarif, Format.github):
                raise LibraryError(
                    "--power only measures: leave out --fix, --watch, --certify, baselines and other formats"
                )
            _tell_power(paper, options, notation, main, count, as_json=format is Format.json)
            return
        if count is not None:
            raise LibraryError("--count says how many errors are planted: add --power")
        if not fix and (out is not None or in_place or force):
            raise LibraryError("--out, --in-place and --force say where repairs go: add --fix")
        if (watch and fix) or (in_place and out is not None):
            raise LibraryError("--fix is done once, without --watch, and either --in-place or to --out")
        mending = Mending(out, in_place, force) if fix else None
        wanted = Run(paper, options, notation, mending, baseline, write_baseline, main, certify)

        def tell(review: Review) -> None:
            code = review.exit_code(allow_unchecked=allow_unchecked)
            _write(review, format, code, verbose=verbose, allow_unchecked=allow_unchecked)

        def once() -> int:
            return _run(wanted, tell, format).exit_code(allow_unchecked=allow_unchecked)

        if watch:
            watching(once, lambda: _stamps(paper, notation))
        raise typer.Exit(once())


def init(
    paper: PaperFile,
    out: Annotated[
        Path | None, typer.Option("--out", help="Where the map goes.", show_default="PAPER with .notation.toml")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a map that is there.")] = False,
) -> None:
    """Propose a notation map for PAPER: every symbol found, where it stands first, and a guessed domain.

    \b
    Examples:
      grpo-symbolic init paper.tex             writes paper.notation.toml
      grpo-symbolic init paper.tex --force     again, over what is there
    """
    with _exit_codes():
        from grpo_symbolic.referee.papers import map_beside, propose

        target = map_beside(paper) if out is None else out
        if target.exists() and not force:
            raise LibraryError(f"{target} is there already; --force overwrites it")
        text = propose(paper)
        target.write_text(text, encoding="utf-8")
        typer.echo(f"wrote {target}: correct the domains, say what the functions mean, then")
        typer.echo(f"grpo-symbolic check {paper}")


def compare(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="The former version: a paper, or a result in JSON.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The version of now, likewise.")],
    notation: Annotated[
        Path | None,
        typer.Option("--notation", help="The notation map of both.", show_default="beside each, else that of NEW"),
    ] = None,
    jobs: Jobs = None,
    timeout: Timeout = 10.0,
    inline: Inline = False,
    allow_unchecked: Annotated[
        bool, typer.Option("--allow-unchecked", help="Exit with 0 although something new was not checked.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: what became of each row.")] = False,
) -> None:
    """Compare two versions of a paper: what was mended, what broke, what is still wrong, what is new.

    A row is the same if it has the same label, or the same stands in it, wherever that is.

    \b
    Examples:
      grpo-symbolic compare v1.tex v2.tex
      grpo-symbolic compare known.json paper.tex   known.json is a former result of check

    \b
    Exit codes:
      0    nothing is worse: what is wrong was wrong before
      1    something broke, or something new is wrong
      2    the command, a paper or its map cannot be read
      3    something is no longer checked, or new and not checked, or no notation was declared
      130  interrupted
    """
    with _exit_codes():
        from grpo_symbolic.referee.running import versions
        from grpo_symbolic.referee.screen import printable

        found = versions(old, new, Options(timeout=timeout, jobs=jobs, inline=inline), notation)
        code = found.exit_code(allow_unchecked=allow_unchecked)
        if as_json:
            typer.echo(found.as_json(code), nl=False)
        else:
            for line in found.lines():
                typer.echo(printable(line))
        raise typer.Exit(code)


def _print_neutral(wanted: bool) -> None:
    if not wanted:
        return
    from grpo_symbolic.reading.tex.neutral import NEUTRAL

    typer.echo("A token serves a part of what is read, or its step is not understood. Nothing is said by:\n")
    for one in NEUTRAL:
        typer.echo(f"  {one.name:<12} {one.shown}")
    raise typer.Exit


def explain(
    place: Annotated[
        str, typer.Argument(metavar="PLACE", help="paper.tex:123, paper.tex:123:18, or paper.tex:eq:label.")
    ],
    notation: MapFile = None,
    inline: Inline = False,
    neutral: Annotated[
        bool,
        typer.Option("--neutral", callback=_print_neutral, is_eager=True, help="List what may stand and say nothing."),
    ] = False,
) -> None:
    """Tell everything known about the steps at PLACE: tokens, what each is read as, notation used, evidence.

    \b
    Examples:
      grpo-symbolic explain paper.tex:123
      grpo-symbolic explain paper.tex:eq:variance
      grpo-symbolic explain --neutral
    """
    with _exit_codes():
        from grpo_symbolic.referee.explain import explain as lines
        from grpo_symbolic.referee.screen import printable

        for line in lines(place, Options(jobs=1, inline=inline), notation):
            typer.echo(printable(line))


def serve(
    limit: Annotated[float, typer.Option(min=1, help="Most seconds for one call; then it is an error.")] = 300.0,
) -> None:
    """Offer check, explain and repair to editors and research agents, by the Model Context Protocol.

    The server talks on standard input and output, and reads what whoever started it may read. It needs the extra
    serve: pip install 'grpo-symbolic[serve]'.

    \b
    Example, the entry of a client's configuration:
      {"mcpServers": {"referee": {"command": "grpo-symbolic", "args": ["serve"]}}}
    """
    with _exit_codes():
        if find_spec("mcp") is None:
            raise LibraryError("serve needs the package mcp: pip install 'grpo-symbolic[serve]'")
        from grpo_symbolic.referee.serving import server

        server(limit).run("stdio")


def watching(
    once: Callable[[], object],
    stamps: Callable[[], object],
    *,
    sleep: Callable[[float], None] = time.sleep,
    rounds: int | None = None,
) -> None:
    """Run ``once`` now and whenever ``stamps`` changes, ``rounds`` times or until interrupted.

    What goes wrong in one round, such as a map that is half written, is told and the watch goes on.
    """
    done = 0
    while rounds is None or done < rounds:
        seen = stamps()
        try:
            once()
        except (GrpoSymbolicError, OSError) as error:
            typer.echo(f"grpo-symbolic: {_plainly(error)}", err=True)
        done += 1
        while (rounds is None or done < rounds) and stamps() == seen:
            sleep(_GLANCE)


def _stamps(paper: Path, notation: Path | None) -> tuple[tuple[str, int], ...]:
    """When the files that may matter were saved: the map, and the LaTeX below the folder of the paper."""
    from grpo_symbolic.referee.papers import map_beside

    files = {paper, notation or map_beside(paper), *paper.parent.glob("*.tex"), *paper.parent.glob("*/*.tex")}
    return tuple(sorted((str(file), file.stat().st_mtime_ns) for file in files if file.is_file()))


def _run(wanted: Run, tell: Callable[[Review], None], format: Format) -> Review:
    """Check and mend; what was mended is shown on standard error, if data go to standard output."""
    from grpo_symbolic.referee.screen import printable
    from grpo_symbolic.referee.workers import answering

    def say(line: str) -> None:
        typer.echo(printable(line), err=format is not Format.terminal)

    options, screen = wanted.options, _console()
    # The processes start while the engine is imported and the paper is read here.
    with answering(options.settings, jobs=options.jobs, memory=options.memory, ahead=True) as answer:
        from grpo_symbolic.referee.running import run

        if format is not Format.terminal or not screen.is_terminal:
            return run(wanted, tell, say, answer=answer)
        with screen.status("reading") as status:
            done = 0

            def listen(number: int, answer: object) -> None:
                nonlocal done
                done += 1
                status.update(f"{done} checked")

            def told(review: Review) -> None:
                status.stop()
                tell(review)

            return run(wanted, told, say, listen, answer)


def _tell_power(
    paper: Path, options: Options, notation: Path | None, main: str | None, count: int | None, *, as_json: bool
) -> None:
    """Plant errors and tell what became of them; how far it is goes to standard error."""
    from rich.console import Console

    from grpo_symbolic.referee.power import power_of_file
    from grpo_symbolic.referee.power_words import as_json as data
    from grpo_symbolic.referee.power_words import show

    with Console(stderr=True, markup=False).status("reading") as status:
        found = power_of_file(
            paper,
            options,
            notation,
            main,
            count=count,
            seed=options.settings.seed,
            progress=lambda what, done, of: status.update(f"{done} of {of} {what}"),
        )
    if as_json:
        typer.echo(data(found), nl=False)
    else:
        show(_console(), found)


def _write(review: Review, format: Format, code: int, *, verbose: bool, allow_unchecked: bool) -> None:
    if format is Format.terminal:
        from grpo_symbolic.referee.screen import show

        show(_console(), review, verbose=verbose, allow_unchecked=allow_unchecked)
    elif format is Format.json:
        from grpo_symbolic.referee.machine import as_json

        typer.echo(as_json(review, code), nl=False)
    elif format is Format.sarif:
        from importlib.metadata import version

        from grpo_symbolic.referee.sarif import as_sarif

        typer.echo(as_sarif(review, version("grpo-symbolic")), nl=False)
    else:
        from grpo_symbolic.referee.machine import github
        from grpo_symbolic.referee.wording import summary

        for line in github(review):
            typer.echo(line)
        typer.echo(summary(review))


def _console() -> Console:
    from grpo_symbolic.report.consoles import console

    return console()


@contextmanager
def _exit_codes() -> Iterator[None]:
    """Turn errors about the paper, its map or the command into one message and exit code 2."""
    try:
        yield
    except KeyboardInterrupt as error:
        typer.echo("interrupted", err=True)
        raise typer.Exit(INTERRUPTED) from error
    except (GrpoSymbolicError, OSError) as error:
        typer.echo(f"grpo-symbolic: {_plainly(error)}", err=True)
        raise typer.Exit(USAGE) from error


def _plainly(error: Exception) -> str:
    """The error in words; one of the operating system without its number."""
    if isinstance(error, OSError) and error.strerror and error.filename:
        return f"{error.filename}: {error.strerror}"
    return str(error)
