"""A worker has no effect: whatever a region tries, nothing is written, sent, started or ended.

The transform proves regions free of effects; what is tested here is the second lock, with regions that no proof
would let through: hand-made programs given to a real worker. A canary folder, a listening socket, the streams and
the exit code of the process tell whether any of them got through. A third look is at regions that the transform does
let through, over the whole corpus: none of them may ever run into that lock.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from testing.node.mutants import mutated
from testing.node.node_runs import HERE, MAIN_VERSION, PACKAGE, VERSIONS, environment, node, run
from testing.node.test_node_corpus import CORPUS, PROGRAMS

# Each would be an effect, or would learn what is not the same at home. CANARY and PORT are put in.
ATTEMPTS = {
    "process": "process.exit(3)",
    "process kill": "process.kill(process.pid)",
    "global process": "globalThis.process.abort()",
    "environment": "process.env.PATH",
    "write": "process.stdout.write('escaped')",
    "console": "console.log('escaped')",
    "require": "require('fs').writeFileSync('CANARY', 'x')",
    "built-in module": "process.getBuiltinModule('fs').writeFileSync('CANARY', 'x')",
    "import": "import('node:fs').then((fs) => fs.writeFileSync('CANARY', 'x'))",
    "connect": "fetch('http://127.0.0.1:PORT')",
    "web socket": "new WebSocket('ws://127.0.0.1:PORT')",
    "spawn": "require('child_process').execSync('touch CANARY')",
    "timer": "setTimeout(() => {}, 1)",
    "interval": "setInterval(() => {}, 1)",
    "immediate": "setImmediate(() => {})",
    "microtask": "queueMicrotask(() => {})",
    "message": "postMessage('escaped')",
    "function from text": "new Function('return process')().exit(3)",
    "function by constructor": "(() => {}).constructor('return process')().exit(3)",
    "async function by constructor": "(async () => {}).constructor('return process')()",
    "generator by constructor": "(function* () {}).constructor('return process')().next()",
    "async generator by constructor": "(async function* () {}).constructor('return process')().next()",
    "constructor of a literal": "[]['constructor']['constructor']('return process')().exit(3)",
    "constructor of a guard": "guards.key.constructor('return process')().exit(3)",
    "clock": "Date.now()",
    "date": "new Date().getTime()",
    "date as a function": "Date()",
    "monotonic clock": "performance.now()",
    "random": "Math.random()",
    "random bytes": "crypto.getRandomValues(new Uint8Array(1))[0]",
    "function text": "(function f() {}).toString()",
    "function text by concatenation": "String(() => 1)",
    "shared memory": "new SharedArrayBuffer(8).byteLength",
    "waiting": "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)",
    "web assembly": "new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])) && 1",
    "navigator": "navigator.hardwareConcurrency",
    "structured clone": "structuredClone([1])",
    "channel": "new MessageChannel() && 1",
    "broadcast": "new BroadcastChannel('x').postMessage(1)",
    "text codec": "new TextEncoder().encode('x').length",
    "buffer": "Buffer.from('x').length",
    "abort signal": "AbortSignal.timeout(1) && 1",
    "event": "new EventTarget() && 1",
    "collection": "gc()",
    "module scope": "module.exports",
    "file name": "__filename",
    "endless recursion": "(function f() { return f() + 1; })()",
    "dangerous key": "[1][guards.key('constructor')] && 1",
    "prototype key": "({})[guards.key('__proto__')] && 1",
    "symbol key": "({})[guards.key(Symbol.iterator)] ?? 1",
}
FINE = {
    "arithmetic": ("(guards) => (n) => { let s = 0; for (let i = 0; i < n; i++) s += i; return s; }", [10], "[ 45 ]"),
    "fresh object": ("(guards) => (n) => ({ list: [n, -0] })", [1], "[ { list: [ 1, -0 ] } ]"),
}
# Results that home must not get, by the mutant of the check that keeps them back (mutants.py).
KEPT_BACK = {
    "aborted": ("(guards) => (n) => { try { Math.random(); } catch {} return 5; }", [1]),
    "changed-arguments": ("(guards) => (list) => { list.push(1); return list.length; }", [[1, 2]]),
    "shared-results": ("(guards) => (list) => list", [[1, 2]]),
}


def ask(version: int, cases: list[dict[str, Any]], package: Path = PACKAGE, folder: Path | None = None) -> Any:  # noqa: ANN401 - JSON
    done = subprocess.run(
        [node(version), HERE / "region_worker.mjs", package / "dist"],
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        check=False,
        timeout=110,
        cwd=folder,
        env=environment(version, None),
    )
    assert done.returncode == 0, f"a region ended the process with {done.returncode}: {done.stdout}{done.stderr}"
    assert done.stderr == "", f"a region wrote to standard error: {done.stderr}"
    return json.loads(done.stdout)


@pytest.mark.parametrize("version", VERSIONS)
def test_no_attempt_at_an_effect_succeeds(version: int, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        cases = []
        for name, code in ATTEMPTS.items():
            text = code.replace("CANARY", str(canary)).replace("PORT", port)
            # Caught, so that only what the worker itself holds against it counts; and uncaught.
            cases.append({"name": name, "program": f"(guards) => () => {{ return {text}; }}"})
            cases.append(
                {
                    "name": f"{name}, caught",
                    "program": f"(guards) => () => {{ try {{ {text}; }} catch {{}} return 7; }}",
                }
            )
        cases += [{"name": name, "program": program, "args": args} for name, (program, args, _) in FINE.items()]
        said = ask(version, cases, folder=tmp_path)
        listener.settimeout(0)
        with pytest.raises(BlockingIOError):
            listener.accept()
    results = {one["name"]: one["result"] for one in said["results"]}
    assert not canary.exists()
    assert list(tmp_path.iterdir()) == []
    for name, (_, _, expected) in FINE.items():
        assert results[name] == expected, f"{name}: {results[name]}; the worker does not work"
    given = {name: value for name, value in results.items() if name in ATTEMPTS and value is not None}
    assert given == {}, f"home would have got results of these: {given}"


@pytest.mark.parametrize("name", KEPT_BACK)
def test_a_result_is_kept_back_and_would_not_be_without_the_check(name: str, tmp_path: Path) -> None:
    program, args = KEPT_BACK[name]
    case = {"name": name, "program": program, "args": args}
    assert ask(MAIN_VERSION, [case])["results"][0]["result"] is None
    assert ask(MAIN_VERSION, [case], mutated(name, tmp_path))["results"][0]["result"] is not None


def trespasses(path: Path, args: tuple[str, ...], stdin: str, folder: Path) -> list[str]:
    report = folder / f"{path.name}.report"
    run(MAIN_VERSION, {"HEDDLE_REPORT": str(report)}, [path, *args], folder=CORPUS, stdin=stdin)
    if not report.exists() or report.read_text()[:1] != "{":
        return []  # ended by a signal, before anything ran, or JSON is what the program has replaced
    sites = json.loads(report.read_text())["sites"]
    said = [(site["name"], site.get("failure") or " ".join(site.get("reasons", []))) for site in sites]
    words = ("only the main thread may do", "Blocked", "is not defined", "changed its arguments", "RegionAborted")
    # The text does not tell what is a Buffer, an exception that only home may catch, or a number: the worker looks.
    foreseen = ("a region asked for the", "a region caught a", "a region adds what is not")
    judged = [(name, why) for name, why in said if not any(word in why for word in foreseen)]
    return [f"{path.name}: {name}: {why}" for name, why in judged if any(word in why for word in words)]


@pytest.mark.timeout(300)
def test_no_region_of_the_corpus_runs_into_the_lock(tmp_path: Path) -> None:
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        asked = [item for item in PROGRAMS if item.oldest <= MAIN_VERSION]
        found = list(pool.map(lambda item: trespasses(item.path, item.args, item.stdin, tmp_path), asked))
    assert list(tmp_path.iterdir()), "no program left a report"
    assert [line for lines in found for line in lines] == []
