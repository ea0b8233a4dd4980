/**
 * Notices what the program schedules. The functions that schedule get stand-ins before the program begins, for it may
 * keep them; who listens comes later, if at all (home/look-ahead/upcoming.ts).
 */
import { builtin } from "../builtin.js";
import { standInForScheduler } from "./stand-ins.js";

type Listener = (made: object) => void;

/** Who listens, once somebody does. Must be quick and must not throw. */
export const scheduled: { immediate?: Listener; timer?: Listener; interval?: Listener } = {};

export function watchSchedulers(): void {
  const table = builtin("node:timers");
  standInForScheduler(table, "setImmediate", (made) => scheduled.immediate?.(made));
  standInForScheduler(table, "setTimeout", (made) => scheduled.timer?.(made));
  standInForScheduler(table, "setInterval", (made) => scheduled.interval?.(made));
}
