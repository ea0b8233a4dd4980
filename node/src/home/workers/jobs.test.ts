import assert from "node:assert/strict";
import { test } from "node:test";
import "../../arithmetic.js";
import { State } from "../../shared/job-table.js";
import { Jobs, type Carrier, type Region } from "./jobs.js";

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

/** Jobs whose results all come by message, as those do that do not fit the table. */
function jobsWithMessages() {
  const messages = new Map<number, string>();
  const carrier: Carrier = {
    describe() {},
    sendArguments: () => 0,
    takeResult(ticket) {
      const text = messages.get(ticket);
      messages.delete(ticket);
      return text;
    },
    replace() {},
  };
  const jobs = new Jobs(() => carrier);
  const perform = (slot: number): void => {
    assert.ok(jobs.table.exchange(slot, State.READY, State.RUNNING));
    jobs.table.begin(slot, 0);
    messages.set(jobs.table.ticket(slot), "n7;");
    jobs.table.finish(slot, State.DONE, undefined);
  };
  return { jobs, messages, perform };
}

test("a result that came by message is taken once", () => {
  const { jobs, messages, perform } = jobsWithMessages();
  const job = jobs.ship(region(), "n1;", undefined);
  assert.ok(job);
  perform(job.slot);
  assert.deepEqual(jobs.take(job), [7]);
  assert.deepEqual([messages.size, jobs.live], [0, 0]);
});

test("a result that came by message and that nobody wants is not kept", () => {
  const { jobs, messages, perform } = jobsWithMessages();
  const site = region();
  const early = jobs.ship(site, "n1;", undefined);
  const late = jobs.ship(site, "n2;", undefined);
  assert.ok(early && late);
  perform(early.slot);
  jobs.drop(early);
  assert.deepEqual([messages.size, jobs.live], [0, 1], "computed before it was dropped");
  assert.ok(jobs.table.exchange(late.slot, State.READY, State.RUNNING));
  jobs.drop(late);
  messages.set(late.ticket, "n7;");
  jobs.table.begin(late.slot, 0);
  jobs.table.finish(late.slot, State.DONE, undefined);
  jobs.sweep(() => false);
  assert.deepEqual([messages.size, jobs.live], [0, 0], "dropped while a worker computed it");
});
