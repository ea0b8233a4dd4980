import assert from "node:assert/strict";
import { test } from "node:test";
import { watchSchedulers } from "../../loader/schedulers.js";
import { Upcoming } from "./upcoming.js";

const upcoming = new Upcoming(() => {});
watchSchedulers();
upcoming.install();

/** Names of all events that are due next, in the order in which they are given. */
function given(): string[] {
  const names: string[] = [];
  for (let event = upcoming.next(); event !== undefined; event = upcoming.next()) names.push(String(event.args[0]));
  return names;
}

const ran: string[] = [];
const note = (name: string): void => void ran.push(name);

test("events that were scheduled before anybody asked are found, those that are over are not", async () => {
  setTimeout(note, 30, "third timer");
  setTimeout(note, 20, "first timer");
  clearTimeout(setTimeout(note, 20, "cleared timer"));
  setTimeout(note, 20, "second timer");
  setTimeout(note, 5000, "timer beyond the horizon").unref();
  const early = await new Promise<string[]>((resolve) => {
    setImmediate(note, "over");
    // The rest of a turn that has begun, and the next one.
    setImmediate(() => {
      clearImmediate(setImmediate(note, "cleared at once"));
      setImmediate(note, "next turn");
      setImmediate(note, "end of the next turn");
      upcoming.again();
      resolve(given());
    });
    const cleared = setImmediate(note, "cleared");
    setImmediate(note, "same turn");
    clearImmediate(cleared);
    setImmediate(note, "end of the same turn");
  });
  const immediates = ["same turn", "end of the same turn", "next turn", "end of the next turn"];
  const timers = ["first timer", "second timer", "third timer"];
  assert.deepEqual(early, [...immediates, ...timers]);
  setImmediate(note, "later");
  setTimeout(note, 10, "later timer");
  assert.deepEqual(given(), ["later", "later timer"], "each once");
  await new Promise((resolve) => setTimeout(resolve, 60));
  assert.deepEqual(ran.sort(), ["over", ...immediates, "later", "later timer", ...timers].sort(), "all had their turn");
});
