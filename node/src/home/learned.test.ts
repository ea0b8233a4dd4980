import assert from "node:assert/strict";
import { test } from "node:test";
import { kindOf, Learned, type RequestFacts } from "./learned.js";
import type { Site } from "./site.js";

const site = { phase: "hot" } as Site;
const same = (a: unknown, b: unknown): boolean => Object.is(a, b) || JSON.stringify(a) === JSON.stringify(b);

function request(url: string, body?: string): RequestFacts {
  return { method: body === undefined ? "GET" : "POST", url, headers: { "x-size": "12" }, body };
}

/** What is foretold for `next` after the samples, each a request and the values it called the region with. */
function foretold(samples: [RequestFacts, unknown[]][], next: RequestFacts): unknown[] | undefined {
  const learned = new Learned(same);
  for (const [facts, values] of samples) learned.observe(facts, site, 0, values, false);
  return learned.predict(next)[0]?.values;
}

test("arguments are found in path, query, header, body and fields, as text and as numbers", () => {
  const table = { words: ["a"] };
  const sample = (n: number): [RequestFacts, unknown[]] => [
    request(`/tile/${n}/x?size=${n}px&name=b${n}`, JSON.stringify({ depth: n, inner: { list: [n] } })),
    [n, `b${n}`, n, [n], 12, table, "always"],
  ];
  assert.deepEqual(foretold([sample(1), sample(2)], sample(7)[0]), sample(7)[1]);
  assert.equal(foretold([sample(1)], sample(7)[0]), undefined, "one sample is none");
});

test("an origin that fails once is dropped, and what follows from nothing is not foretold", () => {
  const at = (a: number, b: number, value: unknown): [RequestFacts, unknown[]] => [
    request(`/p?a=${a}&b=${b}`),
    [value],
  ];
  assert.deepEqual(foretold([at(3, 3, 3), at(4, 5, 5), at(6, 6, 6)], at(1, 2, 0)[0]), [2]);
  assert.equal(foretold([at(1, 2, 90), at(3, 4, 91)], at(5, 6, 0)[0]), undefined);
});

test("requests of one route are of one kind", () => {
  assert.equal(kindOf(request("/user/17/posts?x=1")), kindOf(request("/user/alice/posts")));
  assert.notEqual(kindOf(request("/user/17")), kindOf(request("/item/17")));
  assert.notEqual(kindOf(request("/user/17")), kindOf(request("/user/17", "{}")));
});
