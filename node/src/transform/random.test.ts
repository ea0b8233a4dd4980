/** Random modules: what they log must not depend on whether regions are computed by their programs. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { check } from "../testing/run-module.js";

/** Mulberry32 (Tommy Ettinger, 2017). */
function random(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

class Generator {
  private readonly below: (n: number) => number;
  private readonly functions: { name: string; params: number }[] = [];
  private scope: string[] = [];
  private depth = 0;
  private names = 0;

  constructor(seed: number) {
    this.below = random(seed);
  }

  private pick<Item>(list: readonly Item[]): Item {
    return list[this.below(list.length)] as Item;
  }

  module(): string {
    const strict = this.below(2) ? "'use strict';\n" : "";
    const globals = [
      "let g0 = 1, g1 = 'x', g2 = [3, 1, 2];",
      "var v0 = 0; const K0 = 7, K1 = [5, 6, 7], K2 = { a: 1, b: 'c' };",
      "const seen = []; let o = { n: 1, list: [1] };",
    ];
    const functions = Array.from({ length: 3 + this.below(4) }, () => this.function());
    const calls = Array.from({ length: 10 }, () => {
      const { name, params } = this.pick(this.functions);
      const args = Array.from({ length: this.below(params + 1) }, () =>
        this.pick([
          "0",
          "3",
          "-1",
          "'ab'",
          "[1, 2, 3]",
          "{ a: 1, n: 2 }",
          "null",
          "2.5",
          "g0",
          "g2",
          "o",
          "7n",
          "true",
        ]),
      );
      return `try { log(${name}(${args.join(", ")}), g0, g1, g2, v0, o, seen); } catch (e) { log(e.name, g0, g1, g2, v0, o); }`;
    });
    const impure = `function report(n) { let t = 0, s = ''; for (let i = 0; i < n; i++) { t += i * g0; s += K1[i % 3]; } log(t, s); ${this.loop(["n", "t", "s"])} log(t, s, v0); const out = [], map = {}; ${this.filling()} log(out, map); return t; }\nlog(report(4), report(0));`;
    return `${strict}${globals.join("\n")}\n${functions.join("\n")}\n${calls.join("\n")}\n${impure}\n${calls.slice(0, 3).join("\n")}`;
  }

  private function(): string {
    const name = `f${this.functions.length}`;
    const params = this.below(3);
    this.scope = Array.from({ length: params }, (_, at) => `p${at}`);
    const list = this.scope
      .map((param) => (this.below(4) ? param : `${param} = ${this.pick(["1", "K0", "[2]"])}`))
      .join(", ");
    const body = `let r = ${this.value()}; ${this.loop([...this.scope, "r"])} ${this.statements([...this.scope, "r"])} return ${this.below(2) ? "r" : this.value()};`;
    this.functions.push({ name, params });
    return this.below(2) ? `function ${name}(${list}) { ${body} }` : `const ${name} = (${list}) => { ${body} };`;
  }

  private loop(scope: readonly string[]): string {
    this.scope = [...scope];
    const at = `i${this.names++}`;
    const how = this.pick(["let", "var"]);
    this.scope.push(at);
    const body = this.statements(this.scope);
    return this.pick([
      `for (${how} ${at} = 0; ${at} < ${1 + this.below(4)}; ${at}++) { ${body} }`,
      `for (const ${at} of ${this.pick(["[1, 2, 3]", "K1", "'abc'", "g2.slice()"])}) { ${body} }`,
      `for (const ${at} in ${this.pick(["K2", "[4, 5]", "o"])}) { ${body} }`,
      `${how} ${at} = 3; while (${at}-- > 0) { ${body} }`,
    ]);
  }

  private filling(): string {
    this.scope = ["n", "t", "s"];
    const body = Array.from({ length: 2 }, () =>
      this.pick([
        `out.push(${this.value()});`,
        `map[${this.value()}] = ${this.value()};`,
        `out[i] = map.x;`,
        `map.x = out.length;`,
        `if (out.length > ${this.value()}) out.pop();`,
        `t = out;`,
        this.statement(),
      ]),
    );
    return `for (let i = 0; i < 4 && i < n; i++) { ${body.join(" ")} }`;
  }

  private statements(scope: readonly string[]): string {
    this.scope = [...scope];
    if (++this.depth > 3) {
      this.depth--;
      return ";";
    }
    const text = Array.from({ length: 1 + this.below(3) }, () => this.statement()).join(" ");
    this.depth--;
    return text;
  }

  private statement(): string {
    const local = this.pick(this.scope.filter((name) => !name.startsWith("i")).concat("g0"));
    const fresh = `x${this.names++}`;
    switch (this.below(16)) {
      case 0:
        return `g0 ${this.pick(["=", "+=", "-=", "*="])} ${this.value()};`;
      case 1:
        return this.pick(["v0++;", "v0 += 2;", "++v0;", `v0 += ${this.value()};`]);
      case 2:
        return `if (${this.value()}) { ${this.statements(this.scope)} } else { ${this.statements(this.scope)} }`;
      case 3:
        return `{ const ${fresh} = [${this.value()}, ${this.value()}]; ${fresh}.push(${this.value()}); ${local} = ${fresh}${this.pick([".length", ".join()", "[1]", ".slice(1)", ""])}; }`;
      case 4:
        return `try { ${this.statements(this.scope)} if (${this.value()} > 2) throw new RangeError('r'); } catch (e) { ${local} = e.name; }`;
      case 5:
        return this.loop(this.scope);
      case 6:
        return `{ const ${fresh} = (q) => { ${local} = q; return q; }; ${fresh}(${this.value()}); }`;
      case 7:
        return `{ const ${fresh} = {}; ${fresh}[${this.value()}] = ${this.value()}; ${local} = Object.keys(${fresh}).length; }`;
      case 8:
        return this.below(3)
          ? `${local} = ${this.value()};`
          : this.pick([
              "seen.push(1);",
              "o.n++;",
              "g2.sort();",
              "g2 = [...g2, 1].slice(-3);",
              "o = { ...o, n: v0 };",
              "K1[0]++;",
            ]);
      case 9:
        return `switch (${this.value()}) { case 1: ${this.statement()} break; default: ${local} = ${this.value()}; }`;
      default:
        return `${local} ${this.pick(["=", "=", "+="])} ${this.value()};`;
    }
  }

  private value(): string {
    if (this.depth > 5) return "1";
    this.depth++;
    const text = this.anyValue();
    this.depth--;
    return text;
  }

  private anyValue(): string {
    const name = this.pick([...this.scope, "g0", "v0", "K0"]);
    switch (this.below(18)) {
      case 0:
        return this.pick(["0", "1", "-0", "2.5", "'s'", "null", "undefined", "[1, 2]", "NaN"]);
      case 1:
        return `(${this.value()} ${this.pick(["+", "-", "*", "%", "<", "===", "&&", "||", "??", "|"])} ${this.value()})`;
      case 2:
        return `K1[${this.value()}]`;
      case 3:
        return this.pick(["g2.length", "g1", "K2.b", "o.n", "o.list[0]", "g2[0]", "o", "g2"]);
      case 4:
        return `Math.${this.pick(["max", "min", "imul"])}(${this.value()}, ${this.value()})`;
      case 5:
        return `String(${this.value()})`;
      case 6:
        return `[${this.value()}, ${name}].map((m) => m)${this.pick(["", "[0]", ".length"])}`;
      case 7:
        return `(${this.value()} ? ${this.value()} : ${this.value()})`;
      case 8:
        return this.functions.length > 0 ? `${this.pick(this.functions).name}(${this.value()})` : "2";
      case 9:
        return `${name}?.[${this.value()}]`;
      case 10:
        return `typeof ${this.value()}`;
      case 11:
        return `\`\${${name}}-\``;
      default:
        return name;
    }
  }
}

/**
 * A module whose functions make objects of its classes; in every third one, somebody changes a class between two calls.
 */
function withClasses(seed: number): string {
  const below = random(seed);
  const pick = (...list: readonly string[]): string => list[below(list.length)] as string;
  const number = (): string => pick("1", "K", "v", "this.x", "this.twice", "g", "-0", "this.list.length", "A.LIMIT");
  const sum = (): string => `((${number()} ${pick("+", "-", "*", "^")} ${number()}) % 1009)`;
  const change = (): string =>
    pick(`this.x = ${sum()};`, `this.list.push(${sum()});`, `made++;`, `g = ${sum()};`, `this.w = v;`, `this.step();`);
  const odd = pick("A.LIMIT++;", "this.read.n = 1;", "last = this;", "this.own = () => v;", "", "", "", "", "", "");
  const isChanged = below(3) === 0;
  const patch = pick(
    "read = () => 5",
    "read.n = 1",
    "twice = 3",
    "extra = 1",
    "constructor.LIMIT = 9",
    "constructor.n = 1",
  );
  const heritage = pick("extends A", "extends A", "");
  const inner = pick("", "Inner");
  return `${pick("", "'use strict';")}
    let g = 3, made = 0, last = null; const K = 7;
    class A {
      list = []; static LIMIT = ${pick("3", "'4'")}; ${pick("#p = 0; step() { this.#p++; return this.#p; }", "step() { return 2; }")}
      static of(v) { return new A(v); }
      constructor(v) { this.x = v | 0; ${change()} }
      get twice() { return this.x * 2; } ${pick("", "set twice(v) { this.x = v; }")}
      read(v) { for (let i = 0; i < 3; i++) { ${change()} ${change()} ${odd} } return ${sum()}; }
    }
    ${pick("const", "let", "var")} B = class ${inner} ${heritage} {
      constructor(v) { ${heritage ? "super(v);" : "this.x = v; this.list = [];"} ${heritage ? change() : ""} }
      ${heritage ? "" : "get twice() { return 4; } step() {}"}
      read(v) { let t = 0; while (v-- > 0) t += ${heritage ? "super.read(v)" : sum()}; return t; }
      static sum(n) { let t = 0; for (let i = 0; i < n; i++) t += new ${inner || "B"}(i).read(2); return t; }
    };
    function work(n) { let t = 0; for (let i = 0; i < n; i++) { const one = ${pick("new A(i)", "A.of(i)", "new B(i)")}; t += one.read(i) + one.list.length; ${pick("", "if (one instanceof B) t++;")} } return t; }
    const each = (list) => list.map((v) => { try { return new B(v).${pick("read(2)", "x", "none()")}; } catch (e) { return ${pick("-1", "e.message")}; } });
    log(work(3), g, made); log(B.sum(3), g, made); log(each([1, 2]), g, made);
    ${isChanged ? `try { Object.getPrototypeOf(new ${pick("A", "B")}(1)).${patch}; } catch (e) { log(e.name); }` : ""}
    log(work(4), g, made, last); log(B.sum(2), g, made); log(each([3, 0]), g, made, A.LIMIT, Object.keys(A.prototype.read));`;
}

const seeds = Number(process.env["HEDDLE_SEEDS"] ?? 60);

for (const [what, make] of [
  ["modules", (seed: number) => new Generator(seed).module()],
  ["modules with classes", withClasses],
] as const) {
  test(`${seeds} random ${what} log the same with regions replaced`, () => {
    let taken = 0;
    let sites = 0;
    for (let seed = 1; seed <= seeds; seed++) {
      const source = make(seed);
      try {
        const ran = check(source);
        sites += ran.transformed.sites.length;
        taken += ran.home.entered.filter((one) => one.how === "taken").length;
      } catch (error) {
        throw new Error(`seed ${seed}:\n${source}`, { cause: error });
      }
    }
    assert.ok(sites > seeds && taken > seeds, `${sites} sites, ${taken} regions taken`);
  });
}
