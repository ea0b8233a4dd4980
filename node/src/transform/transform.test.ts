import assert from "node:assert/strict";
import { test } from "node:test";
import { check, sitesOf, taken } from "../testing/run-module.js";
import { transform } from "./transform.js";

const isPrime =
  "function isPrime(n) { for (let i = 2; i * i <= n; i++) if (n % i === 0) return false; return n >= 2; }";

test("a pure function with a loop is a site of tier 1, and its program stands in for it", () => {
  const ran = check(`${isPrime}\nlog(isPrime(7), isPrime(8), isPrime("13"), isPrime(-0), isPrime(1000003));`);
  assert.deepEqual(sitesOf(ran), ["isPrime 1"]);
  assert.equal(taken(ran, "isPrime"), 5);
});

test("functions that call pure functions are sites, too; helpers that are quick are not", () => {
  const ran = check(`
    const square = (x) => x * x;
    const sum = (list) => list.reduce((a, b) => a + square(b), 0);
    const twice = (list) => sum(list) * 2;
    log(twice([1, 2, 3]), sum([]), square(4));`);
  assert.deepEqual(sitesOf(ran), ["sum 1", "twice 1"]);
  assert.equal(taken(ran, "twice"), 1);
});

test("recursion and mutual recursion", () => {
  const ran = check(`
    function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    const even = (n) => n === 0 ? true : odd(n - 1);
    const odd = (n) => n === 0 ? false : even(n - 1);
    const fact = function self(n) { return n < 2n ? 1n : n * self(n - 1n); };
    log(fib(15), even(10), odd(7), fact(30n));`);
  assert.deepEqual(sitesOf(ran), ["fib 1", "even 1", "odd 1"]);
  assert.equal(taken(ran, "fib"), 1);
});

test("bindings of the module that are read are tier 2, and compared by their value", () => {
  const ran = check(`
    let limit = 3; var offset = 1; const table = [[1, 2], [3, 4]];
    function count(list) { let n = 0; for (const x of list) if (x + offset > limit) n += table[1][0]; return n; }
    log(count([1, 2, 3])); limit = 1; log(count([1, 2, 3])); table[1][0] = 5; offset--; log(count([1, 2, 3]));`);
  assert.deepEqual(sitesOf(ran), ["count 2"]);
  assert.deepEqual(ran.transformed.sites[0]?.reads, ["offset", "limit", "table"]);
  assert.equal(taken(ran, "count"), 3);
});

test("constants of the module travel in the program", () => {
  const ran = check(`
    const MASK = 2 ** 8 - 1, HALF = MASK >> 1; const NAMES = new Set("a b c".split(" ")); const LETTER = /[a-z]/i;
    const MAP = { a: 1, b: 2 }; const WORDS = /\\w+/g;
    function score(text) {
      let n = 0;
      for (const c of text) n = (n * 31 + (NAMES.has(c) ? HALF : 1) + (LETTER.test(c) ? MAP[c] ?? 7 : 0)) & MASK;
      return text.replace(WORDS, (w) => w.length) + n;
    }
    log(score("abc def!"), score(""));`);
  assert.deepEqual(sitesOf(ran), ["score 1"]);
  assert.equal(taken(ran, "score"), 2);
});

test("bindings that are written are tier 3; counters that are only added to need not be known", () => {
  const ran = check(`
    let calls = 0, last = "none", total = 0;
    function work(n) { calls++; total += n; for (let i = 0; i < n; i++) last = "w" + i; return n; }
    log(work(3), calls, total, last, work(0), calls, total, last);
    total = 0.5; log(work(2), total); total = -0; log(work(0), Object.is(total, -0));
    total = "s"; log(work(2), total); total = 0; log(work(-3), total); log(work(1.5), total);`);
  assert.deepEqual(sitesOf(ran), ["work 3"]);
  assert.deepEqual(ran.transformed.sites[0]?.writes, [
    { name: "calls", how: "add" },
    { name: "total", how: "add" },
    { name: "last", how: "assign" },
  ]);
  assert.deepEqual(ran.transformed.sites[0]?.reads, ["last"]);
  assert.equal(taken(ran, "work"), 2);
});

test("loops in functions that are no sites become sites of their own", () => {
  const ran = check(`
    ${isPrime}
    function search(first, last) {
      return function () {
        var found = 0, largest = 0;
        for (var i = first; i < last; i++) { if (isPrime(i)) { found++; largest = i; } }
        log(first, found, largest);
      };
    }
    search(2, 100)(); search(100, 200)(); search(24, 28)();
    function labelled(list) { const seen = {}; outer: for (const row of list) { for (const x of row) { if (x < 0) continue outer; if (x > 9) break outer; } } log(list); }
    labelled([[1, -1], [10, 2]]);`);
  assert.deepEqual(sitesOf(ran), ["isPrime 1", "loop in (anonymous) 3", "loop in labelled 2"]);
  assert.equal(taken(ran, "(anonymous)"), 3);
});

test("arrays and objects that begin empty before a loop are filled", () => {
  const ran = check(`
    function report(rows) {
      log("begin"); const list = [], seen = {}; let deep = []; var holes = [];
      for (const row of rows) { list.push(row * 2); seen["k" + row] = (seen["k" + row] || 0) + 1; deep.push({ row }); holes[row] = row; }
      const same = list; list.push("end"); log(same, seen, deep, holes, holes.length, 0 in holes, Object.keys(seen));
      return list;
    }
    const a = report([3, 1, 3]); log(a === report([3, 1, 3]), report([]));
    function shared(rows) { log("begin"); const out = []; for (const row of rows) out.push(row); return out; }
    const row = { n: 1 }; log(shared([row])[0] === row, shared([1]));`);
  assert.deepEqual(sitesOf(ran), ["loop in report 3", "loop in shared 3"]);
  assert.deepEqual(
    ran.transformed.sites[0]?.writes.map((write) => [write.name, write.how]),
    [
      ["list", "fill"],
      ["seen", "fill"],
      ["deep", "fill"],
      ["holes", "fill"],
    ],
  );
  assert.equal(taken(ran, "report"), 3);
  assert.equal(taken(ran, "shared"), 1);
});

test("an array or object is not filled if somebody else may have it, or it is not empty", () => {
  const loop = "for (let i = 0; i < n; i++) out.push(i);";
  for (const body of [
    `const out = [0]; ${loop}`,
    `const out = []; keep(out); ${loop}`,
    `const out = []; add(); ${loop} function add() { out.push(9); }`,
    `const out = []; const add = () => out.push(9); add(); ${loop}`,
    `let out = []; if (n > 2) out = kept; ${loop}`,
    `let out = []; if (n) { ${loop} }`,
    `const out = kept; ${loop}`,
    `const Object = 1, out = []; ${loop}`,
    `var out = []; ${loop} later = () => out.push(7);`,
    `const out = []; for (let k = 0; k < 2; k++) { log(out.length); ${loop} }`,
  ]) {
    const ran = check(
      `let later = () => 0; const kept = []; const keep = (x) => { kept.push(1); log(x); }; const f = (n) => { log("begin"); ${body} later(); log(out, kept); }; f(2); f(3);`,
    );
    assert.equal(
      ran.transformed.sites.some((site) =>
        site.writes.some((write) => write.how === "fill" && !body.includes("k < 2")),
      ),
      false,
      body,
    );
  }
});

test("arrow functions with an expression, methods, directives without a semicolon", () => {
  const ran = check(`'use strict'
    const sum = n => /* => */ n <= 0 ? 0 : Array.from({ length: n }, (_, i) => i).reduce((a, b) => a + b, 0)
    const pair = (n) => ({ n, list: Array.from([n, n], (x) => x + 1) });
    const lib = { total(list) { 'use strict'; let t = 0; for (const x of list) t += x; return t; },
      get three() { let n = 0; while (n < 3) n++; return n; } };
    class Tools { static most(list) { return list.map((x) => -x).sort((a, b) => a - b)[0]; }
      #own(n) { for (;;) if (n++ > 5) return n; } run(n) { return this.#own(n); } }
    log(sum(4), pair(2), lib.total([1, 2]), lib.three, Tools.most([3, 9, 4]), new Tools().run(1));`);
  assert.deepEqual(sitesOf(ran), ["sum 1", "pair 1", "total 1", "three 1", "most 1", "own 1"]);
  assert.equal(ran.home.entered.filter((one) => one.how === "taken").length, 6);
});

test("parameters with defaults, taken apart, and the rest of them", () => {
  const ran = check(`
    const k = 2;
    function f({ a, b: [b] = [5] }, c = a * k, ...rest) { let n = 0; for (const x of rest) n += x; return a + b + c + n; }
    log(f({ a: 1 }), f({ a: 1, b: [2] }, undefined, 3, 4), f({ a: 1, b: "x" }, null));`);
  assert.deepEqual(sitesOf(ran), ["f 1"]);
  assert.equal(taken(ran, "f"), 3);
});

test("a hashbang stays the first line, and the prologue follows the directives", () => {
  const text =
    "#!/usr/bin/env node\n'use strict' // x\nexports.f = (n) => { 'use strict'\n for (;;) if (n++ > 9) return n };";
  const made = transform(text, { key: "k", kind: "commonjs" });
  assert.match(made.text, /^#!.*\n'use strict'\/\*\$h in k\*\/;var /);
  assert.match(made.text, /\{ 'use strict'\/\*\$h site k 0 21\*\/;let /);
  new Function(made.text.slice(made.text.indexOf("\n")));
});

test("a module that hides what the prologue needs, uses eval or with, or cannot be parsed, is left alone", () => {
  for (const source of [
    `const heddleHome = 1; ${isPrime}`,
    `${isPrime} function g(s) { return eval(s); }`,
    `${isPrime} with ({}) {}`,
    `${isPrime} }`,
    `/*$h*/ ${isPrime}`,
    `${isPrime} const Kept = RegExp; log(Kept.$1);`,
    `${isPrime} const { $1: one } = RegExp;`,
    `${isPrime} log(RegExp["$" + 1], Object.keys(RegExp));`,
    `${isPrime} log(globalThis.RegExp.$1);`,
    `${isPrime} class Own extends RegExp {} log(Own.$1);`,
    `${isPrime} function asm() { "use asm"; function f(n) { n = n | 0; return n | 0; } return f; }`,
    `--> a comment\n${isPrime}`,
    `#!/usr/bin/env node\n  --> a comment\n${isPrime}`,
    `/* one */ /* two\n*/ --> a comment\n${isPrime}`,
  ]) {
    assert.equal(transform(source, { key: "k", kind: "commonjs" }).text, source);
  }
});

test("who makes regular expressions, or asks whether something is one, does not ask for the last match", () => {
  const uses = `new RegExp("a"); RegExp("a"); x instanceof RegExp; x.constructor === RegExp; RegExp.prototype.test;`;
  assert.notEqual(transform(`${isPrime} function g(x) { ${uses} }`, { key: "k", kind: "commonjs" }).sites.length, 0);
});

test("a text that begins with many comments is looked at once", () => {
  const source = `${"/* one */\n".repeat(60)}${isPrime}`;
  assert.notEqual(transform(source, { key: "k", kind: "commonjs" }).sites.length, 0);
});

test("regular expressions of regions stand in the text, and are not long", () => {
  const deep = "a?".repeat(600);
  const loop = (body: string): string => `(s) => { let n = 0; for (let i = 0; i < 9; i++) n += ${body}; return n; }`;
  const { refusals, sites } = transform(
    `const known = /b/; const large = /${deep}/;
    exports.a = ${loop("new RegExp(s).test('a')")};
    exports.b = ${loop("'a'.search(s)")};
    exports.c = ${loop("/" + deep + "/.test(s)")};
    exports.d = ${loop("large.test(s)")};
    exports.e = ${loop("s.match(`${s}`).length")};
    exports.f = ${loop("s.search(known) + s.search('c') + s.match(/d/).length")};`,
    { key: "k", kind: "commonjs" },
  );
  assert.deepEqual(
    sites.map((site) => site.line),
    [7],
  );
  assert.equal(refusals.length, 5);
});

test("refusals name the expression, the place and the reason", () => {
  const { refusals } = transform(
    `function roll(n) {\n  let sum = 0;\n  for (let i = 0; i < n; i++)\n    sum += Math.random();\n  return sum;\n}\nfunction all(list) { return list.map((x) => roll(x)); }`,
    { key: "k", kind: "module" },
  );
  assert.deepEqual(
    refusals.map(({ name, kind, line, reason, expression, at }) => ({
      name,
      kind,
      line,
      reason,
      expression,
      at: at.line,
    })),
    [
      {
        name: "roll",
        kind: "loop",
        line: 3,
        reason: "calls `Math.random`, which belongs to the realm or to another module",
        expression: "Math.random",
        at: 4,
      },
      {
        name: "all",
        kind: "function",
        line: 7,
        reason: "calls `roll`, which calls `Math.random`, which belongs to the realm or to another module (line 4)",
        expression: "roll",
        at: 7,
      },
    ],
  );
});

test("regions that only compute with primitives are told apart from those that look something up", () => {
  const scalar = (source: string): boolean[] =>
    transform(source, { key: "k", kind: "commonjs" }).sites.map((site) => site.scalar);
  const around = (statement: string): string =>
    `const LIMIT = 9; const add = (a, b) => a + b;
     function work(n, o) { let s = 0; for (let i = 0; i < n; i++) { ${statement} } return s; }`;
  for (const statement of [
    "s = add(s, Math.imul(i, LIMIT) % Number.MAX_SAFE_INTEGER);",
    "switch (i & 3) { case 0: s += parseInt('7'); break; default: s ^= i; }",
    "s = typeof o === 'string' && o > `x${i}` ? ~s : s - 1;",
  ]) {
    assert.deepEqual(scalar(around(statement)), [true], statement);
  }
  for (const statement of [
    ...["s += o.length;", "s += o[i];", "s += 'abc'.length;", "s += [i].length;", "const { length } = o; s += length;"],
    ...[
      "const [x] = o; s += x;",
      "for (const x of o) s += x;",
      "for (const x in o) s++;",
      "s += 'x' in o;",
      "s += +{ i };",
    ],
    ...[
      "s += /x/ ? 1 : 0;",
      "s += add(...o);",
      "s += o?.x;",
      "s += Array(3) ? 1 : 0;",
      "s += JSON.stringify(o) === '1';",
    ],
    ...["try { s += add(1, 2); } catch { s = 0; }", "s += new Error() ? 1 : 2;", "s += String.raw`x` ? 1 : 2;"],
  ]) {
    assert.deepEqual(scalar(around(statement)), [false], statement);
  }
});

test("what changes objects from outside is a site only where the package is said to be pure", () => {
  const text = `
    const known = {};
    const keep = (key, value) => { known[key] = value; return value; };
    function hash(text) {
      if (text in known) return known[text];
      let h = 0;
      for (let i = 0; i < text.length; i++) h = (h * 31 + text.charCodeAt(i)) | 0;
      return keep(text, h);
    }
    function mark(list) { for (const one of list) if (!one.seen) one.seen = true; return list.length; }
    const counts = new Map();
    function count(words) { for (const word of words) counts.set(word, 1); }`;
  const sites = (pure: boolean): string[] =>
    transform(text, { key: "k", kind: "commonjs", pure }).sites.map(({ name, kind }) => `${kind} ${name}`);
  assert.deepEqual(sites(false), ["loop hash"]);
  assert.deepEqual(sites(true), ["function hash", "function mark"]);
  const [hash] = transform(text, { key: "k", kind: "commonjs", pure: true }).sites;
  assert.deepEqual(hash?.reads, ["known"]);
});

test("where columns are kept nothing goes beside a call on its line, and long lines are not read again and again", () => {
  const sum = (name: string): string =>
    `function ${name}(n) { let s = 0; for (let i = 0; i < n; i++) s += i; return s; }`;
  const long = `"${"a".repeat(100_000)}";`;
  const many = Array.from({ length: 40 }, (_, at) => sum(`f${at}`));
  const text = [long, long, ...many, `${sum("before")} f1(3);`, `f1(3); ${sum("behind")}`, `${sum("last")}`].join("\n");
  const { sites } = transform(text, { key: "k", kind: "commonjs", keepColumns: true });
  assert.deepEqual(
    sites.map(({ name }) => name),
    [...many.map((_, at) => `f${at}`), "last"],
  );
});
