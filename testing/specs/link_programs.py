"""C of scenarios: a program that executes each action by itself, and one for the analyser, with a handler for each."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from testing.specs import allowed, generate, running
from testing.specs.link_traces import Trace, parse
from testing.specs.links import MADE, Action, Library, Scenario, scenarios

HERE = Path(__file__).parent
# Vectors wider than 16 bytes read much that is not asked for.
_NARROW = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-AVX512F,-AVX,-ERMS", "OPENSSL_ia32cap": "0"}


def _declarations(scenario: Scenario) -> list[str]:
    lines = [f"static __typeof__({v.type}) {scenario.name}_{v.name};" for v in scenario.variables]
    if any(v.name == "called" for v in scenario.variables):
        lines.append(f"#define called {scenario.name}_called")
        lines += scenario.callbacks
        lines.append("#undef called")
    else:
        lines.append("#define called ((char *)NULL)")
        lines += scenario.callbacks
        lines.append("#undef called")
    lines += [f"static __typeof__({kind}) {name};" for name, kind, _ in scenario.link_own]
    return lines


def _set_up(scenario: Scenario, needed: frozenset[str] | None = None) -> list[str]:
    lines = []
    for variable in scenario.variables:
        if variable.maker and (needed is None or variable.name in needed or scenario.link):
            maker = generate.labelled(variable.maker, variable.name)
            lines.append(f"{variable.before} {scenario.name}_{variable.name} = (__typeof__({variable.type}))({maker});")
    if scenario.link:
        inner = [f"{name} = {expression};" for name, _, expression in scenario.link_own]
        result = any(v.name == "r" for v in scenario.variables)
        call = f"{scenario.name}_r = {scenario.link}" if result else scenario.link
        before = scenario.link_before if any(MADE.search(line) for line in inner) else ""
        lines += ["{", before, *inner, f"{call};", "}"]
        if result:
            lines.append(f'NEED({scenario.name}_r); object("r", (void *){scenario.name}_r);')
    return lines


def _action(action: Action) -> tuple[list[str], list[str], str]:
    """Declarations, what comes before, and the call."""
    declared = [f"static __typeof__({kind}) {name};" for name, kind, _ in action.own]
    before = [action.before, *(f"{name} = {expression};" for name, _, expression in action.own)]
    return (
        declared,
        before,
        f"(void){action.call};" if not action.call.startswith(("peek", "poke")) else f"{action.call};",
    )


_ACCESSES = """
static void peek(volatile char *place) { (void)*place; }
static void poke(volatile char *place) { *place = *place; }
"""


def traced_program(library: Library, all_scenarios: Iterable[Scenario]) -> str:
    parts = [f'#include "testing/specs/links.h"\n#include "{library.header}"\n', _ACCESSES]
    if library.harness.name == "libevent":  # the library locks what its programs may share
        parts.append("__attribute__((constructor)) static void lock_bases(void) { evthread_use_pthreads(); }")
    rows = []
    for scenario in all_scenarios:
        name = scenario.name
        parts += _declarations(scenario)
        parts.append(f"static void {name}_set_up(void) {{\n  " + "\n  ".join(_set_up(scenario)) + "\n}")
        table = []
        for number, action in enumerate(scenario.actions):
            declared, before, call = _action(action)
            parts += declared
            parts.append(f"static void {name}_p{number}(void) {{ {' '.join(before)} }}")
            parts.append(f"static void {name}_r{number}(void) {{ {call} }}")
            table.append(f'{{"{number}", {name}_p{number}, {name}_r{number}}}')
        parts.append(f"static const struct link_action {name}_actions[] = {{{', '.join(table)}}};")
        rows.append(f'{{"{name}", {name}_set_up, {name}_actions, {len(table)}}}')
    parts.append(f"const struct link_scenario kScenarios[] = {{{', '.join(rows)}}};")
    parts.append("const size_t kScenarioCount = sizeof kScenarios / sizeof kScenarios[0];\n")
    return "\n".join(parts)


def analysed_program(scenario: Scenario, chosen: Iterable[int]) -> str:
    """Handlers h0, h1, ... make the chosen actions."""
    parts = [_ACCESSES, *_declarations(scenario)]
    main = ["struct event_base *loop = event_base_new();", *_set_up(scenario)]
    for number in chosen:
        declared, before, call = _action(scenario.actions[number])
        parts += declared
        parts.append(f"static struct event e{number};")
        parts.append(f"static void h{number}(int fd, short what, void *argument) {{ {call} }}")
        main.append("{ " + " ".join(before) + " }")
        main.append(f"event_assign(&e{number}, loop, -1, EV_PERSIST, h{number}, NULL); event_add(&e{number}, NULL);")
    main.append("event_base_dispatch(loop);")
    parts.append("int main(void) {\n  " + "\n  ".join(main) + "\n  return 0;\n}\n")
    return "\n".join(parts)


def build(library: Library, chosen: Callable[[list[Scenario]], list[Scenario]], folder: Path) -> list[Scenario]:
    """Writes and compiles the program that executes the chosen scenarios, as FOLDER/NAME; what the installed library
    does not have is left out."""
    name = library.harness.name
    libraries = [f"-l{one}" for one in (*library.harness.libraries, "capstone") if running.linked(one)]
    for _ in range(3):
        wanted = chosen(list(scenarios(library)))
        (folder / f"{name}.c").write_text(traced_program(library, wanted))
        command = [*running.COMPILER, "-o", folder / name, folder / f"{name}.c", HERE / "links.c", *libraries]
        words = [str(word) for word in (*command, "-lm", "-lpthread", "-ldl")]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return wanted
        missing = running.undefined(done.stderr) & library.functions.keys()
        if not missing:
            errors = [line for line in done.stderr.splitlines() if "error:" in line or "undefined" in line]
            raise RuntimeError("\n".join(errors[:60]))
        for function in missing:
            library.why_not[function] = "the installed library does not have it"
            del library.functions[function]
    raise RuntimeError("the linker misses other functions each time")


def run(library: Library, folder: Path, steps: int) -> dict[str, dict[int, Trace]]:
    """`steps`: how many instructions of each action are watched."""
    place = folder / f"run-{library.harness.name}"
    place.mkdir(exist_ok=True)
    surroundings = {"PATH": os.environ["PATH"], "LD_BIND_NOW": "1", "HOME": str(place), "LC_ALL": "C.UTF-8", **_NARROW}
    said = folder / f"{library.harness.name}.said"
    with said.open("wb") as file:
        subprocess.run(
            [folder / library.harness.name, place, str(steps)], stdout=file, env=surroundings, cwd=place, check=True
        )
    places = {name for rule in allowed.read(HERE / "allowed.txt").rules if rule.said == "place" for name in rule.names}
    return parse(said.read_text(errors="replace"), places)


def without_a_trace(
    library: Library, wanted: Iterable[Scenario], traces: Mapping[str, Mapping[int, Trace]]
) -> dict[str, str]:
    """Functions of which no action came to its end, with what came of it."""
    done: set[str] = set()
    troubles: dict[str, str] = {}
    for scenario in wanted:
        for number, trace in traces.get(scenario.name, {}).items():
            function = scenario.actions[number].function
            if trace.finished and not trace.trouble:
                done.add(function)
            else:
                troubles[function] = trace.trouble or "it ended its process"
    return library.why_not | {name: why for name, why in troubles.items() if name and name not in done}
