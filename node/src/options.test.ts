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
