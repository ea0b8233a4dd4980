import assert from "node:assert/strict";
import { test } from "node:test";
import { elapsed } from "./job-table.js";

test("time elapsed survives the clock's wrap-around, and two threads that read it almost at once", () => {
  assert.equal(elapsed(5, 12), 7);
  assert.equal(elapsed(1_999_999_990, 5), 15);
  assert.equal(elapsed(112, 5), 0);
});
