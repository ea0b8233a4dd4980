import assert from "node:assert/strict";
import { test } from "node:test";
import { Learned, type RequestFacts } from "./learned.js";
import type { Site } from "./site.js";

const site = { phase: "hot" } as Site;

function get(url: string): RequestFacts {
  return { method: "GET", url, headers: {} };
}

function foretold(learned: Learned, facts: RequestFacts): unknown[][] {
  return learned.predict(facts).map(({ values }) => values);
}

test("an argument that is a word of the request is foretold for words that were never seen", () => {
  const learned = new Learned(Object.is);
  for (const n of [5, 12]) learned.observe(get(`/prime?n=${n}`), site, 0, [n], false);
  assert.deepEqual(foretold(learned, get("/prime?n=99")), [[99]]);
});

test("an argument that was looked up by the request is foretold when the same is asked for again", () => {
  const learned = new Learned(Object.is);
  const pages = new Map([..."abcd"].map((name) => [name, `text of ${name}`]));
  for (const [name, text] of pages) learned.observe(get(`/pages/${name}`), site, 0, [text], false);
  assert.deepEqual(foretold(learned, get("/pages/c")), [["text of c"]]);
  assert.deepEqual(foretold(learned, get("/pages/new")), []);
});

test("what changed since is foretold as it was last", () => {
  const learned = new Learned(Object.is);
  for (const text of ["one", "two", "three"]) {
    learned.observe(get("/pages/a"), site, 0, [text], false);
    learned.observe(get("/pages/b"), site, 0, [`other ${text}`], false);
  }
  assert.deepEqual(foretold(learned, get("/pages/a")), [["three"]]);
});

test("a route whose predictions never come true is given up", () => {
  const learned = new Learned(Object.is);
  for (const name of "abc") learned.observe(get(`/pages/${name}`), site, 0, [`text of ${name}`], false);
  let predictions = 0;
  for (let asked = 0; asked < 100; asked++) predictions += foretold(learned, get("/pages/b")).length;
  assert.ok(predictions > 0 && predictions < 20, `${predictions}`);
});

test("what is remembered does not grow without end", () => {
  const learned = new Learned(Object.is);
  const text = "x".repeat(500_000);
  for (let page = 0; page < 100; page++) learned.observe(get(`/pages/${page}`), site, 0, [text + page], false);
  assert.deepEqual(foretold(learned, get("/pages/3")), []);
  assert.deepEqual(foretold(learned, get("/pages/99")), [[`${text}99`]]);
});
