import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModuleRecord } from "../../loader/cache.js";
import { ShortSites } from "./short-sites.js";

const record = (key: string): ModuleRecord => ({ key }) as ModuleRecord;

test("sites that are short are told once, module by module, and taken back if they turn out to be long", () => {
  const [a, b] = [record("a"), record("b")];
  const sites = [
    { index: 0, record: a, isIdle: true, isPromising: false },
    { index: 1, record: a, isIdle: false, isPromising: true },
    { index: 2, record: a, isIdle: true, isPromising: false },
    { index: 0, record: b, isIdle: true, isPromising: false },
  ];
  const told: unknown[] = [];
  const short = new ShortSites(sites, {
    judged: (key, short, long) => void told.push([key, short, long]),
    forget: (key) => void told.push(`not ${key}`),
  });
  short.look();
  const first = [
    ["a", [0, 2], [1]],
    ["b", [0], []],
  ];
  assert.deepEqual(told, first);
  short.look();
  assert.deepEqual(told, first);
  (sites[3] as { isPromising: boolean }).isPromising = true;
  short.look();
  short.look();
  assert.deepEqual(told, [...first, "not b"]);
});
