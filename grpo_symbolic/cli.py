"""The command line: ``grpo-symbolic report``, ``list``, ``show`` and the commands of the referee.

Only typer is imported here; whatever computes is imported by the command that needs it, because
``--help`` must answer at once.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grpo_symbolic import __version__
from grpo_symbolic.checks.settings import Settings
from grpo_symbolic.errors import CheckError, DeclarationError, GrpoSymbolicError, LibraryError
from grpo_symbolic.processes.tasks import CLAIM_SECONDS
from grpo_symbolic.processes.worker import keep_memory, seldom_collected
from grpo_symbolic.referee import commands

if TYPE_CHECKING:
    from rich.console import Console

    from grpo_symbolic.cache.store import Store
    from grpo_symbolic.derivation.library import Library
    from grpo_symbolic.judging.assess import Assessment
    from grpo_symbolic.judging.judges import Judges
    from grpo_symbolic.report.exported.order import ExportOrder
    from grpo_symbolic.report.render import Rendered
    from grpo_symbolic.report.unchanged import Built, Order

DEFAULTS = Settings()
FINDINGS, USAGE, INTERRUPTED = 1, 2, 130

app = typer.Typer(
    name="grpo-symbolic",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Folder = Annotated[Path, typer.Argument(help="A folder of derivations: a Python package with one module per result.")]
Only = Annotated[
    list[str] | None,
    typer.Option(
        "--only",
        metavar="NAME",
        help="A claim's id, or the name of a result, chapter or paper; what it rests on is included. May be repeated.",
    ),
]
CacheFolder = Annotated[
    Path | None,
    typer.Option(
        "--cache",
        metavar="DIR",
        help="Where judgements and what is made of them are kept for the next run.",
        show_default="a folder of your own for such things",
        envvar="GRPO_SYMBOLIC_CACHE",
        show_envvar=False,
        file_okay=False,
    ),
]
SourceUrl = Annotated[
    str | None,
    typer.Option(
        "--source-url",
        metavar="TEMPLATE",
        help="Link each claim to the line that states it: an address with {path}, from the folder of derivations on, "
        "and {line}.",
        envvar="GRPO_SYMBOLIC_SOURCE_URL",
        show_envvar=False,
    ),
]
NoCache = Annotated[
    bool,
    typer.Option(
        "--no-cache",
        help="Judge anew; keep nothing.",
        envvar="GRPO_SYMBOLIC_NO_CACHE",
        show_envvar=False,
    ),
]


def _tell_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"grpo-symbolic {__version__}")
        raise typer.Exit()


@app.callback()
def grpo_symbolic(
    version: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Tell the version and end.")
    ] = False,
) -> None:
    """A referee in a box: derive, check and typeset the mathematics of papers.

    \b
    Examples:
      grpo-symbolic new                           begin a folder of derivations
      grpo-symbolic list                          what there is
      grpo-symbolic report                        check everything in derivations/, write build/
      grpo-symbolic report --only bounds_compared check one result and what it rests on
      grpo-symbolic watch                         the same whenever a file is saved
      grpo-symbolic show bounds-compared          one claim: derivation, evidence, erratum
      grpo-symbolic export --only bounds-compared the same as Markdown, LaTeX, a page or JSON
    """


@app.command(cls=commands.WithOnly)
def report(
    folder: Folder = Path("derivations"),
    out: Annotated[Path, typer.Option(help="Where the report goes.", file_okay=False)] = Path("build"),
    only: Only = None,
    digits: Annotated[
        int, typer.Option(min=15, max=10_000, help="Decimal digits of the numeric method.")
    ] = DEFAULTS.digits,
    points: Annotated[int, typer.Option(min=20, help="Sample points of the numeric method.")] = DEFAULTS.points,
    seed: Annotated[int, typer.Option(help="Seed of all sampling.")] = DEFAULTS.seed,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes that check in parallel.", show_default="one per processor")
    ] = None,
    timeout: Annotated[
        float, typer.Option(min=1, help="Most seconds for one claim; one that takes longer is left UNDECIDED.")
    ] = CLAIM_SECONDS,
    pdf: Annotated[bool, typer.Option("--pdf/--no-pdf", help="Typeset the PDFs, if TeX is installed.")] = True,
    papers: Annotated[
        Path | None,
        typer.Option(
            help="Put the papers' own text beside the rows of the site; such a site is for you alone.",
            file_okay=False,
            exists=True,
        ),
    ] = None,
    source_url: SourceUrl = None,
    open_site: Annotated[bool, typer.Option("--open", help="Show the site in a browser when it is written.")] = False,
    accept: Annotated[
        bool,
        typer.Option(
            "--accept",
            help="Write what was found into the ledgers: this is how claims stand now. Claims that are refuted, unless "
            "they say refuted=..., stay findings.",
        ),
    ] = False,
    search: Annotated[
        bool,
        typer.Option(
            "--search",
            help="Decide everything, and search for all proofs anew; what is not found again fell, but with --accept "
            "it stays as long as the kernel accepts it.",
        ),
    ] = False,
    cache: CacheFolder = None,
    no_cache: NoCache = False,
    ahead: Annotated[bool, typer.Option("--ahead", hidden=True, help="Begin at a line on standard input.")] = False,
) -> None:
    """Check the derivations in FOLDER and write the report.

    Every claim is judged by independent methods: sampling at many digits, an exact decision procedure,
    SMT solvers, ball arithmetic. The verdicts are compared with the ledger beside the derivations.

    A claim is PROVED if the kernel accepts a proof: that which is kept beside the derivations, or one that is searched
    for where it is decided. --accept writes them there, and of which claims none was found; --search decides everything
    and searches for all proofs anew.

    A judgement is kept by content: of statement, hypotheses, lemmas, settings, this program and its libraries. Only
    what changed is judged; results.json tells which. Where nothing changed at all and the files of the last report are
    whole, they stay. --no-cache does without all that.

    \b
    Examples:
      grpo-symbolic report                           everything in derivations/
      grpo-symbolic report my_derivations --out tmp  another folder, another place
      grpo-symbolic report --only eq14 --digits 100  one claim, more digits
      grpo-symbolic report --only eq14 --only eq15   two claims
      grpo-symbolic report --open                    and show the site in a browser
      grpo-symbolic report --papers texts            with the papers' own text in the site
      grpo-symbolic report --source-url 'https://example.org/repo/blob/main/{path}#L{line}'
      grpo-symbolic report --accept                  write the ledgers and proofs; then commit them

    \b
    In the folder --out you find:
      site/index.html    the report as pages: errata, derivations, graph, search
      report.tex, .pdf   what was found, with the key claims
      appendix.tex, .pdf every claim; to \\input into a paper, with grpo-appendix.sty
      appendix/          one file for each result, likewise
      figures/           what all of them include
      proofs/            claims with their proofs; verify.pyz checks them: python3 verify.pyz proofs
      results.json       everything as data (see results.schema.json)
      manifest.json      versions, settings, and the checksum of every file above

    \b
    Exit codes:
      0    every claim stands as the ledger says
      1    findings: a verdict fell, a refutation came or went, an id or an assumption is new,
           an id is missing; with --accept only those that no ledger can accept: a claim is
           refuted that does not say refuted=..., or one that says it is not refuted
      2    the command or the derivations cannot be read
      130  interrupted; the previous report is whole
    """
    from grpo_symbolic.report.addresses import checked_template
    from grpo_symbolic.report.unchanged import Order

    with _exit_codes(folder), ExitStack() as stack:
        asked = Settings(digits=digits, points=points, seed=seed, search=search, forgiving=accept)
        template = None if source_url is None else checked_template(source_url)
        order = Order(folder, out, tuple(only or ()), asked, timeout, pdf, papers, template)
        ready = stack.enter_context(_ahead(order, jobs)) if ahead else None
        with _kept(cache, no_cache) as store:
            code = _report(order, jobs, accept, store, ready)
        if open_site:
            typer.launch(str((out / "site" / "index.html").resolve()))
        raise typer.Exit(code)


@app.command(cls=commands.WithOnly)
def watch(
    folder: Folder = Path("derivations"),
    out: Annotated[Path, typer.Option(help="Where the report goes.", file_okay=False)] = Path("build"),
    only: Only = None,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes that check in parallel.", show_default="one per processor")
    ] = None,
    pdf: Annotated[bool, typer.Option("--pdf/--no-pdf", help="Typeset the PDFs as well.")] = False,
    port: Annotated[
        int,
        typer.Option(min=0, max=65_535, help="The port that shows the site here.", show_default="one that is free"),
    ] = 0,
    open_site: Annotated[bool, typer.Option("--open", help="Show the site in a browser.")] = False,
    cache: CacheFolder = None,
) -> None:
    """Write the report of FOLDER now and whenever one of its files is saved, until interrupted.

    Only what changed is judged. A file that cannot be read yet is told with its place, and the last report stays.

    The site is shown at an address of this machine, which is printed and which no other machine can reach; there a
    page loads itself again after each build, by whichever command. Its files are as they are without that.

    \b
    Examples:
      grpo-symbolic watch --open
      grpo-symbolic watch --port 8000
      grpo-symbolic watch --only root_groups_of_two --pdf
    """
    from grpo_symbolic.processes.ahead import STALE, Ahead
    from grpo_symbolic.processes.programs import show_program
    from grpo_symbolic.report.site.live import served
    from grpo_symbolic.report.unchanged import stamps

    command = [sys.executable, "-m", "grpo_symbolic", "report", str(folder), "--out", str(out)]
    command += [part for name in only or () for part in ("--only", name)]
    command += [] if jobs is None else ["--jobs", str(jobs)]
    command += [] if cache is None else ["--cache", str(cache)]
    command.append("--pdf" if pdf else "--no-pdf")

    waiting: list[Ahead] = []

    def once() -> None:
        # A fresh process each time, because modules are read once in each: the next one is started ahead.
        code = waiting.pop().begin() if waiting else STALE
        if code == STALE:
            show_program(command)
        waiting.append(Ahead([*command, "--ahead"]))
        typer.echo(f"\nwatching {folder}; Ctrl-C ends this")

    def end() -> None:
        for one in waiting:
            one.end()

    with _exit_codes(folder), ExitStack() as stack:
        stack.callback(end)
        if not folder.is_dir():
            raise LibraryError(f"{folder} is no folder, so there is nothing to watch")
        with served(out / "site", port) as address:
            typer.echo(f"the site is shown at {address}, which loads again what was built again")
            if open_site:
                typer.launch(address)
            commands.watching(once, lambda: stamps(folder))


@app.command()
def new(folder: Folder = Path("derivations")) -> None:
    """Begin FOLDER with a result to change.

    \b
    Examples:
      grpo-symbolic new
      grpo-symbolic new our_derivations
    """
    with _exit_codes(folder):
        from grpo_symbolic.api.beginning import begin

        package, example = begin(folder)
        typer.echo(f"wrote {package} and {example}, an example to change; then\ngrpo-symbolic list {folder}")


@app.command("list", cls=commands.WithOnly)
def list_claims(
    folder: Folder = Path("derivations"),
    only: Only = None,
    verdict: Annotated[
        list[str] | None,
        typer.Option(help="Claims of which the ledger says this, such as REFUTED or erratum. May be repeated."),
    ] = None,
    paper: Annotated[list[str] | None, typer.Option(help="Claims of this paper. May be repeated.")] = None,
    text: Annotated[
        list[str] | None,
        typer.Option(help="Claims with this in their id, title, equation or formula; all, if repeated."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Every claim, also if there are more than lines.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: a row for each claim.")] = False,
    cache: CacheFolder = None,
    no_cache: NoCache = False,
) -> None:
    """List the results and claims in FOLDER with what the ledger says of them; nothing is checked.

    On a terminal with too few lines for all claims it counts those of each result, chapter or paper.

    \b
    Examples:
      grpo-symbolic list
      grpo-symbolic list --paper mroueh_2025 --verdict erratum
      grpo-symbolic list --text "fixed point" --text Lemma
      grpo-symbolic list --only quadratic_roots --all
    """
    with _exit_codes(folder), _kept(cache, no_cache) as store, _derivations_kept(store):
        library, broken = _load_what_stands(folder, only or [])
        from grpo_symbolic.coverage.aboutness import Aboutness
        from grpo_symbolic.judging.ledger import entries
        from grpo_symbolic.report.consoles import console
        from grpo_symbolic.report.listing import Filter, Listing

        wanted = Filter(tuple(only or ()), tuple(verdict or ()), tuple(paper or ()), tuple(text or ()))
        listing = Listing(library, entries(library), Aboutness(library).ties, wanted)
        if as_json:
            console().print_json(data=listing.rows())
        else:
            listing.show(console(), every=every)
        raise typer.Exit(USAGE if broken else 0)


@app.command()
def show(
    id: Annotated[
        str,
        typer.Argument(
            metavar="CLAIM",
            help='Its id, with or without the paper; "Eq. (14)", 14 or "Theorem 2"; or its number in appendix.pdf.',
        ),
    ],
    folder: Folder = Path("derivations"),
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: the claim as results.json has it.")] = False,
    cache: CacheFolder = None,
    no_cache: NoCache = False,
) -> None:
    """Show one claim: statement, derivation, evidence, what the paper prints and the erratum.

    Only this claim and what it rests on are checked. Numbers are those of the appendix on all claims.

    \b
    Examples:
      grpo-symbolic show vojnovic_yun_2025.bounds-gap
      grpo-symbolic show bounds-gap
      grpo-symbolic show "Eq. (14)"
      grpo-symbolic show 3.2.1
    """
    with _exit_codes(folder), _kept(cache, no_cache) as store, _derivations_kept(store):
        library, _ = _load_what_stands(folder)
        full = _one_id(library, id)
        from grpo_symbolic.coverage.aboutness import Aboutness
        from grpo_symbolic.judging.assess import assess
        from grpo_symbolic.judging.results import claim_data
        from grpo_symbolic.report.consoles import console
        from grpo_symbolic.report.display import progress, show_claim

        screen = console()
        with progress(screen) if screen.is_terminal else nullcontext() as listener:
            assessment = assess(library, DEFAULTS, only=[full], listener=listener, cache=store)
        if as_json:
            screen.print_json(data=claim_data(assessment, full, Aboutness(library)))
        else:
            show_claim(screen, assessment, full)


@app.command(cls=commands.WithOnly)
def export(
    folder: Folder = Path("derivations"),
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            metavar="NAME",
            help='A claim by its id, "Eq. (14)", 14 or its number in appendix.pdf; or a result, chapter or paper. May '
            "be repeated.",
        ),
    ] = None,
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="tex|html|md|json", help="The format.", show_default="that of --out, or md"),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write it there.", show_default="stdout")
    ] = None,
    standalone: Annotated[
        bool, typer.Option("--standalone", help="A whole LaTeX document or page, not a piece to put into one.")
    ] = False,
    source_url: SourceUrl = None,
    cache: CacheFolder = None,
    no_cache: NoCache = False,
) -> None:
    """Write a result or some claims of FOLDER as text for use elsewhere.

    Only these claims and what they rest on are checked. A claim is shown with its verdict, derivation, erratum and
    what it rests on; of a result also its introduction and figures. Formulas are read back: each says what was checked.

    \b
    Formats:
      tex   to \\input into a paper, with grpo-appendix.sty, which --out writes beside it as well as
            figures/; --standalone makes a document that needs nothing beside it but figures
      html  formulas as MathML, styles inside, nothing loaded; --standalone makes a whole page
      md    as GitHub shows it, with formulas between dollars
      json  as in results.json (see results.schema.json), with the steps of the derivations

    \b
    Examples:
      grpo-symbolic export --only eq14
      grpo-symbolic export --only "Eq. (14)" --out paper/eq14.tex
      grpo-symbolic export --only bounds_compared --to html --standalone --out bounds.html
      grpo-symbolic export our_derivations --only variance --to json

    \b
    Exit codes:
      0  it was written, whatever the verdicts in it are
      1  a formula could not be read back, or the file cannot be written
      2  the command or the derivations cannot be read, or nothing is called so
    """
    with _exit_codes(folder):
        from grpo_symbolic.report.exported.order import ordered

        order = ordered(only or (), to, out, standalone=standalone, source_url=source_url)
        library, _ = _load_what_stands(folder, only or ())
        with _kept(cache, no_cache) as store:
            _export(library, order, store)


def _export(library: Library, order: ExportOrder, store: Store | None) -> None:
    from grpo_symbolic.judging.assess import assess
    from grpo_symbolic.judging.fragments import Fragments
    from grpo_symbolic.report.exported.write import export as exported
    from grpo_symbolic.report.exported.write import write
    from grpo_symbolic.report.letters import check_letters
    from grpo_symbolic.report.lookup import claims_and_results
    from grpo_symbolic.report.shorthand import Shown

    named = claims_and_results(library, order.names)
    ids = named.all_claims(library)
    check_letters(Shown(library), ids)
    assessment = assess(library, DEFAULTS, only=ids, cache=store)
    fragments = Fragments(store)
    made = exported(
        assessment,
        named,
        order.form,
        standalone=order.standalone,
        source_url=order.source_url,
        fragments=fragments,
    )
    if order.out is None:
        typer.echo(made.text, nl=False)
        for complaint in order.complaints(pictured=bool(made.pictured)):
            typer.echo(complaint, err=True)
        return
    for path in write(made, order.out, style=order.needs_style, fragments=fragments):
        typer.echo(f"wrote {path}")


@app.command()
def trust(
    id: Annotated[
        str | None, typer.Argument(metavar="[CLAIM]", help="A claim's id; the paper's name may be left out.")
    ] = None,
    folder: Folder = Path("derivations"),
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: root, files and lines, and the rest.")] = False,
    cache: CacheFolder = None,
    no_cache: NoCache = False,
) -> None:
    """Tell what PROVED and DECIDED rest on: files with their lines, libraries, principles and assumptions.

    Of a claim: the least that somebody has to read to believe it, what it rests on, and which methods and solvers
    decided it. Only this claim and what it rests on are checked.

    \b
    Examples:
      grpo-symbolic trust             the trusted base
      grpo-symbolic trust bounds-gap  one claim
      grpo-symbolic trust --json      root, files and lines as data
    """
    with _exit_codes(folder):
        from grpo_symbolic.judging.assess import assess
        from grpo_symbolic.judging.trust import trust as trusted
        from grpo_symbolic.report.consoles import console
        from grpo_symbolic.report.trust_display import tell_base, tell_claim

        if id is None:
            # The base is the same for all derivations; only what these assume has to be looked up.
            claims = _load(folder).claims.values() if (folder / "__init__.py").is_file() else ()
            tell_base(console(), (made for made in claims if made.assumed), as_json)
            return
        library = _load(folder)
        full = _one_id(library, id)
        with _kept(cache, no_cache) as store:
            assessment = assess(library, DEFAULTS, only=[full], cache=store)
        tell_claim(console(), trusted(assessment, full), as_json)


@app.command()
def verify(
    places: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[PLACE]...", help="Files of proofs or folders with such files.", show_default=False),
    ] = None,
) -> None:
    """Verify the proofs in build/proofs, or in PLACE, by the kernel alone; nothing is searched for.

    The same program is written beside them as verify.pyz, which needs nothing but Python.

    \b
    Examples:
      grpo-symbolic verify
      grpo-symbolic verify build/proofs/mroueh_2025.jsonl
      python3 build/verify.pyz build/proofs

    \b
    Exit codes:
      0    every proof was accepted
      2    something was refused, or cannot be read; its file and line are told
    """
    from grpo_symbolic.kernel.verify import main as verify_proofs

    raise typer.Exit(verify_proofs([str(place) for place in places or ()]))


@app.command()
def wording(
    folder: Folder = Path("derivations"),
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: where it is said, and what.")] = False,
) -> None:
    """List what texts of FOLDER say and no claim does, and what claims suppose and nothing accounts for.

    A decimal has a source if it stands in a statement of the same result, or if something that one of these encloses
    rounds to it. A word such as "exactly", "only", "attracts" or "maximum" is earned by a statement of the kind that
    says so, or by a theorem that the claim cites; a sentence that asserts something names its claim between backticks.
    Equations among hypotheses stand in hypotheses.toml beside the derivations: as what the description of a letter
    says, as supposed in words, or as shown by a claim. Nothing is checked here. Exits with 1 if anything is listed.

    \b
    Examples:
      grpo-symbolic wording
      grpo-symbolic wording --json
    """
    with _exit_codes(folder):
        from grpo_symbolic.report.consoles import console
        from grpo_symbolic.wording.accounts import complaints
        from grpo_symbolic.wording.suppositions import unaccounted

        library = _load(folder)
        found = [item for result in library.results for item in complaints(result, library.claims)]
        found += unaccounted(library)
        if as_json:
            console().print_json(data=[{"where": item.where, "what": item.what} for item in found])
        else:
            for item in found:
                console().print(f"{item.where}: {item.what}", markup=False)
        raise typer.Exit(1 if found else 0)


@app.command(cls=commands.WithOnly)
def mutants(
    folder: Folder = Path("derivations"),
    definitions: Annotated[
        bool, typer.Option("--definitions", help="Slips in the definitions of papers; there are no others yet.")
    ] = False,
    only: Only = None,
    sampled: Annotated[int, typer.Option(min=1, help="Slips in each function, chosen by the seed.")] = 1,
    every: Annotated[bool, typer.Option("--all", help="All slips.")] = False,
    seed: Annotated[int, typer.Option(help="Seed of the choice.")] = DEFAULTS.seed,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes that judge in parallel.", show_default="one per processor")
    ] = None,
    timeout: Annotated[float, typer.Option(min=1, help="Most seconds for one question.")] = 120.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: definitions, claims and outcomes.")] = False,
) -> None:
    """Put slips into the definitions of papers and tell which claims notice.

    The module about.py beside a paper's derivations says which definitions its numbered equations, theorems and so on
    are about. Each claim tied to such a place, by its equation, its quote or the row of a coverage, is judged again
    with a single change in the body of a definition, wherever that stands in the claim and in what it rests on:

    \b
      refuted, no longer decided, refused  the slip is noticed
      still true                           it is decided that the claim holds all the same
      abstract                             the claim does not depend on the definition at all, and settles
                                           its place in part at most
      open                                 nothing can be said: it is not decided without the slip either

    \b
    Examples:
      grpo-symbolic mutants --definitions                       one slip in each function: minutes
      grpo-symbolic mutants --definitions --only eq14 --all     all slips, one claim
      grpo-symbolic mutants --definitions --json --sampled 3

    \b
    With --json:
      definitions  paper, name, and slips: function, number and change
      claims       id, places, about, and of these: contains (in statement or hypotheses),
                   through (in what it rests on), missing
      outcomes     claim, name, slip (null if abstract), outcome, fell (what no longer stands), reason
      problems     mistakes in the tables

    \b
    Exit codes:
      0  every slip is noticed or leaves its claim true, or the claim is listed as abstract
      1  a claim is open, or a table has a mistake
      2  the command or the derivations cannot be read
    """
    with _exit_codes(folder):
        if not definitions:
            raise LibraryError("say of what: grpo-symbolic mutants --definitions")
        raise typer.Exit(_mutants(folder, only or [], None if every else sampled, seed, jobs, timeout, as_json))


@app.command("coverage")
def coverage_of(
    folder: Folder = Path("derivations"),
    papers: Annotated[
        Path | None, typer.Option(help="Where the texts of the papers are.", file_okay=False, exists=True)
    ] = None,
    update: Annotated[
        bool, typer.Option("--update", help="Take over lines of the texts that are new; they have no claims yet.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON: the rows of each paper, and what is wrong.")
    ] = False,
    cache: CacheFolder = None,
    no_cache: NoCache = False,
) -> None:
    """Tell which lines of each paper are checked, by what the ledgers say, and compare them with the texts.

    Every sentence and every step of a display of a paper has a row in the file coverage.json beside its
    derivations: a hash of the text, and the claims that say it or the reason for having none.

    \b
    Examples:
      grpo-symbolic coverage                          seen, checked, not checked
      grpo-symbolic coverage --papers texts           compared with the texts, found by their titles
      grpo-symbolic coverage --papers texts --update  after a text has changed

    \b
    Exit codes:
      0  every row has claims or a reason, and the texts that are there agree with the rows
      1  some do not; each is named
      2  the command or the derivations cannot be read
    """
    with _exit_codes(folder):
        if update and papers is None:
            raise LibraryError("--update needs the texts: add --papers DIR")
        with _kept(cache, no_cache) as store, _derivations_kept(store):
            raise typer.Exit(_coverage(_load(folder), papers, update, as_json))


def _coverage(library: Library, papers: Path | None, update: bool, as_data: bool) -> int:
    from grpo_symbolic.coverage import rows as coverage
    from grpo_symbolic.coverage.aboutness import Aboutness
    from grpo_symbolic.coverage.inventory import inventory
    from grpo_symbolic.coverage.score import as_json, score
    from grpo_symbolic.judging.ledger import entries
    from grpo_symbolic.report.consoles import console
    from grpo_symbolic.report.coverage_display import coverage_table, unsettled_lines

    aboutness = Aboutness(library)
    ledger = entries(library)
    verdicts = {id: (entry.verdict, entry.printed) for id, entry in ledger.items()}
    readings = {id: entry.reading for id, entry in ledger.items() if entry.printed is not None}
    scored, wrong, compared = [], [], []
    for paper, path in coverage.files(library).items():
        known = coverage.read(paper, path) if path.is_file() else None
        text = None if papers is None else coverage.text_of(paper, papers)
        rows = () if text is None else inventory(text.read_text(encoding="utf-8"), paper.terms)
        if update and rows:
            known = coverage.updated(known or coverage.Coverage(paper, "", ()), rows, date.today().isoformat())
            coverage.write(known, path)
        if known is None:
            continue
        found = coverage.differences(known, rows) if rows else ()
        agrees = ", and agrees with it" if rows and not found else ""
        compared.append(f"{paper.id}: compared with the text on {known.compared}{agrees}")
        wrong += [f"{paper.id}, {message}" for message in (*found, *coverage.problems(known, library.claims))]
        scored.append(score(known, verdicts, readings, aboutness.in_part(known)))
    wrong += aboutness.problems()
    screen = console()
    if as_data:
        by_paper = {item.coverage.paper.id: as_json(item) for item in scored}
        screen.print_json(data={"papers": by_paper, "findings": wrong})
    else:
        screen.print(coverage_table(scored))
        for line in (*compared, *unsettled_lines(scored), *(f"FINDING: {message}" for message in wrong)):
            screen.print(line, soft_wrap=True)
    return FINDINGS if wrong else 0


def _mutants(
    folder: Path, only: Sequence[str], sampled: int | None, seed: int, jobs: int | None, timeout: float, as_json: bool
) -> int:
    library = _load(folder, only)
    from grpo_symbolic.coverage.aboutness import Aboutness
    from grpo_symbolic.judging.definition_mutants import outcomes
    from grpo_symbolic.judging.slips import slips
    from grpo_symbolic.report import mutants_display
    from grpo_symbolic.report.consoles import console

    aboutness = Aboutness(library)
    # What a claim rests on is asked about with it, and is not meant by its name.
    chosen = library.named(only) if only else frozenset(library.claims)
    planned = tuple(slips(aboutness, sampled, seed))
    with mutants_display.progress() as listener:
        found = outcomes(
            library, aboutness, planned, chosen, jobs=jobs or os.cpu_count() or 1, timeout=timeout, listener=listener
        )
    if as_json:
        console().print_json(data=mutants_display.as_json(aboutness, planned, found, chosen))
    else:
        for line in mutants_display.lines(aboutness, found):
            console().print(line, markup=False, soft_wrap=True)
    return FINDINGS if mutants_display.wrong(aboutness, found) else 0


@contextmanager
def _ahead(order: Order, jobs: int | None) -> Iterator[Judges]:
    """Prepare what a build needs and start processes that judge; begin when told, unless the program has changed.

    Nothing is read of the derivations before.
    """
    from grpo_symbolic.processes.ahead import STALE, prepare, told
    from grpo_symbolic.report.unchanged import program

    prepare()
    before = program()
    from grpo_symbolic.derivation.library import make_importable
    from grpo_symbolic.judging.judges import judges
    from grpo_symbolic.report import building, display, render  # noqa: F401

    with judges(order.settings, jobs=jobs, timeout=order.timeout) as who:
        make_importable(order.folder)
        who.start(1)
        render.prepare()
        seldom_collected()
        if not told():
            raise typer.Exit()
        if program() != before:
            raise typer.Exit(STALE)
        yield who


def _report(order: Order, jobs: int | None, accept: bool, store: Store | None, ready: Judges | None) -> int:
    from grpo_symbolic.report.unchanged import Ingredients, last_build, remember

    folder, out, only, settings = order.folder, order.out, order.only, order.settings
    before = None if store is None or accept else Ingredients.of(folder, order.papers)
    if store is not None and before is not None:
        built = last_build(store, order, before)
        if built is not None:
            return _tell_again(built, out)
    from grpo_symbolic.derivation.library import make_importable
    from grpo_symbolic.judging.judges import judges

    _require_folder(folder, only)
    hired = judges(settings, jobs=jobs, timeout=order.timeout) if ready is None else nullcontext(ready)
    with hired as who, ExitStack() as stack:
        make_importable(folder)
        who.start()
        stack.enter_context(_derivations_kept(store))
        library = _load(folder, only)
        from grpo_symbolic.judging import ledger
        from grpo_symbolic.report.building import build
        from grpo_symbolic.report.consoles import console
        from grpo_symbolic.report.display import finding_text, progress

        screen = console()
        assessment, rendered, findings, without = build(order, library, who, store, partial(progress, screen))
    written = ledger.write(assessment) if accept else ()
    open_ = [finding for finding in findings if not (accept and finding.acceptable)]
    _tell(screen, assessment, rendered, out)
    said = [f"accepted in {path}" for path in written]
    said += [("FINDING: " if finding in open_ else "accepted: ") + finding_text(finding) for finding in findings]
    if not accept:
        said += [f"no ledger in {path} yet: only unexpected refutations count; --accept writes one" for path in without]
    if not findings:
        said.append("no unexpected refutation" if without and not accept else "every claim stands as the ledger says")
    for line in said:
        screen.print(line, soft_wrap=True, markup=False)
    code = FINDINGS if open_ else 0
    if store is not None and before is not None and not assessment.left_open:
        remember(store, order, before, (*rendered.files, *rendered.site), code, said)
    return code


def _tell_again(built: Built, out: Path) -> int:
    """Say once more how the last build ended, of which nothing has to be done again."""
    from grpo_symbolic.report.consoles import console

    screen = console()
    screen.print(
        f"nothing has changed since {out} was written, its {built.files} files are whole; --no-cache builds it anew",
        soft_wrap=True,
    )
    for line in built.said:
        screen.print(line, soft_wrap=True, markup=False)
    return built.code


@contextmanager
def _kept(folder: Path | None, without: bool) -> Iterator[Store | None]:
    """The store of what is kept from run to run, if there is to be one; what is wrong with it is told at the end."""
    from grpo_symbolic.cache.store import Store

    place = _cache_folder(folder, without)
    if place is None:
        yield None
        return
    store = Store(place)
    try:
        yield store
    finally:
        store.close()
        if store.complaint is not None:
            typer.echo(f"grpo-symbolic: {store.complaint}", err=True)
        elif store.damaged:
            typer.echo(f"grpo-symbolic: {store.path}: {store.damaged} damaged or another user's, made anew", err=True)


def _cache_folder(folder: Path | None, without: bool) -> Path | None:
    """The folder of what is kept from run to run, if there is to be one."""
    from grpo_symbolic.cache.store import folder_of_user

    return None if without else folder or folder_of_user()


@contextmanager
def _derivations_kept(store: Store | None) -> Iterator[None]:
    """Have kept what derivations ask a CAS for, so that it need not even be imported."""
    from grpo_symbolic.derivation.keeping import kept_by
    from grpo_symbolic.judging.fragments import FragmentsOfDerivations

    with kept_by(None if store is None else FragmentsOfDerivations(store)):
        yield


def _tell(screen: Console, assessment: Assessment, rendered: Rendered, out: Path) -> None:
    from grpo_symbolic.report.display import (
        assumption_lines,
        kept_lines,
        places,
        read_back_lines,
        skipped_lines,
        summary_table,
        unjudged_lines,
    )

    screen.print()
    screen.print(summary_table(assessment, screen.width))
    screen.print(f"\nchecked in {assessment.seconds:.1f} s")
    for line in kept_lines(assessment):
        screen.print(line, soft_wrap=True)
    for line in (
        *assumption_lines(assessment),
        *unjudged_lines(assessment),
        *read_back_lines(rendered.read_back),
        *places(rendered.files, rendered.site, out),
    ):
        screen.print(line, soft_wrap=True, markup=False)
    if rendered.hint is not None:
        screen.print(rendered.hint, soft_wrap=True)
    for line in skipped_lines(assessment):
        screen.print(line, soft_wrap=True)


def _load(folder: Path, only: Sequence[str] = ()) -> Library:
    """Load a folder; whatever its modules raise is told as a mistake in it, with file and line."""
    from grpo_symbolic.derivation.library import load

    _require_folder(folder, only)
    try:
        return load(folder)
    except GrpoSymbolicError:
        raise
    except Exception as error:
        raise LibraryError(f"{type(error).__name__}: {error}") from error


def _load_what_stands(folder: Path, only: Sequence[str] = ()) -> tuple[Library, bool]:
    """Load a folder without its modules that are broken, which are told of, and say whether there are some."""
    from grpo_symbolic.derivation.library import load
    from grpo_symbolic.derivation.modules import Broken, told

    _require_folder(folder, only)
    broken: list[Broken] = []
    library = load(folder, broken=broken)
    if broken:
        typer.echo(f"grpo-symbolic: left out is what is broken:\n{told(broken)}", err=True)
    return library, bool(broken)


def _require_folder(folder: Path, only: Sequence[str] = ()) -> None:
    if not (folder / "__init__.py").is_file():
        hint = f"; if it is a name as well, write {commands.repeated([*only, str(folder)])}" if only else ""
        raise LibraryError(
            f"{folder} is not a folder of derivations (it has no __init__.py); "
            f"name one: grpo-symbolic COMMAND FOLDER{hint}; or begin one: grpo-symbolic new {folder}"
        )


def _one_id(library: Library, name: str) -> str:
    """The id of the claim that somebody calls so."""
    from grpo_symbolic.report.lookup import one_claim

    return one_claim(library, name)


commands.add_to(app)


@contextmanager
def _exit_codes(folder: Path) -> Iterator[None]:
    """Turn errors into one message on standard error and the exit code that belongs to them."""
    try:
        yield
    except KeyboardInterrupt as error:
        typer.echo("interrupted; what was written before is whole", err=True)
        raise typer.Exit(INTERRUPTED) from error
    except (LibraryError, DeclarationError) as error:
        typer.echo(f"grpo-symbolic: {error}{_place(error, folder)}", err=True)
        raise typer.Exit(USAGE) from error
    except GrpoSymbolicError as error:
        kind = "a check failed: " if isinstance(error, CheckError) else ""
        typer.echo(f"grpo-symbolic: {kind}{error}", err=True)
        raise typer.Exit(FINDINGS) from error
    except OSError as error:
        typer.echo(f"grpo-symbolic: {error}", err=True)
        raise typer.Exit(FINDINGS) from error


def _place(error: BaseException, folder: Path) -> str:
    from grpo_symbolic.derivation.modules import place_in

    place = place_in(error, folder.resolve())
    return "" if place is None else f"\n  at {place}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line with the given arguments, by default those of the process; ends in SystemExit."""
    seldom_collected()
    keep_memory()
    try:
        app(args=None if arguments is None else list(arguments), prog_name="grpo-symbolic")
    finally:
        # The system takes everything back at once: to look for garbage once more would take longer.
        gc.freeze()
