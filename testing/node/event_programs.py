"""Random event-driven Node.js programs, each reproducible from its seed.

A program has state (numbers, strings, arrays, objects, counters, closures over shared variables), functions that
read or write it or nothing, and events that call them. Its phases run one after the other: immediates, timers that
are all overdue, timers that make timers, promises, emitters, requests on one connection. Within a phase the order of
events is the program's own, never that of the clock: a phase has timers of one length only, or of growing lengths and
nothing else. After an exception in a timer, node runs the timers that were due when it began before the microtasks
that are left, and the others after them; so all timers are due before anything throws, or nothing throws. Whatever
happens is printed, at the end with all state.

What is generated on purpose, because a run-ahead engine might get it wrong: values that change between the moment an
event is made and the moment it runs, closures that share a variable, counters that are reset, exceptions in the
middle of writes, microtasks made in loops, results that alias arguments, getters, proxies, frozen objects, patched
built-ins, reassigned functions, -0 and NaN, text that looks like a number, BigInt, holes, deep and endless
recursion.
"""

# ruff: noqa: E501 - lines of JavaScript

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from testing.node.program_expressions import Function, Scope
from testing.node.program_statements import Builder, Event

# How a program ends: `batch` ones can share a process with others, the rest need one of their own.
ENDINGS = ("batch", "hostile", "exit", "uncaught", "rejection")
MOST_CALLS = 12
PRELUDE = """\
const { inspect } = require('node:util');
const say = (...words) => console.log(words.map((w) => (typeof w === 'string' ? w : inspect(w, { depth: 6 }))).join(' '));
// Where a stack overflows differs from run to run; its end is cut off where frames of Heddle's were among the ten.
const trouble = (e) => /call stack/.test(e?.message) ? say(e.name, e.message) : say(e?.name, e?.message, e?.stack?.split('\\n').filter((l) => l.includes('seed_')).slice(0, 4).map((l) => l.slice(l.lastIndexOf('seed_'))).join(' '));
function spend(ms) { const end = performance.now() + ms; while (performance.now() < end); }
let pending = 0;
let nextPhase;
function settle() { if (--pending === 0) setTimeout(nextPhase, 1); }
function guarded(event) { return (...args) => { try { event(...args); } catch (e) { trouble(e); settle(); } }; }"""
ESM_PRELUDE = "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\n"


@dataclass
class Program:
    seed: int
    text: str
    ending: str
    module: bool

    @property
    def file(self) -> str:
        return f"seed_{self.seed}.{'mjs' if self.module else 'cjs'}"


# -- the parts of a program -------------------------------------------------------------------------------------------


def _state(make: Builder) -> None:
    for name in make.numbers:
        make.put(0, f"let {name} = {make.literal()};")
    for name in make.counters:
        make.put(0, f"let {name} = {make.pick(('0', '0', '0', '5', '0.5', 'Number.MAX_SAFE_INTEGER - 20', '-0'))};")
    for name in make.texts:
        make.put(0, f"let {name} = '{make.pick(('', 'a', '12', 'text', 'é😀'))}';")
    for name in make.lists:
        items = ", ".join(make.literal() for _ in range(make.rng.randint(0, 6)))
        make.put(0, f"let {name} = [{items}];")
    for name in make.objects:
        make.put(
            0,
            f"const {name} = {{ x: {make.literal()}, y: {make.literal()}, list: [{make.literal()}, 2], deep: {{ n: 1 }} }};",
        )
    for name in make.constants:
        make.put(0, f"const {name} = {make.pick((make.literal(), 'Number(process.versions.node.length > 0) + 6'))};")
    make.put(0, "const frozen = Object.freeze([1, 2, 3]);")
    make.put(0, "const typed = Uint8Array.of(9, 8, 7, 6);")
    make.put(0, "const getter = { reads: 0, get value() { return ++this.reads; } };")
    make.put(
        0,
        "const trap = new Proxy({ x: 1 }, { get: (t, k) => (say('get', String(k)), t[k]), has: (t, k) => (say('has', String(k)), k in t) });",
    )
    make.put(
        0,
        "class Counted { constructor(n) { this.n = n; } step(k) { for (let i = 0; i < k; i++) this.n = (this.n * 3 + i) % 1009; return this; } }",
    )
    make.put(0, "let big = 1n, budget = 12, ended = 0;")
    make.put(0, "const kept = [];")
    make.put(0, "const saved = { max: Math.max, map: Array.prototype.map, Math };")
    make.put(0, "let again = setImmediate;")
    make.put(0, "function endless(n) { return endless(n + 1) + 1; }")
    make.put(0, "function steep(n) { return n > 0 ? (steep(n - 1) + n) % 1013 : 0; }")


def _function(make: Builder, name: str, level: int) -> None:
    params = tuple(make.pick(("nn", "n", "nl", "ln", "ns", "l", "no", "nnl")))
    scope = Scope(level=level, returns=True, may_throw=make.chance(0.3), owner=name)
    names = [f"{kind}{index}" for index, kind in enumerate(params)]
    for kind, one in zip(params, names, strict=True):
        scope.add(kind, one, mutable=kind != "l" and kind != "o")
    body = scope.nested()
    strict = "'use strict'; " if make.chance(0.15) else ""
    head = ", ".join(
        one + (" = 3" if make.chance(0.08) and kind == "n" else "") for kind, one in zip(params, names, strict=True)
    )
    word = make.pick(("named", "function", "function", "function", "const", "let"))
    if "=" in head:
        strict = ""
    if word == "function":
        make.put(0, f"function {name}({head}) {{ {strict}")
    elif word == "const":
        make.put(0, f"const {name} = ({head}) => {{ {strict}")
    elif word == "let":
        make.put(0, f"let {name} = function ({head}) {{ {strict}")
    else:
        make.put(0, f"const {name} = function own({head}) {{ {strict}")
        make.named.append(name)
    if not make.swappable and word in {"function", "let"} and make.chance(0.3) and "use strict" not in strict:
        make.swappable = name
    first = len(make.lines)
    if make.chance(0.85):
        make.loop(body, 1)
    for _ in range(make.rng.randint(0, 3)):
        if word == "named":
            _own_property(make, body)
        make.statement(body, 1)
    recursive = level < 3 and params[0] == "n" and make.chance(0.12)
    if recursive:
        rest = ", ".join(names[1:])
        # It counts down the value that it was called with: the statements above may change `n`, and it would never end.
        make.put(
            1,
            f"if (came > 0 && came < 9) return {name}(Math.floor(came) - 1{', ' + rest if rest else ''}) + {make.number(body)};",
        )
        make.lines.insert(first, "  const came = n0;")
    make.put(1, f"return {make.result(body)};")
    make.put(0, "}" if word == "function" else "};")
    cost = (make.spent + 30) * (9 if recursive else 1)
    make.spent = 0
    text = "\n".join(make.lines[first:])
    called = [function for function in make.functions if f"{function.name}(" in text]
    reaches = frozenset(function.name for function in called).union(*(function.reaches for function in called))
    make.functions.append(Function(name, params, cost, reaches))


def _own_property(make: Builder, body: Scope) -> None:
    """What a function that has a name inside of itself does with properties of its own."""
    make.put(
        1,
        make.pick(
            (
                "own.calls = (own.calls ?? 0) + 1;",
                f"for (let own0 = 0; own0 < 20; own0++) own.sum = ((own.sum ?? 0) + own0 + {make.number(body)}) % 1013;",
                f"(own.list ??= []).push({make.number(body)});",
                "const {0} = own; for (const one of [1, 2, 3]) {0}['k' + one] = ({0}.k1 ?? 0) + one;".format(
                    body.fresh("q")
                ),
                f"if ({make.condition(body)}) delete own.calls; else own.last = {make.number(body)};",
                "if (own.length + Object.keys(own).length > 8) return own.calls ?? own.name.length;",
            )
        ),
    )


def _closures(make: Builder) -> None:
    make.put(0, "function account(start) {")
    make.put(1, "let shared = start, calls = 0;")
    make.put(
        1,
        "function grow(n) { let s = 0; for (let i = 0; i < (n & 31); i++) s = (s * 5 + shared + i) % 1013; calls++; return s; }",
    )
    make.put(
        1,
        "const add = (n) => { let s = 0; for (let i = 0; i < 9; i++) s += (n * i) % 7; shared += s; return shared; };",
    )
    make.put(
        1, "const pure = (n) => { let s = n; for (let i = 0; i < 20; i++) s = (s * 13 + start) % 1009; return s; };"
    )
    make.put(1, "return { grow, add, pure, set: (n) => (shared = n), calls: () => calls };")
    make.put(0, "}")
    for name in make.instances:
        make.put(0, f"{make.pick(('const', 'const', 'let'))} {name} = account({make.literal()});")
        for method in ("grow", "add", "pure"):
            make.functions.append(Function(f"{name}.{method}", ("n",), 60))


def _event(make: Builder, name: str) -> None:
    params = tuple(make.pick(("nn", "n", "nl", "ln", "no", "n")))
    scope = Scope(level=4, may_throw=make.chance(0.2), owner=name)
    names = [f"{kind}{index}" for index, kind in enumerate(params)]
    for kind, one in zip(params, names, strict=True):
        scope.add(kind, one, mutable=True)
    make.put(
        0,
        f"{make.pick(('', '', 'async ')) if make.ending == 'batch' and not scope.may_throw else ''}function {name}({', '.join(names)}) {{",
    )
    is_async = make.lines[-1].startswith("async")
    if is_async:
        make.put(1, "try {")
    if make.chance(0.3):
        make.put(1, f"spend({make.pick((0.2, 0.5, 1))});")
    if make.ending == "hostile":
        make.hostile(scope, 1)
    for _ in range(make.rng.randint(2, 5)):
        make.statement(scope, 1)
        if is_async and make.chance(0.3):
            make.put(1, "await null;")
        make.spent = 0
    make.report(scope, 1)
    make.put(1, "settle();" if not is_async else "} catch (caught) { trouble(caught); }")
    if is_async:
        make.put(1, "settle();")
    make.put(0, "}")
    make.events.append(Event(name, params))


def _calls(make: Builder, scheduler: str, delays: Callable[[int], str], wrap: str = "") -> None:
    scope = Scope(level=4, owner="main")
    # Often the same few events again and again, as servers have them: that is what can be predicted.
    favourites = make.rng.sample(make.events, k=min(2, len(make.events)))
    for index in range(make.rng.randint(4, MOST_CALLS)):
        event = make.pick(favourites) if make.chance(0.7) else make.pick(make.events)
        args = [str(index) if kind == "n" and make.chance(0.5) else make.value(kind, scope) for kind in event.params]
        called = f"{wrap}({event.name})" if wrap else event.name
        words = ", ".join([called, *([delays(index)] if delays(index) else []), *args])
        if make.chance(0.06):
            clear = "clearImmediate" if scheduler == "setImmediate" else "clearTimeout"
            make.put(1, f"pending++, {clear}({scheduler}({words})), setImmediate(settle);")
        else:
            make.put(1, f"pending++, {scheduler}({words});")


def _phases(make: Builder) -> None:
    kinds = [
        make.pick(("immediates", "immediates", "equal", "guarded", "growing", "emitter", "promises", "requests"))
        for _ in range(make.rng.randint(2, 4))
    ]
    if make.ending != "batch":
        kinds = [kind for kind in kinds if kind != "requests"] or ["immediates"]
    make.put(0, "const phases = [];")
    for kind in kinds:
        make.put(0, "phases.push(() => {")
        make.put(1, f"say('phase {kind}');")
        if kind == "immediates":
            make.put(1, "again = (f, ...args) => (pending++, setImmediate(f, ...args));")
            _calls(make, "setImmediate", lambda _: "")
        elif kind in {"equal", "guarded", "growing"}:
            delay = int(make.pick(("1", "3")))
            delays = [1 + 2 * index if kind == "growing" else delay for index in range(MOST_CALLS)]
            all_due = f"spend({delays[-1] + 2});"
            wrap = "guarded" if kind == "guarded" else ""
            more = f"setTimeout(guarded(f), {delay}, ...args)" if wrap else "setImmediate(f, ...args)"
            make.put(1, f"again = (f, ...args) => (pending++, {more});")
            make.put(1, "try {")
            _calls(make, "setTimeout", lambda index, delays=delays: str(delays[index]), wrap)
            make.put(1, f"}} catch (e) {{ {all_due} throw e; }}" if wrap else f"}} finally {{ {all_due} }}")
        elif kind == "emitter":
            make.put(1, "again = (f, ...args) => (pending++, setImmediate(f, ...args));")
            make.put(1, "const bus = new (require('node:events'))();")
            event = make.pick(make.events)
            args = ", ".join(make.value(kind, Scope(level=4, owner="bus")) for kind in event.params)
            make.put(1, f"bus.on('go', {event.name});")
            make.put(1, f"for (let i = 0; i < 4; i++) pending++, setImmediate(() => bus.emit('go', {args}));")
        elif kind == "promises":
            make.put(
                1,
                "again = (f, ...args) => (pending++, queueMicrotask(() => { try { f(...args); } catch (e) { trouble(e); settle(); } }));",
            )
            make.put(1, "pending++;")
            make.put(1, "(async () => {")
            for _ in range(make.rng.randint(2, 5)):
                event = make.pick(make.events)
                args = ", ".join(make.value(kind, Scope(level=4, owner="chain")) for kind in event.params)
                make.put(2, f"pending++; try {{ await {event.name}({args}); }} catch (e) {{ trouble(e); settle(); }}")
            make.put(1, "})().then(settle);")
        else:
            _requests(make)
        make.put(0, "});")


def _requests(make: Builder) -> None:
    scope = Scope(level=2, owner="server")
    make.put(1, "again = () => {};")
    make.put(1, "pending++;")
    make.put(1, "const server = require('node:http').createServer((req, res) => {")
    make.put(2, "const n0 = Number(req.url.slice(1));")
    scope.add("n", "n0", mutable=False)
    make.put(2, "let answer;")
    make.put(2, "try {")
    for _ in range(2):
        make.write_state(scope, 3)
    make.put(3, f"answer = {make.call(scope) or 'n0'};")
    make.put(2, "} catch (e) { answer = e.message; }")
    make.put(2, "res.sendDate = false;")
    make.put(2, "res.end(inspect(answer) + 'END');")
    make.put(1, "});")
    make.put(1, "server.listen(0, '127.0.0.1', () => {")
    make.put(2, "const socket = require('node:net').connect(server.address().port, '127.0.0.1');")
    count = make.rng.randint(2, 8)
    make.put(2, f"let text = '', left = {count};")
    make.put(
        2,
        "const ask = () => socket.write(`GET /${--left} HTTP/1.1\\r\\nHost: x\\r\\n${left ? '' : 'Connection: close\\r\\n'}\\r\\n`);",
    )
    make.put(
        2, "socket.setEncoding('utf8').on('data', (d) => { text += d; if (left && text.endsWith('END')) ask(); });"
    )
    make.put(2, "socket.on('close', () => { say(text.replaceAll('\\r', '')); server.close(settle); });")
    make.put(2, "ask();")
    make.put(1, "});")


def generate(seed: int) -> Program:
    """The program of a seed."""
    rng = random.Random(seed)
    ending = rng.choices(ENDINGS, (84, 7, 3, 3, 3))[0]
    module = rng.random() < 0.25
    make = Builder(rng=rng, ending=ending)
    strict = not module and rng.random() < 0.3
    make.put(0, PRELUDE)
    _state(make)
    _closures(make)
    for index in range(rng.randint(2, 4)):
        _function(make, f"p{index}", 0)
    for index in range(rng.randint(1, 3)):
        _function(make, f"t{index}", 1)
    for index in range(rng.randint(1, 3)):
        _function(make, f"w{index}", 2)
    for index in range(rng.randint(0, 2)):
        _function(make, f"x{index}", 3)
    for index in range(rng.randint(2, 5)):
        _event(make, f"e{index}")
    _phases(make)
    state = [*make.numbers, *make.counters, *make.texts, *make.lists, *make.objects]
    state += [f"Object.entries({name})" for name in make.named]
    make.put(
        0,
        f"function dump() {{ say('state', {', '.join(state)}, kept, big, getter.reads, {', '.join(name + '.calls()' for name in make.instances)}); }}",
    )
    make.put(0, "function run(finished) {")
    if ending in {"batch", "hostile"}:
        make.put(1, "const handler = (e, origin) => { say(origin); trouble(e); settle(); };")
        make.put(1, "process.on('uncaughtException', handler);")
    make.put(1, "nextPhase = () => {")
    make.put(2, "const phase = phases.shift();")
    make.put(2, "if (phase) return phase();")
    make.put(2, "dump();")
    if ending in {"batch", "hostile"}:
        make.put(2, "process.off('uncaughtException', handler);")
    make.put(2, "finished();")
    make.put(1, "};")
    make.put(1, "nextPhase();")
    make.put(0, "}")
    make.put(0, "export default run;" if module else "module.exports = run;")
    text = "\n".join(make.lines) + "\n"
    if module:
        text = ESM_PRELUDE + text
    elif strict:
        text = "'use strict';\n" + text
    return Program(seed, text, ending, module)
