import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModuleRecord } from "../../loader/cache.js";
import { VainSites } from "./vain-sites.js";

const record = (key: string): ModuleRecord => ({ key }) as ModuleRecord;
const site = (index: number, key: string, phase: "hot" | "resting", isVain: boolean, isUseful: boolean) => ({
  ...{ index, record: record(key), phase, isVain, isUseful },
});

/** What is told of the sites at each look. */
function telling(sites: ReturnType<typeof site>[]): { told: unknown[]; vain: VainSites } {
  const told: unknown[] = [];
  const vain = new VainSites(sites, {
    judged: (key, vain, useful) => void told.push([key, vain, useful]),
    forget: (key) => void told.push(`not ${key}`),
  });
  return { told, vain };
}

test("sites that are in vain are told once, module by module, and taken back if they turn out to be of use", () => {
  const sites = [
    site(0, "a", "resting", true, false),
    site(1, "a", "hot", false, true),
    site(2, "a", "resting", true, false),
    site(0, "b", "resting", true, false),
  ];
  const { told, vain } = telling(sites);
  vain.look();
  const first = [
    ["a", [0, 2], [1]],
    ["b", [0], []],
  ];
  assert.deepEqual(told, first);
  vain.look();
  assert.deepEqual(told, first);
  Object.assign(sites[3] as object, { phase: "hot", isVain: false });
  vain.look();
  assert.deepEqual(told, first, "hot, but nobody knows whether that is of use");
  Object.assign(sites[3] as object, { isUseful: true });
  vain.look();
  vain.look();
  assert.deepEqual(told, [...first, "not b"]);
});

test("what is not known at first is told when it is, and what is hot to the last counts as useful", () => {
  const sites = [site(0, "a", "hot", false, false), site(1, "a", "hot", false, false)];
  const { told, vain } = telling(sites);
  vain.look();
  assert.deepEqual(told, []);
  Object.assign(sites[0] as object, { isVain: true });
  vain.look();
  assert.deepEqual(told, [["a", [0], []]]);
  for (let look = 3; look < 15; look++) vain.look();
  assert.deepEqual(told, [["a", [0], []]]);
  vain.look();
  assert.deepEqual(told, [
    ["a", [0], []],
    ["a", [], [1]],
  ]);
});
