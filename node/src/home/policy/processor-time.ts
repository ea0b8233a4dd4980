/**
 * How long the process has really worked. On a busy machine a call of microseconds may seem to take as long as another
 * program's turn.
 */
import { cpuUsage } from "../../builtin.js";
import { now } from "../../shared/job-table.js";

/** Milliseconds that processors worked for the process. Of one thread alone Linux tells it in steps of 4 ms only. */
export function processorTime(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1000;
}

/** When somebody looked last. To look takes as long as many a call, so it is done only for calls that seem long. */
const account = { at: now(), processor: processorTime() };

/** Whether a call that seems to have taken so long, until `at`, did: since the last look little was lost to others. */
export function isAccountedFor(took: number, at: number): boolean {
  const processor = processorTime();
  const lost = at - account.at - (processor - account.processor);
  account.at = at;
  account.processor = processor;
  return lost < took / 4;
}
