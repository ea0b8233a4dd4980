/**
 * Whether other processes leave the workers enough of the cores. A client, a proxy or a database on the same machine
 * is no reason to do without workers: whether these gain then is measured (governor.ts). They are only kept away where
 * there is next to nothing left for them, for seconds on end. Looked at where Heddle's code runs anyway, over stretches
 * of half a second or more: the kernel counts the time of all processes in steps of 10 ms.
 */
import { processorTime } from "./processor-time.js";

const shortest = 500;
/**
 * Cores that others must leave, beside the one of the main thread: with less than `fewest` a stretch is crowded, and
 * others compete once that has lasted, until they have left `enough` for as long.
 */
const left = { fewest: 0.5, enough: 0.75 };
const lasting = 3000;
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

/** NaN: that is no such file. */
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
  /** Whether others left too little in the last stretch: what was measured then says nothing of the program. */
  crowded = false;
  /** Whether that has lasted, so that there are to be no workers. */
  competing = false;
  private last: Reading | undefined;
  /** Since when others have been doing the contrary of what `competing` says. */
  private since = NaN;

  /**
   * @param cores how many there are
   * @param read gives /proc/stat; undefined: the system does not tell, or need not be asked
   */
  constructor(
    private readonly cores: number,
    private readonly read: () => Uint8Array | undefined,
    private readonly own: () => number = processorTime,
  ) {}

  /** @returns whether it is known how it was until now */
  look(at: number): boolean {
    const { last } = this;
    if (last !== undefined && at < last.at + shortest) return false;
    this.last = this.reading(at);
    if (last === undefined || this.last === undefined) {
      if (this.last === undefined) this.crowded = this.competing = false;
      return true;
    }
    const others = (this.last.all - last.all - (this.last.own - last.own)) / (at - last.at);
    this.judge(this.cores - 1 - others, last.at, at);
    return true;
  }

  private judge(free: number, from: number, until: number): void {
    this.crowded = free < left.fewest;
    if (this.competing ? free < left.enough : !this.crowded) this.since = NaN;
    else if (!(this.since <= from)) this.since = from;
    if (!(until - this.since >= lasting)) return;
    this.competing = !this.competing;
    this.since = NaN;
  }

  private reading(at: number): Reading | undefined {
    try {
      const bytes = this.read();
      const all = bytes === undefined ? NaN : worked(bytes);
      return all >= 0 ? { at, all, own: this.own() } : undefined;
    } catch {
      return undefined; // no /proc, or none for us
    }
  }
}
