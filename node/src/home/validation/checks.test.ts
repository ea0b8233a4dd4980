import assert from "node:assert/strict";
import { test } from "node:test";
import { apart } from "../../testing/apart.js";
import type * as ChecksPart from "./checks.js";

const { sumOf } = apart<typeof ChecksPart>("home/validation/checks.js");

test("a sum is one of whole numbers that are exact, and no object is asked for its value", () => {
  let asked = 0;
  const object = { valueOf: () => ++asked };
  assert.deepEqual([sumOf(object, 1), sumOf(1, object), asked], [undefined, undefined, 0]);
  assert.deepEqual([sumOf(1, 2), sumOf(0, 0), sumOf(Number.MAX_SAFE_INTEGER - 1, 1)], [3, 0, Number.MAX_SAFE_INTEGER]);
  for (const [before, amount] of [
    [0.5, 1],
    [-0, 0],
    [1n, 1],
    ["1", 1],
    [Number.MAX_SAFE_INTEGER, 1],
  ])
    assert.equal(sumOf(before, amount), undefined);
});
