import assert from "node:assert/strict";
import { test } from "node:test";
import { lackOfRoom } from "./room.js";

const MB = 2 ** 20;
const limits = (addresses: string, data: string): string =>
  "Limit                     Soft Limit           Hard Limit           Units     \n" +
  `Max data size             ${data.padEnd(20)} unlimited            bytes     \n` +
  `Max address space         ${addresses.padEnd(20)} unlimited            bytes     \n`;
const statm = `${(1000 * MB) / 4096} 11000 9000 15000 0 ${(300 * MB) / 4096} 0\n`;

test("where nothing is limited there is room", () => {
  assert.equal(lackOfRoom(16, { limits: limits("unlimited", "unlimited"), statm }), undefined);
});

test("what the process has counts, and each worker", () => {
  const found = { limits: limits(String(12300 * MB), "unlimited"), statm };
  assert.equal(lackOfRoom(2, found), undefined);
  assert.match(lackOfRoom(3, found) ?? "", /address space is limited to 12300 MB/);
});

test("so do limits of data", () => {
  assert.match(lackOfRoom(1, { limits: limits("unlimited", String(1200 * MB)), statm }) ?? "", /data size is limited/);
});

test("without /proc nothing is known to be limited", () => {
  assert.equal(lackOfRoom(1, undefined), undefined);
});
