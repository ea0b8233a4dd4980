"""`heddle analyze`: which handlers of a program conflict, on what, and by which path."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from heddle.analysis.analyser import Analysis
    from heddle.report.views import Question

_HELP = """Find the event handlers of a program, and which of them must not run at the same time.

Reads the bitcode that heddle build left in the program, or .bc and .ll files, or C and C++ files. Prints a report and
writes PROGRAM.constraints.json beside the program, where heddle run finds it. Given such a file instead of a program,
it reports without analysing again.

Exit codes: 0 done, 1 a conflict that --fail-on asks about, 2 bad input.

Example: heddle analyze ./server

Example: heddle analyze ./server --why on_read on_write

Example: heddle analyze --assume files-apart,streams-unordered ./server

Example: heddle analyze server.constraints.json --html server.html

Example: heddle analyze ./server --baseline released.constraints.json --fail-on new
"""


def register(app: typer.Typer) -> None:
    app.command("analyze", help=_HELP, short_help="Say which handlers conflict, on what, and why.")(analyze)


def analyze(
    inputs: Annotated[
        list[str],
        typer.Argument(metavar="PROGRAM|FILE.bc|FILE.c|CONSTRAINTS.json...", help="What to analyse."),
    ],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print data: the constraints document, or the answer to a question below.")
    ] = False,
    why: Annotated[
        tuple[str, str] | None, typer.Option(metavar="A B", help="Everything about this pair of handlers.")
    ] = None,
    about_object: Annotated[
        str | None, typer.Option("--object", metavar="NAME", help="Who touches this object, and how.")
    ] = None,
    about_handler: Annotated[
        str | None, typer.Option("--handler", metavar="NAME", help="With whom this handler conflicts.")
    ] = None,
    causes: Annotated[bool, typer.Option("--causes", help="The causes alone, each with its remedy.")] = False,
    unknown: Annotated[bool, typer.Option("--unknown", help="What is not known, and what it costs.")] = False,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write one page for a browser.")] = None,
    sarif: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write SARIF 2.1.0, for code review tools.")
    ] = None,
    baseline: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Report only what this constraints document does not have.")
    ] = None,
    suppressions: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Leave out what this file (TOML, with reasons) lists.")
    ] = None,
    fail_on: Annotated[
        str | None, typer.Option(metavar="new", help="End with code 1 if there is a conflict left to report.")
    ] = None,
    sources: Annotated[
        list[Path] | None, typer.Option(metavar="FOLDER", help="Look for source files there too.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write the constraints there.")
    ] = None,
    all_of_it: Annotated[bool, typer.Option("--all", help="Leave nothing out of the report.")] = False,
    cflags: Annotated[str, typer.Option(metavar="FLAGS", help="For C files, such as '-Iinclude -DX=1'.")] = "",
    spec: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="What functions without bitcode do, in YAML (elyze/specs/README.md)."),
    ] = None,
    assume: Annotated[
        str,
        typer.Option(
            metavar="NAME,...",
            help="Take for granted. files-apart: each opening of a file is of another file; "
            "streams-unordered: what handlers print may interleave.",
        ),
    ] = "",
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="Atomic accesses conflict as plain ones do, and so does each print, each use of a socket, and each "
            "call that opens or closes a descriptor.",
        ),
    ] = False,
    use_cache: Annotated[
        bool, typer.Option("--cache/--no-cache", help="Use the last analysis again where it still holds.")
    ] = True,
) -> None:
    import gc
    import json
    import sys

    from heddle import interruption
    from heddle.documents import constraints
    from heddle.errors import BadInputError
    from heddle.explain import review
    from heddle.explain.sources import Sources
    from heddle.output import terminal
    from heddle.output.layout import plural, some
    from heddle.report import views

    if fail_on not in (None, "new"):
        raise BadInputError(f"--fail-on {fail_on} is not known", "the one choice is --fail-on new")
    asked = [
        question
        for question in (
            views.Pair(*why) if why else None,
            views.Object(about_object) if about_object is not None else None,
            views.Handler(about_handler) if about_handler is not None else None,
            views.Causes() if causes else None,
            views.Unknown() if unknown else None,
        )
        if question is not None
    ]
    if len(asked) > 1:
        raise BadInputError(
            "several questions at once", "ask --why, --object, --handler, --causes and --unknown singly"
        )
    question: Question = asked[0] if asked else views.Report()
    interruption.as_exception()
    gc.disable()  # a large document is a million objects that live as long as this process
    old = constraints.load(baseline) if baseline is not None else None
    done = _analysis(inputs, cflags, output, spec or [], use_cache, _assumed(assume, strict))
    if done.libraries:
        taken = ", ".join(f"{library.name} ({plural(library.modules, 'source file')})" for library in done.libraries)
        sys.stderr.write(f"heddle: with the bitcode of {taken}\n")
    for name, reason in done.left_out:
        sys.stderr.write(f"heddle: {name} is taken for a library without bitcode: {reason}\n")
    if done.without_bitcode:
        names = some(done.without_bitcode, 4)
        sys.stderr.write(
            f"heddle: {plural(len(done.without_bitcode), 'function')} without bitcode ({names}), "
            "taken for a library's: compile everything with heddle build\n"
        )
    found = done.constraints
    folders = [*(sources or ()), *dict.fromkeys(Path(name).absolute().parent for name in inputs), Path.cwd()]
    made = min(Path(name).stat().st_mtime for name in inputs if Path(name).exists()) if done.built else None
    source_lines = Sources(folders, made)
    # Which conflicts are new takes time on a large document, and is asked for seldom.
    asked_for = (suppressions, baseline, fail_on, sarif) != (None,) * 4
    reviewed = review.review(found, suppressions, baseline, old) if asked_for else review.EVERYTHING
    subject = views.Subject(found, source_lines, reviewed)
    written = views.write(subject, html, sarif)
    if as_json:
        json.dump(question.data(subject), sys.stdout, indent=1)
        sys.stdout.write("\n")
    else:
        lines = question.text(subject, terminal.width(), terminal.palette(sys.stdout), all_of_it)
        sys.stdout.write("\n".join(lines) + "\n")
        sys.stdout.write("".join(f"\nWritten to {file}\n" for file in written))
        if not asked and done.fresh and found.build_id != "none":
            _say_what_is_next(done, inputs[0], output)
    if source_lines.changed:
        names = some(source_lines.changed, 4)
        sys.stderr.write(f"heddle: newer than what was analysed, so that no lines are shown: {names}\n")
    if fail_on == "new" and subject.review.new:
        raise typer.Exit(1)


def _assumed(names: str, strict: bool) -> tuple[str, ...]:
    """The options of the analyser."""
    from heddle.errors import BadInputError

    given = [name for name in names.split(",") if name]
    for name in given:
        if name not in ("files-apart", "streams-unordered"):
            raise BadInputError(f"--assume {name} is not known", "the choices are files-apart and streams-unordered")
    if strict and given:
        raise BadInputError("--assume and --strict ask for opposite things", "give one of them")
    return ("--strict",) if strict else tuple(part for name in given for part in ("--assume", name))


def _analysis(
    inputs: list[str], cflags: str, output: Path | None, specs: list[Path], use_cache: bool, assumed: tuple[str, ...]
) -> "Analysis":
    import shlex

    from heddle.analysis import analyser
    from heddle.errors import BadInputError

    if not any(name.endswith(".json") for name in inputs):
        return analyser.analyze(inputs, shlex.split(cflags), output, specs, use_cache, assumed)
    if assumed:
        raise BadInputError(f"{inputs[0]} is a document already", "give --assume and --strict with the program")
    if len(inputs) > 1:
        raise BadInputError("several files, one of them a document", "name one constraints document, or a program")
    if output is not None:
        raise BadInputError(f"{inputs[0]} is a document already", "leave -o out")
    return analyser.read(Path(inputs[0]))


def _say_what_is_next(done: "Analysis", name: str, output: Path | None) -> None:
    import sys

    from heddle.system import places

    program = name if "/" in name else f"./{name}"
    option = f"--constraints {output} " if output is not None else ""
    sys.stdout.write(f"\nWritten to {done.written_to}; next: {places.command()} run {option}{program}\n")
