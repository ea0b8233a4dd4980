import assert from "node:assert/strict";
import { test } from "node:test";
import { check, run, type Ran } from "../testing/run-module.js";
import { transform } from "./transform.js";

const heavy = "function heavy(...n) { let t = 0; for (const x of n) t += x; return t; }";

/** The values with which `exports.handler(...args)` would reach sites; demands that finding out has no effect. */
function previewed(ran: Ran, ...args: unknown[]): unknown[][] {
  const before = ran.log.length;
  const found = ran.home.preview(ran.exports["handler"], undefined, args);
  assert.equal(ran.log.length, before, "the preview had an effect");
  return found.map((one) => [one.site, ...one.args.flat(), ...one.reads]);
}

const handler = (source: string): Ran => run(`${heavy}\nlet state = 1;\n${source}`, "take");

test("arguments are followed through variables, arithmetic, properties and quick functions", () => {
  const ran = handler(`
    const side = (text) => Number(text.split("=")[1]);
    exports.handler = function (request) {
      const { url, query: { size = 4 } } = request;
      let n = side(url); n += size; n++;
      log("effect"); state = 2; request.seen = true;
      heavy(n, \`\${url}!\`, n > 5 ? "big" : "small", [n][0], Math.max(n, 3));
      log(heavy(n * 2) + heavy(n * 3));
    };`);
  const request = { url: "/?n=5", query: {} };
  assert.deepEqual(previewed(ran, request), [
    ["heavy", 10, "/?n=5!", "big", 10, 10],
    ["heavy", 20],
    ["heavy", 30],
  ]);
  assert.deepEqual(Object.keys(request), ["url", "query"]);
});

test("conditions choose, and where they are unknown both ways are tried", () => {
  const ran = handler(`
    const other = () => { log("called"); return true; };
    exports.handler = (n) => {
      if (n < 0) return heavy(-1);
      if (other()) { heavy(n, 1); if (n === 7) return; } else heavy(n, 2);
      switch (other()) { case 1: heavy(n, 3); break; default: heavy(n, 4); }
      try { heavy(n, 5); } finally { heavy(n, 6); }
      n > 1 && heavy(n, 7);
    };`);
  assert.deepEqual(previewed(ran, -1), [["heavy", -1]]);
  assert.deepEqual(previewed(ran, 7).slice(0, 2), [
    ["heavy", 7, 1],
    ["heavy", 7, 2],
  ]);
  assert.deepEqual(
    previewed(ran, 1).map((found) => found[2]),
    [1, 2, 3, 4, 5, 6],
  );
});

test("loops, callbacks of arrays and previews of other functions", () => {
  const ran = handler(`
    function each(list) { for (const [a, b] of list) { if (a > 2) continue; log(heavy(a, b)); } }
    const service = { run(n) { each([[n, 1], [3, 3], [n + 1, 2]]); return n; } };
    class Api { start(list) { list.forEach((x, at) => heavy(x, at, this.base)); } }
    exports.handler = async (n, list) => {
      service.run(n);
      await new Api().start(list);
      list.map((x) => log(heavy(x)));
      for (let i = 0; i < n; i++) log(heavy(i));
      while (heavy(9)) log("never");
    };`);
  assert.deepEqual(
    previewed(ran, 2, [5]).map((found) => found.slice(1)),
    [[2, 1], [5], [0], [1], [9]],
  );
});

test("a loop that is a site is found with what it reads", () => {
  const ran = run(
    `exports.handler = function (first, last) { var found = 0; for (var i = first; i < last; i++) if (i % 3) found++; log(found); };`,
    "take",
  );
  assert.deepEqual(previewed(ran, 5, 9), [["handler", 5, 9]]);
});

test("nothing of the program runs: getters, proxies, conversions, methods, constructors, iterators", () => {
  const ran = handler(`
    const bad = (what) => { log("ran " + what); return 1; };
    const trap = { get x() { return bad("getter"); }, toString() { return bad("toString"); }, valueOf() { return bad("valueOf"); },
      [Symbol.iterator]() { bad("iterator"); return [][Symbol.iterator](); } };
    const proxy = new Proxy({}, { get: () => bad("proxy"), has: () => bad("has"), getOwnPropertyDescriptor: () => bad("descriptor"), ownKeys: () => bad("keys") });
    class Thing { constructor() { bad("constructor"); } static get y() { return bad("static"); } set z(v) { bad("setter"); } }
    var count = 0, obj = { n: 1 };
    exports.handler = function (n) {
      count++; obj.n = 5; delete obj.n; n.p = 1; globalThis.leak = 1;
      const v = [trap.x, proxy.x, \`\${trap}\`, trap + 1, trap == 1, trap < 2, -trap, new Thing(), Thing.y, bad("f"), trap?.x, "x" in proxy, proxy instanceof Thing];
      const [d] = trap; const { e } = proxy; for (const x of trap) heavy(x); for (const x in proxy) heavy(x);
      new Thing().z = 1; bad\`tag\`; [1].forEach((x) => bad(x)); Number(trap); isNaN(proxy); "abc".replace("a", () => bad("replace"));
      String(trap); [3, 1].sort(() => bad("sort")); parseInt(proxy); Math.max(trap); new Map(trap); new URL(trap); import("node:fs");
      heavy(v.length, count, obj.n, trap.x, proxy.x);
      heavy(1);
    };`);
  const found = previewed(ran, {});
  assert.deepEqual(found, [["heavy", 1]]);
  assert.equal("leak" in globalThis, false);
});

test("a preview is a preview of its own function, never of one that holds it", () => {
  const ran = handler(`
    exports.handler = function () { log("outer"); return function inner() { heavy(1); log("inner"); }; };
    exports.defaults = (f = function () { heavy(2); }) => { log("defaults"); f(); };`);
  assert.deepEqual(previewed(ran), []);
  assert.deepEqual(ran.home.preview(ran.exports["defaults"], undefined, []), []);
  assert.deepEqual(ran.log, []);
});

test("functions with previews do what they did", () => {
  check(`${heavy}
    let n = 0;
    function a(x = 2) { 'use strict'; n += heavy(x); return n; }
    const b = (x) => heavy(x) + a();
    const c = async (x) => { const { y = 1 } = x; log(await heavy(y)); return b(y); };
    class K { constructor() { this.k = heavy(3); } run(x) { return heavy(x, this.k); } static twice(x) { return heavy(x) * 2; } }
    log(a(), b(1), new K().run(4), K.twice(2), n, a.length, a.name, K.prototype.run.name);
    c({}).then(log);`);
});

test("in packages a short function gets no preview that is longer than itself", () => {
  const short = "function isOne(n, all) { log(n); if (n < 9) return n === 1; return heavy(n, all) > 1; }";
  const long = short.replace("isOne", "isTwo").replace("return heavy", `${"log(n); ".repeat(80)}return heavy`);
  const text = `${heavy}\n${short}\n${long}\nexports.all = [isOne, isTwo];`;
  const count = (file: string) => transform(text, { key: "k1", kind: "commonjs", file }).previews;
  assert.equal(count("/srv/app.js"), 2);
  assert.equal(count("/srv/node_modules/some/index.js"), 1);
});
