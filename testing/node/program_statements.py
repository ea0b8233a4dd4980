"""The statements of random programs: what a function or an event may do, by how much it may see and change."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from testing.node.program_expressions import Expressions, Scope


@dataclass
class Event:
    name: str
    params: tuple[str, ...]


@dataclass
class Builder(Expressions):
    """One program in the making."""

    rng: random.Random
    ending: str
    lines: list[str] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    schedule: str = ""

    def put(self, depth: int, text: str) -> None:
        self.lines.append("  " * depth + text)

    # -- statements ---------------------------------------------------------------------------------------------------

    def block(self, scope: Scope, depth: int, count: int) -> None:
        inner = scope.nested()
        for _ in range(count):
            self.statement(inner, depth)

    def statement(self, scope: Scope, depth: int) -> None:
        options: list[tuple[Callable[[Scope, int], None], float]] = [
            (self.local, 5),
            (self.change_local, 8),
            (self.branch, 2),
        ]
        if scope.loops < 2 and depth < 6:
            options.append((self.loop, 3))
        if depth < 5:
            options += [(self.attempt, 0.4), (self.nested_function, 0.4), (self.selection, 0.4)]
        if scope.may_throw:
            options.append((self.throw, 1))
        if scope.level >= 2:
            options.append((self.write_state, 6))
        if scope.level >= 3:
            options.append((self.odd, 4))
        if scope.level == 4:
            options += [(self.report, 8), (self.write_state, 6), (self.make_event, 2), (self.micro, 2)]
            if self.ending == "hostile":
                options.append((self.hostile, 12))
            if self.ending in {"exit", "uncaught", "rejection"}:
                options.append((self.end_early, 1))
        choices, weights = zip(*options, strict=True)
        self.rng.choices(choices, weights)[0](scope, depth)

    def local(self, scope: Scope, depth: int) -> None:
        kind = self.pick("nnnls")
        name = scope.fresh("xyzuvw")
        word = self.pick(("let", "let", "var")) if not scope.loops else "let"
        self.put(depth, f"{word} {name} = {self.value(kind, scope)};")
        scope.add(kind, name, mutable=True)

    def change_local(self, scope: Scope, depth: int) -> None:
        lists = [name for name in scope.mutable if scope.kinds[name] == "l"]
        numbers = [name for name in scope.mutable if scope.kinds[name] == "n"]
        if lists and self.chance(0.4):
            name = self.pick(lists)
            n = self.number(scope)
            forms = [f"{name}.push({n});", f"{name}[({n}) & 7] = {self.number(scope)};", f"{name}.reverse();"]
            forms += [f"{name}.sort((p, q) => p - q);", f"{name} = {name}.map((e) => (e * 3 + {n}) % 101);"]
            forms += [f"{name}.length = Math.min({name}.length, 9);", f"{name} = [...{name}, {n}].slice(-12);"]
            self.put(depth, self.pick(forms))
        elif numbers:
            name, n = self.pick(numbers), self.number(scope)
            forms = [f"{name} = {n};", f"{name} += {n};", f"{name}++;", f"{name} = ({name} * 31 + {n}) % 10007;"]
            forms += [f"{name} ^= {n};", f"{name} -= {n};", f"{name} ??= {n};", f"[{name}] = [{n}];"]
            self.put(depth, self.pick(forms))
        else:
            self.local(scope, depth)

    def branch(self, scope: Scope, depth: int) -> None:
        self.put(depth, f"if ({self.condition(scope)}) {{")
        self.block(scope, depth + 1, self.rng.randint(1, 2))
        if self.chance(0.4):
            self.put(depth, "} else {")
            self.block(scope, depth + 1, 1)
        self.put(depth, "}")

    def selection(self, scope: Scope, depth: int) -> None:
        self.put(depth, f"switch (({self.number(scope)}) & 3) {{")
        for case in ("case 0", "case 1", "default"):
            self.put(depth, f"{case}: {{")
            self.block(scope, depth + 1, 1)
            self.put(depth, "}" if self.chance(0.3) else "break; }")
        self.put(depth, "}")

    def loop(self, scope: Scope, depth: int) -> None:
        inner = scope.nested()
        index = inner.fresh("ijk")
        bound = self.pick((5, 9, 16, 16, 40)) if not scope.loops else self.pick((3, 6))
        inner.cost *= bound
        inner.loops += 1
        lists = [name for name, kind in scope.kinds.items() if kind == "l"]
        form = self.rng.random()
        if lists and form < 0.3:
            self.put(depth, f"for (const {index} of {self.pick(lists)}.slice(0, {bound})) {{")
        elif form < 0.8:
            word = "var" if self.chance(0.15) else "let"
            limit = f"({self.number(scope)}) & {bound - 1 | 3}" if self.chance(0.4) else str(bound)
            self.put(depth, f"for ({word} {index} = 0, {index}End = {limit}; {index} < {index}End; {index}++) {{")
        else:
            self.put(depth, f"let {index} = {bound};")
            self.put(depth, f"while ({index}-- > 0) {{")
        inner.add("n", index, mutable=False)
        for _ in range(self.rng.randint(1, 2)):
            self.statement(inner, depth + 1)
        if self.chance(0.2):
            self.put(depth + 1, f"if ({self.condition(inner)}) {self.pick(('break', 'continue', 'break'))};")
        if scope.returns and self.chance(0.08):
            self.put(depth + 1, f"if ({self.condition(inner)}) return {self.number(inner)};")
        self.put(depth, "}")

    def attempt(self, scope: Scope, depth: int) -> None:
        self.put(depth, "try {")
        inner = scope.nested()
        inner.may_throw = True
        for _ in range(2):
            self.statement(inner, depth + 1)
        if self.chance(0.3):
            self.throw(inner, depth + 1)
        self.put(depth, "} catch (caught) {")
        handler = scope.nested()
        if scope.level == 4:
            self.put(depth + 1, "trouble(caught);")
        self.change_local(handler, depth + 1)
        if self.chance(0.2):
            self.put(depth, "} finally {")
            self.block(scope, depth + 1, 1)
        self.put(depth, "}")

    def throw(self, scope: Scope, depth: int) -> None:
        error = self.pick(("RangeError", "Error", "TypeError"))
        self.put(depth, f"if ({self.condition(scope)}) throw new {error}('thrown ' + {self.number(scope)});")

    def nested_function(self, scope: Scope, depth: int) -> None:
        name = scope.fresh("fgh")
        inner = scope.nested()
        inner.returns = True
        inner.loops = max(inner.loops, 1)
        inner.level = min(inner.level, 3)
        inner.mutable = [one for one in inner.mutable if self.chance(0.5)]
        inner.add("n", "m", mutable=True)
        if self.chance(0.5):
            self.put(depth, f"const {name} = (m) => {{")
        else:
            self.put(depth, f"function {name}(m) {{")
        self.block(inner, depth + 1, self.rng.randint(1, 2))
        self.put(depth + 1, f"return {self.number(inner)};")
        self.put(depth, "}")
        scope.inner_functions.append((name, inner.cost + 4))

    # -- what only functions with effects do --------------------------------------------------------------------------

    def write_state(self, scope: Scope, depth: int) -> None:
        n = self.number(scope)
        forms = [f"{c} += {n};" for c in self.counters] + [f"{c}++;" for c in self.counters]
        forms += [f"{name} = {n};" for name in self.numbers] + [
            f"{name} = (({name} + {n}) * 7) % 1013;" for name in self.numbers
        ]
        forms += [f"{self.texts[0]} = ({self.texts[0]} + {n}).slice(-8);", f"{self.counters[0]} -= 1;"]
        for name in self.lists:
            forms += [f"{name}[({n}) & 3] = {self.number(scope)};"]
            if scope.level > 2:
                forms += [f"if ({name}.length < 20) {name}.push({n});", f"{name}.pop();"]
        for name in self.objects:
            forms += [f"{name}.{self.pick('xyz')} = {n};"]
            if scope.level > 2:
                forms += [
                    f"delete {name}.z;",
                    f"{name}.list = {self.pick(self.lists)};",
                    f"Object.freeze({name}.list);",
                ]
        forms += [f"{name}.set({n});" for name in self.instances if scope.level > 2]
        if scope.level == 4:
            forms += [
                f"{self.counters[1]} = {self.pick(('0', '-0', 'NaN', chr(39) + 'text' + chr(39), '2 ** 53', '0.1'))};"
            ]
            forms += [f"{self.lists[0]} = {self.value('l', scope)};"]
            if self.swappable:
                # Not by a function that calls this one: such recursion in loops would not end in any reasonable time.
                others = [f.name for f in self.functions if self.swappable not in f.reaches]
                forms.append(f"{self.swappable} = {self.pick(others)};")
        self.put(depth, self.pick(forms))

    def odd(self, scope: Scope, depth: int) -> None:
        """Statements that make a function unfit for a worker."""
        n = self.number(scope)
        lists = [name for name, kind in scope.kinds.items() if kind == "l"] or self.lists
        forms = [
            f"say('effect', {n});",
            f"queueMicrotask(() => {{ try {{ say('microtask', {n}); }} catch (caught) {{ trouble(caught); }} }});",
            f"process.nextTick(say, 'tick', {n});",
            f"Promise.resolve({n}).then((r) => say('then', r));",
            f"{self.pick(lists)}.length && ({self.pick(lists)}[0] = {n});",
            f"say(getter.value, {n});",
            f"trap.x = {n}; say('x' in trap, Object.keys(trap).length);",
            f"say(Object.isFrozen({self.pick(self.objects)}.list), Object.hasOwn({self.pick(self.objects)}, 'z'));",
            f"say(endless({n} & 3));",
            f"say(steep(({n} & 7) * 100));",
            f"big = (big * 3n + BigInt(({n}) & 15)) % 1000003n; say(big);",
            f"say(new Counted({n}).step(3).n);",
        ]
        if scope.level == 3:
            forms = forms[:7]
        self.put(depth, self.pick(forms))

    def report(self, scope: Scope, depth: int) -> None:
        call = self.call(scope) or self.number(scope)
        form = self.rng.random()
        if form < 0.6:
            self.put(depth, f"say('{scope.owner}', {call});")
        elif form < 0.8:
            name = scope.fresh("xyzuvw")
            self.put(depth, f"const {name} = {call};")
            self.put(depth, f"if (Array.isArray({name}) && {name}.length < 30) {name}.push('kept');")
            self.put(depth, f"kept.push({name}), say({name});")
            scope.add("n", name, mutable=False)
        else:
            self.put(depth, f"try {{ say({call}, {self.call(scope) or 0}); }} catch (caught) {{ trouble(caught); }}")

    def micro(self, scope: Scope, depth: int) -> None:
        call = self.call(scope) or self.number(scope)
        body = f"try {{ say('micro', {call}); }} catch (caught) {{ trouble(caught); }}"
        forms = [f"queueMicrotask(() => {{ {body} }});", f"process.nextTick(() => {{ {body} }});"]
        forms += [f"Promise.resolve({self.number(scope)}).then((r) => {{ {body} }});"]
        forms += [f"(async () => {{ await null; {body} }})();"]
        self.put(depth, self.pick(forms))

    def make_event(self, scope: Scope, depth: int) -> None:
        if not self.events:
            return
        event = self.pick(self.events)
        args = ", ".join(self.value(kind, scope) for kind in event.params)
        self.put(depth, f"if (budget-- > 0) again({event.name}, {args});")

    def hostile(self, scope: Scope, depth: int) -> None:
        n = self.number(scope)
        # Without calls: they might call what is replaced here, and how deep such recursion goes is the stack's.
        quiet = self.pick(self.seen("n", scope) or [self.literal()])
        forms = [
            f"Math.max = () => {quiet};",
            "Math.max = saved.max;",
            "Array.prototype.map = function (f) { return saved.map.call(this, f).concat(1); };",
            "Array.prototype.map = saved.map;",
            f"Object.prototype.x = {n};",
            "delete Object.prototype.x;",
            f"Array.prototype[2] = {n};",
            "delete Array.prototype[2];",
            "Math.imul = (a, b) => a - b;",
            "String.prototype.charCodeAt = function () { return this.length; };",
            "Array.prototype.push = function (x) { this[this.length] = x; return -1; };",
            f"Object.defineProperty({self.objects[0]}, 'x', {{ get: () => {quiet}, configurable: true }});",
            f"Object.setPrototypeOf({self.objects[0]}, {{ z: {n} }});",
            "Number.prototype.valueOf = function () { return 4; };",
            "globalThis.Math = { ...saved.Math, imul: () => 3, max: () => 4 };",
            "Math = saved.Math;",
            f"Object.defineProperty({self.lists[1]}, 0, {{ get: () => ++{self.counters[0]}, configurable: true }});",
        ]
        self.put(depth, self.pick(forms))

    def end_early(self, scope: Scope, depth: int) -> None:
        n = self.number(scope)
        act = {
            "exit": f"process.exit(({n}) & 63);",
            "uncaught": f"throw new Error('the end ' + {n});",
            "rejection": f"Promise.reject(new TypeError('rejected ' + {n}));",
        }[self.ending]
        self.put(depth, f"if (ended++ > 3) {{ dump(); {act} }}")
