import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModuleRecord } from "../../loader/cache.js";
import { now } from "../../shared/job-table.js";
import type { Validation } from "../validation/validation.js";
import { Phases } from "./phases.js";
import { Site, type Surroundings } from "./site.js";

/** Makes a text of the values, or finds that they have none. */
type Encode = () => string | undefined;

function siteWith(encode: Encode): { site: Site; home: Surroundings & { shipped: number; pause: number } } {
  const home = {
    mode: "auto" as const,
    inside: [] as Site[],
    validation: {
      encodeUntil: encode,
      newSegment() {},
      check: () => () => true,
      jobWith: () => (encode() === undefined ? null : undefined),
    } as unknown as Validation,
    jobs: { take: () => undefined, drop() {}, dropAll() {} },
    workers: { refusal: undefined, beginOwn() {}, endOwn() {} },
    shipped: 0,
    ahead: { state: { peek: false }, note() {}, ship: () => void home.shipped++, foretold() {}, gained() {} },
    learner: undefined,
    phases: new Phases({ becameHot() {}, elapsed() {}, contended: () => 0 }),
    pause: 0,
    rests: () => home.pause,
    spent() {},
    gained() {},
    worth: { judge() {}, gained() {} } as unknown as Surroundings["worth"],
    trace: undefined,
    keepsTimes: false,
    refuses: () => false,
  };
  const outline = { name: "f", builtins: [], writes: [], reads: [], scalar: false };
  const record = { key: "k", file: "f.js", sites: () => [outline] } as unknown as ModuleRecord;
  return { site: new Site(home, 0, 0, record), home };
}

/** So many milliseconds of work. */
function work(milliseconds: number): void {
  for (const end = now() + milliseconds; now() < end;);
}

/** A call as a guard makes it. @returns whether the guard was on */
function call(site: Site): boolean {
  if (!site.on) return false;
  if (site.enter([], []) === undefined) {
    work(3);
    site.leave();
  }
  return true;
}

function callUntilHot(site: Site): void {
  for (let calls = 0; site.phase !== "hot" && calls < 100; calls++) call(site);
  assert.equal(site.phase, "hot");
}

test("values without a text are found out before anything is done for them, and the site steps aside", () => {
  let asked = 0;
  const { site, home } = siteWith(() => void asked++);
  callUntilHot(site);
  const since = now();
  for (let calls = 0; calls < 10; calls++) call(site);
  assert.equal(asked, 3);
  assert.equal(site.on, false);
  assert.equal(site.asides, 1);
  assert.ok(site.isIdle && !site.isPromising);
  assert.equal(home.phases.someCalledSince(since), false);
});

test("a text that takes longer to make than what it spares is not made for long", () => {
  let asked = 0;
  const { site } = siteWith(() => {
    asked++;
    work(6);
    return "text";
  });
  callUntilHot(site);
  for (let calls = 0; calls < 10; calls++) call(site);
  assert.ok(asked < 6);
  assert.equal(site.phase, "resting");
  assert.ok(site.isIdle);
});

test("a site whose values have a text is promising from its first hot call on", () => {
  const { site, home } = siteWith(() => "text");
  callUntilHot(site);
  const since = now();
  assert.equal(home.phases.someCalledSince(0), false);
  call(site);
  assert.ok(site.isPromising && !site.isIdle);
  assert.equal(home.phases.someCalledSince(since), true);
  assert.equal(home.phases.someCalledSince(now()), false);
});

test("where the budget is used up sites rest, and none gets hot", () => {
  const { site, home } = siteWith(() => "text");
  callUntilHot(site);
  call(site);
  home.pause = 60_000;
  home.phases.overspent(home.pause);
  assert.equal(site.phase, "resting");
  const other = new Site(home, 1, 0, site.record);
  for (let calls = 0; calls < 10; calls++) call(other);
  assert.equal(other.phase, "resting");
});
