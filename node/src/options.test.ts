import assert from "node:assert/strict";
import { test } from "node:test";
import { readOptions } from "./options.js";

test("as many workers may be asked for as heddle run lets through, and no more", () => {
  const asked = (text: string): unknown[] => {
    const { workers, complaints } = readOptions(`workers=${text}`, {}, undefined);
    return [workers, complaints.length];
  };
  assert.deepEqual(asked("1024"), [1024, 0]);
  for (const text of ["1025", "0", "01", "2.5"]) assert.deepEqual(asked(text), [undefined, 1]);
});

test("programs are governed unless somebody says never", () => {
  const { govern, complaints } = readOptions("govern=never", { HEDDLE_GOVERN: "auto" }, undefined);
  assert.deepEqual([govern, complaints.length], [false, 0]);
  assert.equal(readOptions(undefined, { HEDDLE_GOVERN: "never" }, undefined).govern, false);
  assert.equal(readOptions(undefined, {}, undefined).govern, true);
  const odd = readOptions("govern=maybe", {}, undefined);
  assert.deepEqual([odd.govern, odd.complaints.length], [true, 1]);
});
