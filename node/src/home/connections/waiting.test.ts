/** Whatever a packet waits for, each way in which that can end leads to its being given: no wake-up is lost. */
import assert from "node:assert/strict";
import { test } from "node:test";
import "../../arithmetic.js";
import { now, State } from "../../shared/job-table.js";
import { Jobs, type Job, type Region } from "../workers/jobs.js";
import { Waiting, type Held } from "./waiting.js";

function region(): Region {
  return {
    ...{ id: 0, cost: 1, jobs: new Map(), shipped: 0, stolen: 0, late: 0, waited: 0, failed: 0 },
    isOutdated: false,
    program: () => ({ site: 0, text: "", name: "", writes: false }),
    tookFromWorker() {},
    gaveNone() {},
    wastedOne() {},
  };
}

/** Jobs as they are, with workers that do what a test says. */
function scene() {
  const site = region();
  const jobs = new Jobs(() => ({
    ...{ describe() {}, sendArguments: () => 0, takeResult: () => undefined, replace() {} },
  }));
  const staff = {
    ...{ areUp: true, someAlive: true, held: false, jobs, serve() {} },
    hold(wanted: boolean): void {
      staff.held = wanted;
    },
  };
  const waiting = new Waiting(staff, () => {}, true);
  jobs.released = () => waiting.goOn();
  const given: string[] = [];
  let number = 0;
  const begin = (job: Job): void => {
    assert.ok(jobs.table.exchange(job.slot, State.READY, State.RUNNING));
    jobs.table.begin(job.slot, 0);
  };
  return {
    ...{ site, jobs, staff, waiting, given, begin },
    ship: (): Job => {
      const job = jobs.ship(site, `n${++number};`, undefined);
      assert.ok(job);
      return job;
    },
    /** As a worker does, and home's port. */
    finish(job: Job, state: number = State.DONE): void {
      if (jobs.table.finish(job.slot, state, "n7;")) waiting.goOn();
    },
    put(name: string, wanted: readonly Job[], more: Partial<Held> = {}): void {
      const give = (done: () => void): void => {
        given.push(name);
        done();
      };
      waiting.put({ jobs: wanted, until: Infinity, paused: () => false, closed: () => false, give, ...more });
    },
  };
}

/** @param end how the job ends for which a packet waits */
function endsWith(end: (one: ReturnType<typeof scene>, job: Job) => void): void {
  const one = scene();
  const job = one.ship();
  one.put("packet", [job]);
  assert.deepEqual([one.given, one.waiting.reasons, one.staff.held], [[], [job], true]);
  end(one, job);
  assert.deepEqual([one.given, one.waiting.reasons, one.staff.held], [["packet"], [], false]);
}

test("a worker has done the job", () =>
  endsWith(({ begin, finish }, job) => {
    begin(job);
    finish(job);
  }));

test("a worker has failed", () =>
  endsWith(({ begin, finish }, job) => {
    begin(job);
    finish(job, State.FAILED);
  }));

test("its worker has died, amid it or before it read the arguments", () => {
  endsWith(({ begin, jobs }, job) => {
    begin(job);
    jobs.workerGone(0);
  });
  const { jobs, waiting, given, put, site } = scene();
  const job = jobs.ship(site, "x".repeat(100_000), undefined);
  assert.ok(job);
  put("packet", [job]);
  jobs.workerGone(0);
  assert.deepEqual([given, waiting.reasons], [["packet"], []]);
});

test("no worker is left", () =>
  endsWith(({ staff, waiting }) => {
    staff.someAlive = false;
    waiting.goOn();
  }));

test("home has computed it for another event", () => endsWith(({ jobs }, job) => void jobs.take(job)));

test("home has taken the result for another event", () =>
  endsWith(({ jobs, begin }, job) => {
    begin(job);
    // Its worker is about to give notice.
    jobs.table.finish(job.slot, State.DONE, "n7;");
    assert.deepEqual(jobs.take(job), [7]);
  }));

test("home has given up waiting for its worker, for another event", () =>
  endsWith(({ jobs, begin }, job) => {
    begin(job);
    assert.equal(jobs.take(job), undefined);
  }));

test("its event is over", () => endsWith(({ jobs }, job) => jobs.drop(job)));

test("its event is over while a worker is at it", () =>
  endsWith(({ jobs, begin }, job) => {
    begin(job);
    jobs.drop(job);
  }));

test("its site is given up", () => endsWith(({ jobs, site }) => jobs.dropAll(site)));

test("there was no room for it any more", () =>
  endsWith(({ ship }) => {
    for (let more = 0; more < 96; more++) ship();
  }));

test("its time is over", async () => {
  const { given, put, ship } = scene();
  put("packet", [ship()], { until: now() + 50 });
  assert.deepEqual(given, []);
  for (let turn = 0; given.length === 0 && turn < 100; turn++) await new Promise((done) => setTimeout(done, 20));
  assert.deepEqual(given, ["packet"]);
});

test("a job that was settled before is not waited for", () => {
  const { given, begin, finish, jobs, put, ship } = scene();
  const done = ship();
  begin(done);
  finish(done);
  put("done", [done]);
  const taken = ship();
  jobs.take(taken);
  put("taken", [taken]);
  assert.deepEqual(given, ["done", "taken"]);
});

test("a job that is settled just before the notice is asked for is not waited for", () => {
  const { given, begin, jobs, put, ship, waiting } = scene();
  const job = ship();
  begin(job);
  const { askNotice } = jobs;
  jobs.askNotice = (asked) => {
    jobs.table.finish(job.slot, State.DONE, "n7;");
    askNotice.call(jobs, asked);
  };
  put("packet", [job]);
  assert.deepEqual([given, waiting.reasons], [["packet"], []]);
});

test("one job after the other is waited for", () => {
  const { given, begin, finish, jobs, put, ship, waiting } = scene();
  const [first, second, third] = [ship(), ship(), ship()];
  put("packet", [first, second, third]);
  for (const job of [second, first]) {
    begin(job);
    finish(job);
  }
  assert.deepEqual([given, waiting.reasons], [[], [third]]);
  jobs.drop(third);
  assert.deepEqual(given, ["packet"]);
});

test("while the program reads nothing from the connection, it gets nothing, and the process may end", () => {
  const { given, put, staff, waiting } = scene();
  let paused = true;
  put("paused", [], { paused: () => paused });
  put("other", []);
  assert.deepEqual([given, waiting.reasons, staff.held], [["other"], ["the program"], false]);
  paused = false;
  waiting.goOn();
  assert.deepEqual(given, ["other", "paused"]);
});

test("a packet of a connection that is closed waits for nothing", () => {
  const { given, put, ship, staff, waiting } = scene();
  let gone = false;
  put("closed", [ship()], { closed: () => gone });
  put("closed while paused", [], { paused: () => true, closed: () => gone });
  gone = true;
  waiting.goOn();
  assert.deepEqual([given, staff.held], [["closed", "closed while paused"], false]);
});

test("one is given at a time, and the next when node has it", () => {
  const { given, put, waiting } = scene();
  let done = (): void => {};
  put("first", [], { give: (called) => (done = called) });
  put("second", []);
  put("third", []);
  assert.deepEqual([given, waiting.reasons], [[], ["its turn", "its turn"]]);
  done();
  assert.deepEqual([given, waiting.reasons], [["second", "third"], []]);
});

test("what becomes ready while another is given has its turn after that", () => {
  const { given, begin, finish, put, ship } = scene();
  const job = ship();
  begin(job);
  put("later", [job]);
  let done = (): void => {};
  put("first", [], { give: (called) => (done = called) });
  finish(job);
  assert.deepEqual(given, []);
  done();
  assert.deepEqual(given, ["later"]);
});
