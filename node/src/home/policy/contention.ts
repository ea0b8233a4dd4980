/**
 * Whether other processes have the cores. What workers compute then comes late, each look at shared memory may cost the
 * main thread its turn, and connections pass through Heddle for nothing; so nothing is shipped until the cores are free
 * again.
 *
 * Linux counts how long a thread has run and how long it was ready to run and had no core (`/proc/self/schedstat`, of
 * the main thread; sched-stats.rst of the kernel's documentation), and how long all cores were busy (`/proc/stat`). A
 * main thread that waits may wait for our own workers; so once there are any, it counts only while others keep most of
 * the cores busy. Elsewhere, and where these files cannot be read, nothing is known, and nobody gives way.
 */
import { builtin, platform } from "../../builtin.js";
import { min } from "../../arithmetic.js";
import { processorTime } from "./processor-time.js";

const { readFileSync } = builtin("node:fs");

/** Since some time in the past, in milliseconds. */
export interface Readings {
  /** The main thread had a core, or waited for one. */
  readonly ran: number;
  readonly waited: number;
  /** All cores together: how long they were busy with other processes, and how long they could have been. */
  readonly others: number;
  readonly all: number;
}

/** Cores are short if the main thread waited for this share of the time that it needed, */
const leastWaiting = 0.2;
/** and others, once there are workers, had this share of all cores. */
const leastOthers = 0.5;
/** Milliseconds: readings are compared after so long, and the main thread must have needed so much meanwhile. */
const period = 500;
const leastNeeded = 25;
/** Milliseconds for which home gives way: the first time, and at most. Each time in a row twice as long. */
const pauses = { first: 2000, longest: 32_000 };

/** Ticks of `/proc/stat` are hundredths of a second for all programs (USER_HZ). */
const tick = 10;

export function readings(): Readings | undefined {
  if (platform !== "linux") return undefined;
  try {
    const [ran, waited] = readFileSync("/proc/self/schedstat", "latin1").split(" ").map(Number);
    // user nice system idle iowait irq softirq steal; guests are part of the first two
    const ticks = /^cpu +(.*)/.exec(readFileSync("/proc/stat", "latin1"))?.[1]?.split(" ").slice(0, 8).map(Number);
    if (ran === undefined || waited === undefined || ticks?.length !== 8) return undefined;
    const all = ticks.reduce((sum, one) => sum + one, 0);
    const free = (ticks[3] as number) + (ticks[4] as number);
    const others = (all - free) * tick - processorTime();
    const found = { ran: ran / 1e6, waited: waited / 1e6, others, all: all * tick };
    return Object.values(found).every(Number.isFinite) ? found : undefined;
  } catch {
    return undefined; // no such files, or under the permission model
  }
}

export class Contention {
  /** How often home gave way. */
  count = 0;
  private last: { readonly at: number; readonly found: Readings } | undefined;
  private until = 0;
  private pause = pauses.first;

  constructor(private readonly read: () => Readings | undefined = readings) {}

  /** Milliseconds for which home still gives way; 0: it does not. */
  left(at: number): number {
    return at < this.until ? this.until - at : 0;
  }

  /**
   * A site might be shipped, and there are no workers yet: what the main thread has waited for since it began tells.
   * @returns whether home gives way
   */
  begins(at: number): boolean {
    if (this.left(at) > 0) return true;
    if (this.last !== undefined) return this.look(at);
    const found = this.read();
    if (found === undefined) return false;
    this.last = { at, found };
    return this.judge(at, found.ran, found.waited, true);
  }

  /** To be called now and then while something is shipped. @returns whether home gives way */
  look(at: number): boolean {
    const { last } = this;
    if (last === undefined || at < last.at + period) return this.left(at) > 0;
    const found = this.read();
    if (found === undefined) return false;
    this.last = { at, found };
    const of = (name: keyof Readings): number => found[name] - last.found[name];
    return this.judge(at, of("ran"), of("waited"), of("others") > leastOthers * of("all"));
  }

  private judge(at: number, ran: number, waited: number, othersHaveThem: boolean): boolean {
    if (ran + waited < leastNeeded) return this.left(at) > 0;
    if (!othersHaveThem || waited < leastWaiting * (ran + waited)) {
      if (at >= this.until) this.pause = pauses.first;
      return this.left(at) > 0;
    }
    if (at >= this.until) {
      this.count++;
      this.until = at + this.pause;
      this.pause = min(pauses.longest, this.pause * 2);
    }
    return true;
  }
}
