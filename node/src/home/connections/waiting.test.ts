import assert from "node:assert/strict";
import { test } from "node:test";
import type { Job } from "../workers/jobs.js";
import type { Workers } from "../workers/workers.js";
import { Waiting } from "./waiting.js";

test("an event whose jobs were given up goes on, although no worker says that they are done", async () => {
  let settled = false;
  const jobs = { settled: () => settled, askNotice: () => undefined };
  const nothing = (): void => undefined;
  const waiting = new Waiting({ jobs, serve: nothing, hold: nothing } as unknown as Workers, nothing, true);
  const gone: string[] = [];
  for (const name of ["a", "b"]) {
    waiting.putOff({}, [{} as Job], "TCPWRAP", () => void gone.push(name));
  }
  const turn = () => new Promise((done) => setTimeout(done, 20));
  await turn();
  settled = true;
  await turn();
  assert.deepEqual(gone, [], "nobody has said so");
  waiting.stir();
  await turn();
  assert.deepEqual(gone, ["a", "b"]);
  waiting.stir();
});
