/** Regions that use classes of their module: what travels with them, and what keeps them at home. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { check, sitesOf, taken } from "../testing/run-module.js";

const refused = (source: string): string[] =>
  check(source).transformed.refusals.map(({ name, reason }) => `${name}: ${reason}`);

test("objects of a module's classes are made, changed and left in a region", () => {
  const ran = check(`
    class Heap {
      #items = []; count = 0;
      get size() { return this.#items.length; }
      push(key, value) { this.count++; this.#items.push([key, value]); this.#items.sort((a, b) => a[0] - b[0]); }
      pop() { return this.#items.shift() ?? null; }
    }
    function shortest(graph, from) {
      const heap = new Heap(); const far = {}; heap.push(0, from);
      while (heap.size > 0) { const [d, node] = heap.pop(); if (node in far) continue; far[node] = d; for (const [next, w] of graph[node]) heap.push(d + w, next); }
      return { far, count: heap.count };
    }
    log(shortest({ a: [["b", 2], ["c", 9]], b: [["c", 3]], c: [] }, "a"));`);
  assert.deepEqual(sitesOf(ran), ["shortest 1"]);
  assert.equal(taken(ran, "shortest"), 1);
});

test("a lexer, a parser that extends another, errors of its own, and what they read of the module", () => {
  const ran = check(`
    let base = 10; let made = 0;
    class Failure extends Error { constructor(at, what) { super(what + " at " + at); this.at = at; } }
    const Lexer = class Inner {
      static of(text) { return new Inner(text); }
      constructor(text) { this.text = text; this.at = 0; made++; }
      #skip() { while (this.text[this.at] === " ") this.at++; }
      next() { this.#skip(); const found = /^(?:[0-9]+|[-+*/()])/.exec(this.text.slice(this.at)); if (!found) { if (this.at < this.text.length) throw new Failure(this.at, "odd"); return null; } this.at += found[0].length; return found[0]; }
    };
    class Parser { constructor(text) { this.lexer = Lexer.of(text); this.token = this.lexer.next(); } take() { const t = this.token; this.token = this.lexer.next(); return t; } }
    class Calculator extends Parser {
      run() { try { return this.sum(); } catch (error) { if (error instanceof Failure) return "failed " + error.at; throw error; } }
      sum() { let v = this.product(); while (this.token === "+" || this.token === "-") v = this.take() === "+" ? v + this.product() : v - this.product(); return v; }
      product() { let v = this.atom(); while (this.token === "*" || this.token === "/") v = this.take() === "*" ? v * this.atom() : v / this.atom(); return v; }
      atom() { const t = this.take(); if (t === "(") { const v = this.sum(); this.take(); return v; } if (t === "-") return -this.atom(); return parseInt(t, base); }
    }
    const calculate = (text) => new Calculator(text).run();
    log(calculate("1 + 2 * (3 - 4) / -5"), calculate("2 * "), calculate("7 ? 8"), made); base = 8; log(calculate("17 + 1"), made);`);
  assert.deepEqual(sitesOf(ran), ["of 3", "calculate 3"]);
  assert.equal(taken(ran, "calculate"), 4);
});

test("static methods begin regions, and find their class by its name inside and outside", () => {
  const ran = check(`
    class A { static make(n) { const all = []; for (let i = 0; i < n; i++) all.push(new A(i).twice()); return all; } constructor(i) { this.i = i; } twice() { return this.i * 2; } }
    const B = class C { static make(n) { const all = []; for (let i = 0; i < n; i++) all.push(new C(i).more(), new B(i).i); return all; } constructor(i) { this.i = i; } more() { return this.i + 1; } };
    log(A.make(4), B.make(3));`);
  assert.deepEqual(sitesOf(ran), ["make 1", "make 1"]);
  assert.equal(taken(ran, "make"), 2);
});

test("a class that somebody changed is not that of the program", () => {
  const work = "function work(n) { let s = 0; for (let i = 0; i < n; i++) s += new A(i).get(); return s; }";
  const changes: string[] = [
    "Object.getPrototypeOf(one).get = () => 1;",
    "Object.setPrototypeOf(Object.getPrototypeOf(one), { get x() { return 1; } });",
    "Object.defineProperty(Object.getPrototypeOf(one), 'i', { set(v) {} });",
    "delete Object.getPrototypeOf(one).get;",
    "one.constructor.more = 1;",
  ];
  for (const change of changes) {
    const ran = check(`
      class A { constructor(i) { this.i = i; } get() { return this.i; } }
      const one = new A(1); ${work}
      log(work(3)); try { ${change} log(work(3)); } catch (error) { log(error.message); }`);
    assert.deepEqual(sitesOf(ran), ["work 1"]);
    assert.equal(taken(ran, "work"), 1, change);
  }
});

test("what a region leaves in a class, or in its methods, is noticed", () => {
  const changes: string[] = [
    "A.count++; s += A.count;",
    "new A(i).get.calls = (new A(i).get.calls ?? 0) + 1; s += new A(i).get.calls;",
    "s += A.next();",
    "s += new A(i).mine();",
  ];
  for (const change of changes) {
    const ran = check(`
      class A { static count = 0; static next() { return this.count++; } constructor(i) { this.i = i; } get() { return this.i; } mine() { return A.count += 2; } }
      function work(n) { let s = 0; for (let i = 0; i < n; i++) { ${change} } return s; }
      log(work(3), work(4), A.count, Object.keys(A.prototype.get)); log(work(2), A.count);`);
    assert.equal(taken(ran, "work"), 0, change);
  }
});

test("classes that are not there yet, and classes made anew", () => {
  check(`
    try { log(work(2)); } catch (error) { log(error.message); }
    class A { constructor(i) { this.i = i; } }
    function work(n) { let s = 0; for (let i = 0; i < n; i++) s += new A(i).i + later(n); return s; }
    try { log(work(2)); } catch (error) { log(error.message); }
    var B = class { constructor(i) { this.i = i; } }
    function later(n) { let s = 0; while (n-- > 0) s += new B(n).i; return s; }
    log(work(2));`);
  check(`
    function factory(k) { class A { add(n) { this.sum = (this.sum ?? 0) + n * k; return this; } } return (n) => { const a = new A(); for (let i = 0; i < n; i++) a.add(i); return a.sum; }; }
    const one = factory(1), two = factory(2); log(one(4), two(4), one(2));`);
});

test("what a class may not be, or be used for, is refused with a reason", () => {
  const loop = (body: string): string => `(n) => { let s = 0; for (let i = 0; i < n; i++) { ${body} } return s; }`;
  assert.deepEqual(
    refused(`
      class A { static count = []; } const a = ${loop("new A(); s++;")}
      class B {} B.x = 1; const b = ${loop("new B(); s++;")}
      class C {} const c = ${loop("s += [C].length;")}
      class D { m() { return Date.now(); } } const d = ${loop("new D(); s++;")}
      class E extends EventTarget {} const e = ${loop("new E(); s++;")}
      let F = class {}; F = class {}; const f = ${loop("new F(); s++;")}
      class G { static { this.n = 1; } } const g = ${loop("new G(); s++;")}
      class H { async m() {} } const h = ${loop("new H(); s++;")}
      class I extends (class {}) {} const i = ${loop("new I(); s++;")}
      class J { static #n = 1; } const j = ${loop("new J(); s++;")}
      class L { constructor(o) { return o; } } class M extends L { #m = 1; } const l = ${loop("new M({}); s++;")}
      const outer = class {}; { let Up = outer; class K extends Up {} log(((n) => { let s = 0; for (let i = 0; i < n; i++) { new K(); s++; } return s; })(2)); }
      log(a(1), b(1), c(1), e(1), f(1), g(1), h(1), i(1), j(1), l(1));`),
    [
      "a: uses `A`, which is a class with more than methods and fields",
      "b: uses `B`, which is a class that is changed",
      "c: uses the class `C` as a value",
      "d: calls `D`, which calls `Date.now`, which belongs to the realm or to another module (line 5)",
      "e: calls `E`, which makes an instance of `EventTarget`, which belongs to the realm or to another module (line 6)",
      "f: calls `F`, and which function that is, is only known at run time",
      "g: uses `G`, which is a class with more than methods and fields",
      "h: calls `H`, which is asynchronous (line 9)",
      "i: uses `I`, which extends what an expression gives",
      "j: uses `J`, which is a class with more than methods and fields",
      "l: calls `M`, which uses `L`, which has a constructor that gives another object (line 12)",
      "(anonymous): calls `K`, which extends `Up`, which is no class of the module (line 13)",
    ],
  );
});

test("exceptions that a region catches are looked at first", () => {
  const ran = check(`
    const parse = (texts) => texts.map((text) => { try { return JSON.parse(text); } catch (error) { return error instanceof SyntaxError ? null : 1; } });
    const deep = (n) => { try { return n === 0 ? 0 : 1 + deep(n - 1); } catch { return -1e9; } };
    const keys = (names) => { const o = { a: 1 }; return names.map((k) => { try { return o[k](); } catch (e) { return e.message; } }); };
    function closing(list) { let n = 0; for (const x of list) { try { n += x.a.b; } catch { n -= 1; } } return n; }
    log(parse(["1", "{", "[2]"]), deep(50), deep(1e6) < 0, keys(["a", "b"]), closing([{ a: { b: 2 } }]), closing([{}]));`);
  assert.deepEqual(sitesOf(ran), ["parse 1", "deep 1", "keys 1", "closing 1"]);
  assert.deepEqual([taken(ran, "parse"), taken(ran, "deep"), taken(ran, "keys"), taken(ran, "closing")], [1, 1, 0, 1]);
});
