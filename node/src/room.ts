/**
 * Whether there is room for worker threads. V8 ends the whole process where it cannot reserve the addresses that a
 * thread's heap may need, and nothing can catch that; so where addresses are limited (`ulimit -v`, `ulimit -d`) we ask
 * the kernel before. And what each of our threads is started with.
 */
import { builtin } from "./builtin.js";

const { readFileSync } = builtin("node:fs");

/** Of a thread of ours: nothing of the program's options, environment and streams. */
export const apart = { execArgv: [], env: {}, stdin: false, stdout: true, stderr: true };

/** Bytes of addresses that a worker may reserve and must find free; more than any version of node was seen to take. */
const perWorker = 1.5 * 2 ** 30;
const pageBytes = 4096;

/** What proc(5) says of the process, as its own files have it. */
export interface Limits {
  /** Of /proc/self/limits. */
  readonly limits: string;
  /** Of /proc/self/statm: sizes in pages; first all addresses, sixth data and stack. */
  readonly statm: string;
}

function read(): Limits | undefined {
  try {
    return { limits: readFileSync("/proc/self/limits", "latin1"), statm: readFileSync("/proc/self/statm", "latin1") };
  } catch {
    return undefined; // not Linux, or no /proc: nothing is known to be limited
  }
}

/** @returns why so many workers have no room; undefined if they have */
export function lackOfRoom(workers: number, found: Limits | undefined = read()): string | undefined {
  if (found === undefined) return undefined;
  const pages = found.statm.split(" ").map(Number);
  const taken = { "Max address space": pages[0] ?? 0, "Max data size": pages[5] ?? 0 };
  for (const [name, used] of Object.entries(taken)) {
    const limit = Number(new RegExp(`^${name} +(\\d+)`, "m").exec(found.limits)?.[1] ?? Infinity);
    if (limit - used * pageBytes < workers * perWorker) {
      return `worker threads have no room: ${name.slice(4)} is limited to ${Math.floor(limit / 2 ** 20)} MB (ulimit)`;
    }
  }
  return undefined;
}
