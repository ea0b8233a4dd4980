import assert from "node:assert/strict";
import { test } from "node:test";
import { markers } from "../contract.js";
import { transform } from "../transform/transform.js";
import { withoutGuards } from "./trimming.js";

const text = `function sum(list) { let s = 0; for (const n of list) s += n; return s; }
const twice = (n) => [n].map((x) => { let t = 0; for (let i = 0; i < x; i++) t += i; return t; });
const fib = (n) => n < 2 ? n : fib(n - 1) + fib(n - 2);
function power(n, e) { return e === 0 ? 1 : n * power(n, e - 1); }
let kept = 0;
function roll() { kept = Math.random(); for (let i = 0; i < 9; i++) { kept += i; for (let k = 0; k < i; k++) kept++; } }
class Box { total(list) { let s = 0; for (const n of list) s += n; return s; } }
exports.all = [sum, twice, fib, power, roll, Box];
`;
const made = transform(text, { key: "k1", kind: "commonjs", file: "/a.js" });
const all = made.sites.map(({ index }) => index);
const asked = (one: string): number[] =>
  [...one.matchAll(/\$h(\d+)\?\.on(?:\)|&&\$hc\1\))/g)].map(([, index]) => Number(index)).sort();

test("the guards of the sites that are named go, all others stay, and what was written stays", () => {
  assert.ok(all.length >= 5);
  assert.deepEqual(asked(made.text), all);
  for (let chosen = 0; chosen < 2 ** all.length; chosen++) {
    const left = new Set(all.filter((index) => chosen & (1 << index)));
    const trimmed = withoutGuards(made.text, left);
    assert.deepEqual(
      asked(trimmed),
      all.filter((index) => !left.has(index)),
    );
    assert.equal(trimmed.replace(markers.insertion, ""), text);
    new Function("exports", "process", trimmed); // it is a program
  }
});

test("brackets in texts and expressions of a preview are none", () => {
  const texts = ["')'", '"("', "`}`", String.raw`'\')'`, "/[)]/", "/\\)[(]/.source"];
  for (const one of texts) {
    const inner = `function work(n, text) { let s = n; for (let i = 0; i < 3; i++) s += text.length; return s; }
function all(list, log) {
  log.push(list.length);
  for (let r = 0; r < 2; r++) {
    const put = (box) => { box.n = work(r, ${one}); };
    put({ n: 0 });
  }
}`;
    const made = transform(inner, { key: "k1", kind: "commonjs", file: "/a.js" });
    for (let chosen = 0; chosen < 2 ** made.sites.length; chosen++) {
      const left = new Set(made.sites.map(({ index }) => index).filter((index) => chosen & (1 << index)));
      new Function("exports", "process", withoutGuards(made.text, left));
    }
  }
});

test("a guard whose brackets do not add up stays", () => {
  const opened = `/*$h*/var $h0=$h?.sites[0],$h1=$h?.sites[1];/*h$*/`;
  const odd = `/*$h*/{if($h0?.on){/*h$*/ a(); /*$h*/}/*h$*/ {{}`.replace("{{}", "}");
  const even = `/*$h*/{if($h1?.on){}/*h$*/ b(); /*$h*/}/*h$*/`;
  const trimmed = withoutGuards(`${opened}${odd}${even}`, new Set([0, 1]));
  assert.equal(trimmed, `${opened}${odd} b(); `);
});

test("a trimmed text does what the text does", () => {
  const run = (one: string): unknown[] => {
    const module = { all: [] as ((...args: unknown[]) => unknown)[] };
    (new Function("exports", "process", one) as (exports: object, process: object) => void)(module, {});
    const [sum, twice, fib, power] = module.all as [typeof Math.max, typeof Math.max, typeof Math.max, typeof Math.max];
    return [sum([1, 2, 3] as never), twice(4), fib(9), power(2, 5)];
  };
  assert.deepEqual(run(withoutGuards(made.text, new Set(all))), run(text));
  assert.deepEqual(run(withoutGuards(made.text, new Set([all[0] as number]))), run(text));
});

test("previews go with them if they are to, and nothing else of the module does", () => {
  const inner = `function work(n) { let s = n; for (let i = 0; i < 3; i++) s += i; return s; }
function log(list) { list.push(work(list.length)); return list; }
exports.log = log;
`;
  const made = transform(inner, { key: "k1", kind: "commonjs", file: "/a.js" });
  assert.ok(made.previews > 0 && made.text.includes("/*$h preview"));
  const kept = withoutGuards(made.text, new Set([0]));
  const trimmed = withoutGuards(made.text, new Set([0]), true);
  assert.ok(kept.includes("/*$h preview") && !trimmed.includes("/*$h preview"));
  assert.equal(trimmed.replace(markers.insertion, ""), inner);
  assert.deepEqual(asked(withoutGuards(made.text, new Set(), true)), [0]);
  new Function("exports", "process", trimmed);
});
