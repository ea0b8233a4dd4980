/**
 * Whether other processes want the cores that workers would take. Looked at where Heddle's code runs anyway, over
 * stretches of half a second or more: the kernel counts the time of all processes in steps of 10 ms.
 */
import { max } from "../../arithmetic.js";
import { builtin } from "../../builtin.js";
import { now } from "../../shared/job-table.js";
import { processorTime } from "./processor-time.js";

const { readFileSync } = builtin("node:fs");

/** "unknown": the system does not tell. */
export type Others = "quiet" | "compete" | "unknown";

const shortest = 500;
/** Processors that others may use although no core is free for them. */
const tolerated = 0.2;
/** Milliseconds of the unit in which Linux tells times of processors (proc(5), USER_HZ). */
const tick = 10;

interface Reading {
  readonly at: number;
  /** Milliseconds that all processors worked, and those for this process. */
  readonly all: number;
  readonly own: number;
}

/** Of the first line: user, nice, system, idle, iowait, irq, softirq, steal. What guests take is in the first two. */
const fields = 8;
const isIdle = (field: number): boolean => field === 3 || field === 4;

/** By hand, for the program may have replaced what texts and arrays do. NaN: that is no such file. */
function worked(bytes: Uint8Array): number {
  let sum = 0;
  let field = -1;
  let number = 0;
  for (let at = 0; at < bytes.length; at++) {
    const digit = (bytes[at] as number) - 48;
    if (digit >= 0 && digit <= 9) {
      if (bytes[at - 1] === 32) field++;
      number = number * 10 + digit;
    } else {
      if (field >= 0 && !isIdle(field)) sum += number;
      number = 0;
      if (field === fields - 1) return sum * tick;
      if (bytes[at] === 10) break;
    }
  }
  return NaN;
}

export class Competition {
  /** Until the first stretch is over nobody is taken to compete: a program that gains shall not begin without. */
  others: Others = "quiet";
  /** Processors that others used, in the last stretch. */
  used = 0;
  private last: Reading | undefined;

  /** @param wanted how many cores the program and its workers want, and there are */
  constructor(
    private readonly wanted: () => { readonly threads: number; readonly cores: number },
    private readonly read: () => Uint8Array = () => readFileSync("/proc/stat"),
    private readonly own: () => number = processorTime,
    at = now(),
  ) {
    this.begin(at);
  }

  private begin(at: number): number {
    try {
      const all = worked(this.read());
      if (all >= 0) {
        const { last } = this;
        this.last = { at, all, own: this.own() };
        return last === undefined ? 0 : (this.last.all - last.all - (this.last.own - last.own)) / (at - last.at);
      }
    } catch {
      // no /proc, or none for us
    }
    this.last = undefined;
    this.others = "unknown";
    return NaN;
  }

  /** @returns whether a stretch is over, so that `others` tells how it was until now */
  look(at: number): boolean {
    if (this.last === undefined) return true;
    if (at < this.last.at + shortest) return false;
    this.used = this.begin(at);
    if (this.last === undefined) return true;
    const { threads, cores } = this.wanted();
    this.others = this.used > max(tolerated, cores - threads) ? "compete" : "quiet";
    return true;
  }
}
