/** Where a careless transform would change what a program does. Each runs natively and with regions replaced. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { check, sitesOf, taken } from "../testing/run-module.js";

/** Programs that must do the same, whatever becomes a site. */
const same: Record<string, string> = {
  "two closures share a variable": `
    function counter() { let n = 0; return { up: (k) => { for (let i = 0; i < k; i++) n++; return n; }, get: () => n, loop(k) { while (k-- > 0) n += 2; return n; } }; }
    const a = counter(), b = counter(); log(a.up(3), b.up(5), a.loop(2), a.get(), b.get(), a.up(1));`,
  "closures of a loop keep their own variable": `
    const fs = []; for (let i = 0; i < 3; i++) fs.push((n) => { let t = 0; for (let k = 0; k < n; k++) t += i; return t; });
    var gs = []; for (var j = 0; j < 3; j++) gs.push((n) => { let t = 0; for (let k = 0; k < n; k++) t += j; return t; });
    log(fs.map((f) => f(2)), gs.map((f) => f(2)));`,
  "getters and setters of arguments run where and as often as they did": `
    const sum = (o) => { let t = 0; for (const k in o) t += o[k]; return t; };
    const o = { get a() { log("get a"); return 1; }, b: 2 }; log(sum(o)); log(sum({ a: 1, b: 2 }));
    const put = (o) => { for (let i = 0; i < 2; i++) o.x = i; return o; }; log(put({ set x(v) { log("set", v); } }));`,
  "frozen and sealed objects, and the difference that strict code makes": `
    const sloppy = (o) => { for (let i = 0; i < 1; i++) o = Object.keys(o).length; return o; };
    function fill(n) { 'use strict'; const o = {}; for (let i = 0; i < n; i++) o[i] = i; return o; }
    const touch = (list) => { let t = 0; for (const x of list) { x.n = 1; t += x.n | 0; } return t; };
    const strict = (list) => { 'use strict'; let t = 0; for (const x of list) { x.n = 1; t++; } return t; };
    log(sloppy(Object.freeze({ a: 1 })), fill(3), touch([Object.freeze({})]), touch([{}])); try { strict([Object.freeze({})]); } catch (e) { log(e.message); }`,
  "in, hasOwn, delete, holes, undefined": `
    const f = (o, list) => { const r = []; for (const k of list) r.push(k in o, Object.hasOwn(o, k), o.hasOwnProperty(k)); return r; };
    const holes = (a) => { let r = ""; for (let i = 0; i < a.length; i++) r += (i in a) + ","; return r + a.map((x) => 1).length; };
    log(f({ a: undefined, b: 1 }, ["a", "b", "c", "toString"]), holes([1, , undefined, 3]), holes(new Array(3)));
    const d = (n) => { const o = { a: 1, b: 2 }; for (let i = 0; i < n; i++) delete o.a; return o; }; log(d(0), d(1));`,
  "default parameters and patterns with effects": `
    let n = 0; const next = () => ++n;
    function f(a = next(), { b = next() } = {}, [c = next()] = []) { let t = 0; for (let i = 0; i < 2; i++) t += a + b + c; return t; }
    log(f(), n, f(1), n, f(1, { b: 1 }, [1]), n);
    const g = ({ get } = { get get() { log("get"); return 3; } }) => { let t = 0; while (t < get) t++; return t; }; log(g());`,
  "labels, continue, switch, nested breaks": `
    function f(rows) { let n = 0; outer: for (const r of rows) { inner: for (const x of r) { switch (x) { case 0: continue outer; case 1: continue inner; case 2: break outer; case 3: break; default: n += 10; } n++; } n += 100; } return n; }
    log(f([[1, 3, 4], [0, 4], [4, 2, 4], [4]]));
    function g(rows) { let n = 0; a: { for (const x of rows) { if (x) break a; n++; } n = -1; } log(n); for (const x of rows) { if (x === 2) return "left " + n; n++; } return n; } log(g([0, 1]), g([0, 0]), g([1, 2]));`,
  "hoisting: functions and variables used before their place": `
    log(f(3), typeof v); var v = 1; function f(n) { let t = 0; for (let i = 0; i < n; i++) t += g(i); return t; var g; function g(x) { return x + 1; } }
    log(h(2)); function h(n) { x = 0; for (var i = 0; i < n; i++) { x += i; var x; } return x; }`,
  "variables before their declaration is reached throw, also where a constant would do": `
    try { log(f(2)); } catch (e) { log(e.name); } const K = 2, T = [1, 2]; let L = 3; log(f(2));
    try { log(early(1)); } catch (e) { log(e.name); } var V = [4], G = (x) => x; log(early(1));
    function f(n) { let t = 0; for (let i = 0; i < n; i++) t += K + T[0] + L; return t; }
    function early(n) { let t = 0; for (let i = 0; i < n; i++) t += G(V[0]); return t; }
    { try { inner(1); } catch (e) { log(e.name); } const inner = (n) => { for (;;) return n; }; log(inner(1)); }`,
  "shadowed built-ins": `
    const Math = { floor: (x) => { log("mine"); return x; } }; function f(n) { let t = 0; for (let i = 0; i < n; i++) t += Math.floor(i); return t; } log(f(2));
    function g(parseInt, n) { let t = 0; for (let i = 0; i < n; i++) t += parseInt(i); return t; } log(g((x) => { log("given"); return x; }, 2));
    function h(n) { var JSON = { stringify: () => "hidden" }, s = ""; for (let i = 0; i < n; i++) s += JSON.stringify(i); return s; } log(h(2));
    function k(undefined, n) { let t = 0; for (let i = 0; i < n; i++) t += undefined; return t; } log(k(4, 2));`,
  "arguments, and its alias in sloppy code": `
    function f(a) { a = 5; for (let i = 0; i < 2; i++) a++; return arguments[0]; } log(f(1));
    function g(a) { let t = 0; for (let i = 0; i < 2; i++) { a += i; t += a; } return [t, a, arguments[0], arguments.length]; } log(g(1), g());
    function h(n) { 'use strict'; let t = 0; for (const x of arguments) t += x; return t; } log(h(1, 2, 3));`,
  "functions in blocks of sloppy code": `
    function g() { return 1; } function f(c) { let t = 0; for (let i = 0; i < 2; i++) { if (c) { function g() { return 2; } } t += g ? g() : 0; } return t; }
    try { log(f(true)); } catch (e) { log(e.name); } try { log(f(false)); } catch (e) { log(e.name); }
    { function late() { return "block"; } } function use(n) { let s = ""; for (let i = 0; i < n; i++) s += late(); return s; } log(use(2));`,
  "names, lengths, prototypes of functions": `
    function f(a, b = 1, ...c) { for (;;) return a; } const g = (x) => { for (;;) return x; }, o = { m(x, y) { for (;;) return x; }, ["c" + 1]: (q) => { for (;;) return q; } };
    log(f.name, f.length, g.name, g.length, o.m.name, o.m.length, o.c1.name, "prototype" in g, "prototype" in o.m, typeof f.prototype, new f() instanceof f);`,
  "generators and asynchronous functions": `
    function* gen(n) { for (let i = 0; i < n; i++) { let t = 0; for (let k = 0; k < i; k++) t += k; yield t; } }
    const run = async (n) => { let t = 0; for (let i = 0; i < n; i++) t += i; await null; for (let i = 0; i < n; i++) { t += await i; } return t; };
    log([...gen(4)]); run(4).then(log); const take = (n) => { let t = 0; for (const x of gen(n)) t += x; return t; }; log(take(5));`,
  "tagged templates and String.raw": `
    const tag = (s, ...v) => s.raw.join("|") + v.join(","); const seen = new Set();
    const f = (n) => { let r = ""; for (let i = 0; i < n; i++) r += tag\`a\${i}\\n\` + String.raw\`\\u\${i}\`; return r; }; log(f(2));
    const id = (s) => s; const g = (n) => { let r = []; for (let i = 0; i < n; i++) r.push(id\`x\`); return r[0] === r[n - 1]; }; log(g(2));`,
  "the position that a regular expression keeps": `
    const G = /a/g, Y = /a/y, R = /(a)(b)?/; const f = (s) => { let n = 0; while (G.test(s)) n++; return n; }; log(f("aba"), G.lastIndex); G.test("a"); log(f("aba"));
    const g = (s) => { let n = 0; while (R.test(s) && n < 3) n++; return s.replace(R, "$2$1") + n; }; log(g("ab"), g("x"));
    const h = (s) => { const r = /a/g; let n = 0; for (let m; (m = r.exec(s)); ) n += m.index; return n; }; log(h("aaa"), h("aaa"));
    const y = (s) => { let n = 0; for (let i = 0; i < 3; i++) n += Y.test(s); return n; }; log(y("aab"));
    const C = /x/g; const k = (s) => { let r = ""; for (const w of s.split(" ")) r += w.replace(C, (x) => x + r.length); return r; }; log(k("axx x"), C.lastIndex);`,
  "exceptions inside and out": `
    const inner = (n) => { let r = ""; for (let i = 0; i < n; i++) try { if (i % 2) throw new RangeError("odd " + i); null.x; } catch (e) { r += e.name + ":" + e.message; } finally { r += ";"; } return r; }; log(inner(3));
    const out = (n) => { for (let i = 0; ; i++) if (i > n) throw new TypeError("at " + i); }; try { out(2); } catch (e) { log(e.message, e instanceof TypeError, e.stack.split("\\n")[1].includes("out")); }
    let x = 0; const part = (n) => { for (let i = 0; i < n; i++) { x++; if (i === 2) throw i; } }; try { part(9); } catch (e) { log(e, x); }
    const depth = (n) => { try { return depth(n + 1); } catch { return n > 10; } }; log(depth(0));
    const msg = (o, k) => { let r = ""; for (let i = 0; i < 1; i++) try { o[k](); } catch (e) { r += e.message; } return r; }; log(msg({}, "foo"), msg([1], 0));`,
  "coercions call nothing of the program": `
    const f = (a, b) => { let r = []; for (let i = 0; i < 1; i++) r.push(a + b, a < b, a == b, \`\${a}\`, a * b, [a] + ""); return r; };
    log(f(1, "2"), f([1], {}), f({ valueOf: 1, toString: 2 }.x, null)); const o = { toString() { log("called"); return "o"; }, valueOf() { log("value"); return 7; } }; log(f(o, 1));
    try { f({ toString: 1, valueOf: 2 }, 1); } catch (e) { log(e.name); } try { f(Symbol("s"), 1); } catch (e) { log(e.name); } log(f(1n, 2n)); try { f(1n, 2); } catch (e) { log(e.name); }`,
  "spread, optional chaining, nullish, exponent, comma, in arguments and results": `
    const f = (a, ...r) => { let t = [...a, ...r]; for (const x of r) t = [...t, a?.[0]?.y ?? x ** 2, (x, a?.length)]; return { ...{ t }, n: null ?? 5 }; }; log(f([1], 2, 3), f([{ y: 1 }], 2), f("ab", 1));`,
  "classes inside": `
    'use strict'; const f = (n) => { class A { #n = 1; static s = 2; static { this.t = this.s + 1; } constructor(x) { this.x = x; } get d() { return this.x * 2; } up() { this.#n++; return this.#n; } } class B extends A { up() { return super.up() + 10; } }
      const b = new B(n); let t = 0; for (let i = 0; i < n; i++) t += b.up() + b.d + A.t; return t; }; log(f(3));`,
  "this in sloppy code is the global object": `
    var f = function (n) { function g() { return this === undefined ? "none" : typeof this; } let r = ""; for (let i = 0; i < n; i++) r += g(); return r; }; log(f(2));
    const o = { n: 1, m(k) { for (let i = 0; i < k; i++) this.n++; return this.n; } }; log(o.m(2), o.n);`,
  "BigInt, -0, NaN, undefined and null stay apart": `
    const f = (x) => { const r = []; for (let i = 0; i < 1; i++) r.push(Object.is(x, -0), x !== x, typeof x, x === null, 1 / x); return r; };
    log(f(0), f(-0), f(NaN), f(undefined), f(null), f("")); const b = (x) => { let t = x; for (let i = 0n; i < 3n; i++) t *= 2n; return [t, -t, BigInt.asUintN(4, t)]; }; log(b(5n));
    const z = (n) => { let t = -0; for (let i = 0; i < n; i++) t *= 1; return t; }; log(Object.is(z(1), -0)); let last = 0; const s = (n) => { for (let i = 0; i < n; i++) last = -0; return n; }; s(1); log(Object.is(last, -0));`,
  "what is the same object stays the same object": `
    const o = { a: 1 }; const same = (a, b) => { let r = false; for (let i = 0; i < 1; i++) r = a === b; return r; }; log(same(o, o), same(o, { a: 1 }));
    const pick = (list, n) => { for (const x of list) if (x.a === n) return x; }; log(pick([o], 1) === o); const back = (x) => { for (;;) return x; }; log(back(o) === o, back([o])[0] === o);
    let held = [o]; const swap = (n) => { for (let i = 0; i < n; i++) held = held.slice(); return held[0]; }; log(swap(1) === o, held[0] === o); const keep = { list: [] }; let cur = keep.list; const grow = (n) => { for (let i = 0; i < n; i++) cur = cur; return n; }; grow(1); log(cur === keep.list);`,
  "objects that were given, or are the module's, are changed where they are": `
    const put = (list, n) => { for (let i = 0; i < n; i++) list.push(i); return list; }; const mine = []; log(put(mine, 2) === mine, mine);
    const sortIt = (a) => { const b = a; return b.sort((x, y) => x - y); }; const s = [3, 1]; sortIt(s); log(s); const first = (rows) => { for (const r of rows) r.n = 1; return 1; }; const rows = [{}]; first(rows); log(rows);
    const cache = {}; const memo = (n) => { for (let i = 0; i < 2; i++) cache[n] = (cache[n] || 0) + 1; return cache[n]; }; log(memo(1), memo(1), cache);
    let alias = []; const sneak = (n) => { let a = n ? alias : []; for (let i = 0; i < 2; i++) a.push(i); return a.length; }; log(sneak(1), sneak(1), alias);
    const deep = (o) => { let p = o; while (p.next) { p = p.next; p.seen = true; } return 1; }; const chain = { next: { next: {} } }; deep(chain); log(chain);
    function stat() { for (let i = 0; i < 2; i++) stat.calls = (stat.calls || 0) + 1; return stat.calls; } log(stat(), stat());`,
  "words of the data that name members of the language": `
    const count = (words) => { const n = {}; for (const w of words) n[w] = (n[w] || 0) + 1; return n; }; log(count(["a", "b", "a"]), String(count(["constructor", "toString", "a"]).constructor).length, Object.keys(count(["__proto__", "x"])));
    const call = (a, k, v) => { let r; for (let i = 0; i < 1; i++) r = a[k](v); return r; }; log(call([3, 4], "indexOf", 4), call("abc", "constructor", 5)); try { call([], "nothing", 1); } catch (e) { log(e.message); }
    const pollute = (o, k, j, v) => { for (let i = 0; i < 1; i++) o[k][j] = v; return 1; }; pollute({}, "__proto__", "polluted", 1); log({}.polluted); delete Object.prototype.polluted;
    const fn = (o, k) => { let r; for (let i = 0; i < 1; i++) r = o[k][k]("return 6 * 7")(); return r; }; log(fn([], "constructor"));`,
  "the text of functions": `
    const f = (n) => { const g = (o, k) => o[k]; let r = ""; for (let i = 0; i < n; i++) r += typeof g; return r; }; log(f(2));`,
  "functions handed on": `
    const dbl = (x) => x * 2, by = (a, b) => a - b; const f = (list) => list.map(dbl).sort(by).filter(Boolean).map(String).map(Number).map(Math.abs); log(f([3, 0, -1]));
    const apply = (fn, list) => { const r = []; for (const x of list) r.push(fn(x)); return r; }; log(apply(dbl, [1, 2]), apply((x) => { log("side", x); return x; }, [1]));
    tag.cache = 5; function tag(x) { return tag.cache + x; } const g = (list) => list.map(tag); log(g([1])); tag.cache = 6; log(g([1]));`,
  "several writes, swaps and conditions": `
    let a = 1, b = 2, c = { n: 0 }; const f = (n) => { for (let i = 0; i < n; i++) { [a, b] = [b, a + b]; if (a > 5) ({ n: c } = { n: { n: a } }); } return a; }; log(f(2), a, b, c, f(6), a, b, c);
    let x, y; const g = (n) => { for (let i = 0; i < n; i++) x ??= i, (y ||= n); return x; }; log(g(2), x, y, g(3), x, y); const k = 1; const bad = (n) => { for (let i = 0; i < n; i++) k++; }; try { bad(1); } catch (e) { log(e.name); } log(k);
    var q = 1; function h(n) { for (var q = 0; q < n; q++); return q; } log(h(3), q); let w = 0; function outer(n) { for (let i = 0; i < n; i++) inner(i); return w; } function inner(i) { w += i; } log(outer(4), w, outer(2), w);`,
  "loops whose variables live on": `
    function f(n) { var i, last, seen = 0; for (i = 0; i < n; i++) { var t = i * 2; last = t; seen++; } log(i, last, t, seen); for (i = 0; i < 2; i++) { var u; log(u); u = i; } var k = 5; while (k > n) k--; log(k); do { k += 2; } while (k < 10); return k; } log(f(3), f(0));
    function g(list) { let out = [], m = null; for (const x of list) { if (!m || x > m.x) m = { x }; } log(m); for (const x of list) out.push(x); let s = 0; for (var p in list) s += p; log(out, s, p); var first; for (var q = 0; q < 3; q++) { if (first === undefined) first = q; } return first; } log(g([1, 3, 2]));
    function h(n) { const fs = []; for (let i = 0; i < n; i++) { let c = 0; fs.push(() => ++c); } log(fs[0](), fs[0](), fs[1]()); var z = 0; const get = () => z; for (let i = 0; i < n; i++) z += i; return get(); } log(h(3));`,
  "names that the guards might hide": `
    function f($hr, n) { let $h0 = 1; for (let i = 0; i < n; i++) $hr += $h0; return $hr; } log(f(1, 2)); const g = (n) => { const k = 2; const h = (x) => { let t = 0; for (let i = 0; i < x; i++) t += useK(); return t; }; return h(n) + k; }; const k = 5; function useK() { return k; } log(g(2));`,
  "a function declared by an if or a label of sloppy code": `
    try { log(early(1)); } catch (e) { log(e.name); } if (log("if") === undefined) function f(x) { return x + 1; }
    function early(n) { let t = 0; for (let i = 0; i < n; i++) t += f(i); return t; } log(early(2));`,
  "a function declared in a block of sloppy code, where the function around has one of that name": `
    function f(n) { function own() { return 1; } let t = 0; { function own() { return 2; } } for (let i = 0; i < n; i++) t += own(); return t; } log(f(3));
    const g = (n) => { let t = 0; function own() { return 5; } if (n > 1) { t += own(); function own() { return 2; } } for (let i = 0; i < n; i++) t += own(); return t; }; log(g(3), g(1));
    function h(n) { let t = 0; for (let i = 0; i < n; i++) { function late() { return 7; } t += late(); } return t + (late ? late() : 0); } log(h(3), h(0));
    function k(n) { switch (n) { default: for (let i = 0; i < n; i++); function one() { return "inner"; } } const kept = one; function one() { return "outer"; } return kept(); } log(k(3));`,
  "what the last match of a regular expression left behind": `
    const f = (s) => { let n = 0; for (const w of s.split(" ")) if (/^(a+)$/.test(w)) n++; return n; }; log(f("aa b"), RegExp.$1); log(f("a b"), RegExp["$1"]);`,
  "private names of a class around": `
    class A { #x = 1; static has(list) { let n = 0; for (const o of list) if (#x in o) n++; return n; } static sum(list) { let t = 0; for (const o of list) t += o.#x; return t; } }
    log(A.has([new A(), {}, []]), A.sum([new A()])); try { A.sum([{}]); } catch (e) { log(e.name); }
    class B { #y = 2; static inner(n) { let t = 0; for (let i = 0; i < n; i++) t += i; return class C { #z = t; get(o) { return o.#y + this.#z; } }; } }
    log(new (B.inner(3))().get(new B()));`,
  "asi, comments and odd spacing around arrows": `
    const f = n =>
      // a comment with => in it
      (n, [...Array(n).keys()].map(x=>x*2).filter((x)=>x>1).length)
    const g = (a, /* => */ b = [1].map((x) => x)) => ({ v: [a, b].map((x) => x) }), h = n => x => [n].map((y) => y + x)
    log(f(4), g(1), h(1)(2)); if (f(2)) for (let i = 0; i < 1; i++); else log("else"); function lone(n) { if (n) while (n--) ; else for (;;) break; return n } log(lone(2), lone(0))`,
};

for (const [name, source] of Object.entries(same)) test(name, () => void check(source));

test("what becomes of these: sites where values decide, refusals where objects or the realm do", () => {
  const reasons = (source: string): string[] => check(source).transformed.refusals.map((one) => one.reason);
  const body = (expression: string): string[] =>
    reasons(`function f(n) { let t = 0; for (let i = 0; i < n; i++) { ${expression} } return t; }`);
  assert.match(body("t += this.x;")[0] ?? "", /uses `this`/);
  assert.match(body("t += arguments.length;")[0] ?? "", /`arguments`/);
  assert.match(body("t += new Date();")[0] ?? "", /`Date`/);
  assert.match(body("t += new.target;")[0] ?? "", /new\.target/);
  assert.match(body("leak = i;")[0] ?? "", /global `leak`/);
  assert.match(body("t += [].constructor(i);")[0] ?? "", /constructor/);
  assert.match(body("t += unknown(i);")[0] ?? "", /calls `unknown`/);
  assert.match(body("n.list.push(i);")[0] ?? "", /changes what `n` holds/);
  assert.match(body("t += n(i);")[0] ?? "", /calls `n`, which is whatever the caller gave/);
  assert.match(body("t += import('x');")[0] ?? "", /loads a module/);
  assert.match(body("debugger;")[0] ?? "", /debugger/);
  assert.match(body("t += structuredClone(i);")[0] ?? "", /structuredClone/);
  assert.match(body("t += { __proto__: i };")[0] ?? "", /prototype/);
  assert.match(body("t += process.hrtime()[0];")[0] ?? "", /`process/);
  assert.match(
    reasons(
      "const seen = new Map(); exports.add = (n) => seen.set(n, 1); const f = (n) => { for (;;) seen.get(n); };",
    )[0] ?? "",
    /is a Map/,
  );
  assert.match(reasons("const g = require('x'); exports.f = (n) => { for (;;) g(n); };")[0] ?? "", /another module/);
});

test("regions that are not pure on some data are computed at home on those, and only on those", () => {
  const ran = check(`
    const count = (words) => { const n = {}; for (const w of words) n[w] = (n[w] || 0) + 1; return Object.keys(n).length; };
    log(count(["a", "b"]), count(["constructor"]), count(["c"]));`);
  assert.deepEqual(sitesOf(ran), ["count 1"]);
  assert.equal(taken(ran, "count"), 2);
});

test("a function expression that uses itself for more than to be called is no region: it may have properties", () => {
  const ran = check(`
    const counts = function own(n) { own.calls = (own.calls || 0) + 1; let s = 0; for (let i = 0; i < n; i++) s += i; return s + own.calls; };
    const steps = function own(n) { let s = 0; for (let i = 0; i < n; i++) s += own.step; return s; };
    const keeps = function own(n) { const me = own; let s = 0; for (let i = 0; i < n; i++) me["c" + (i % 2)] = i; return Object.keys(me).length; };
    const makes = function own(n) { let s = 0; if (n > 0) for (let i = 0; i < n; i++) s += typeof new own(0); return s; };
    const maps = function own(n) { own.by ??= 2; return Array.isArray(n) ? n.map(own) : n * own.by; };
    const recurs = function again(n) { let s = 1; for (let i = 0; i < n; i++) s += again(i); return s; };
    steps.step = 3;
    for (let at = 0; at < 3; at++) {
      log(counts(4), counts.calls, steps(4), keeps(4), Object.keys(keeps).length, makes(2), maps([1, 2]), recurs(5));
      steps.step++; keeps["more" + at] = 1; maps.by = at;
    }`);
  assert.deepEqual(sitesOf(ran), ["loop in own 3", "again 1"]);
  assert.ok(taken(ran, "again") > 0);
});
