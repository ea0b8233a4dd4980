/**
 * The jobs of one home and its workers, in shared memory.
 *
 * A job is one call of a region that somebody may want. Messages between threads take tens of microseconds at both ends
 * and need an event loop; here a worker finds its next job, and home its result, by reading memory, and only who has
 * nothing to do sleeps (futex).
 *
 *   header   WAKE SLEEPERS HEAD TAIL RESERVE HOME_BUSY ACTIVE
 *   slots    one per job: STATE SITE TICKET OWNER LENGTH WIDE NOTIFY WORKER STARTED TOOK
 *   data     one block per slot: the text of the arguments, then, over it, that of the results
 *
 * States of a slot, and who may change it:
 *
 *   FREE ──home──► READY ──home──► FREE            home reached the region first, or does not want it any longer
 *                    └──worker──► RUNNING ──worker──► DONE | FAILED ──home──► FREE
 *
 * READY to RUNNING and READY to FREE race: both are compare-and-exchange on STATE, which settles it. All else in a slot
 * (NOTIFY apart) is plain memory that the writer of STATE wrote before; Atomics are sequentially consistent, so whoever
 * reads the new STATE sees it. A text that does not fit its block goes by message; then LENGTH is -1, and OWNER names
 * the one worker that has it (else OWNER is -1: any worker may take the job).
 */

import { floor } from "../arithmetic.js";
import { bytes, hrtime, now } from "../builtin.js";

export { now };

export const State = { FREE: 0, READY: 1, RUNNING: 2, DONE: 3, FAILED: 4 } as const;

/** Positions in the header, in 32-bit words. */
export const Header = {
  /** Counts publications; workers without work sleep on it. Home writes. */
  WAKE: 0,
  /** How many workers sleep or are about to. Workers write. */
  SLEEPERS: 1,
  /** Tickets begin at TAIL (oldest that may be live) and end before HEAD. Home writes both. */
  HEAD: 2,
  TAIL: 3,
  /**
   * 1: workers leave the two oldest READY jobs to home, which is about to reach them (worker/main.ts, `claim`). Home
   * writes.
   */
  RESERVE: 4,
  /** 1 while home computes a region itself. Home writes. */
  HOME_BUSY: 5,
  /** Workers with a number from this on rest. Home writes. */
  ACTIVE: 6,
} as const;

const headerWords = 16;
export const slotCount = 128;
const slotWords = 16;
const blockBytes = 16 * 1024;
const dataStart = (headerWords + slotCount * slotWords) * 4;

const Field = {
  STATE: 0,
  SITE: 1,
  TICKET: 2,
  OWNER: 3,
  LENGTH: 4,
  WIDE: 5,
  NOTIFY: 6,
  WORKER: 7,
  STARTED: 8,
  TOOK: 9,
} as const;

/** Workers have no global of that name once they are locked down. */
const atomics = Atomics;

const latin1 = /^[\0-\xff]*$/;

/** Microseconds of the machine's steady clock, in 31 bits: the same in all threads. */
export function clock(): number {
  const time = hrtime(); // of the program's realm: not to be taken apart
  return (time[0] % 2000) * 1_000_000 + floor(time[1] / 1000);
}

/** From `begun` to `now`, both by `clock`; 0 if another thread read `begun` a little after `now`. */
export function elapsed(begun: number, now: number): number {
  const difference = now - begun;
  if (difference >= 0) return difference;
  return difference > -1_000_000_000 ? 0 : difference + 2_000_000_000;
}

export class JobTable {
  readonly words: Int32Array;
  private readonly data: Uint8Array;

  constructor(readonly memory: SharedArrayBuffer = new SharedArrayBuffer(dataStart + slotCount * blockBytes)) {
    this.words = new Int32Array(memory, 0, dataStart / 4);
    this.data = new Uint8Array(memory);
  }

  private word(slot: number, field: number): number {
    return headerWords + slot * slotWords + field;
  }

  header(at: number): number {
    return atomics.load(this.words, at);
  }

  setHeader(at: number, value: number): void {
    atomics.store(this.words, at, value);
  }

  state(slot: number): number {
    return atomics.load(this.words, this.word(slot, Field.STATE));
  }

  exchange(slot: number, from: number, to: number): boolean {
    return atomics.compareExchange(this.words, this.word(slot, Field.STATE), from, to) === from;
  }

  site(slot: number): number {
    return this.words[this.word(slot, Field.SITE)] as number;
  }

  ticket(slot: number): number {
    return this.words[this.word(slot, Field.TICKET)] as number;
  }

  owner(slot: number): number {
    return this.words[this.word(slot, Field.OWNER)] as number;
  }

  worker(slot: number): number {
    return this.words[this.word(slot, Field.WORKER)] as number;
  }

  /** By `clock`; -1 if its worker has not got to write that yet. */
  started(slot: number): number {
    return this.words[this.word(slot, Field.STARTED)] as number;
  }

  /** Microseconds that the worker computed; of a slot that is DONE. */
  took(slot: number): number {
    return this.words[this.word(slot, Field.TOOK)] as number;
  }

  /** Whether the text fits a block. */
  static fits(text: string): boolean {
    return text.length <= blockBytes / 2 || (text.length <= blockBytes && latin1.test(text));
  }

  /** Puts a job into a free slot, as the newest. `text` undefined: it went by message to `owner`. */
  publish(slot: number, ticket: number, site: number, text: string | undefined, owner: number): void {
    const { words } = this;
    words[this.word(slot, Field.SITE)] = site;
    words[this.word(slot, Field.TICKET)] = ticket;
    words[this.word(slot, Field.OWNER)] = owner;
    words[this.word(slot, Field.WORKER)] = -1;
    words[this.word(slot, Field.STARTED)] = -1;
    atomics.store(words, this.word(slot, Field.NOTIFY), 0);
    this.write(slot, text);
    atomics.store(words, this.word(slot, Field.STATE), State.READY);
    atomics.store(words, Header.HEAD, ticket + 1);
    atomics.add(words, Header.WAKE, 1);
    // A worker counts itself among the sleepers before it looks at WAKE for the last time.
    if (atomics.load(words, Header.SLEEPERS) > 0) atomics.notify(words, Header.WAKE, owner < 0 ? 1 : Infinity);
  }

  wakeAll(): void {
    atomics.add(this.words, Header.WAKE, 1);
    atomics.notify(this.words, Header.WAKE);
  }

  /** Asks for a message at the end of the job. Read STATE after it, not before. */
  askNotice(slot: number): void {
    atomics.store(this.words, this.word(slot, Field.NOTIFY), 1);
  }

  /** Sleeps until the job has left RUNNING or `milliseconds` are over. */
  waitWhileRunning(slot: number, milliseconds: number): void {
    atomics.wait(this.words, this.word(slot, Field.STATE), State.RUNNING, milliseconds);
  }

  /** For tests: sleeps until a worker has done the job, begun or not. @returns false: that took too long */
  waitWhileOpen(slot: number, milliseconds: number): boolean {
    const end = now() + milliseconds;
    for (;;) {
      const state = this.state(slot);
      const left = end - now();
      if (state !== State.READY && state !== State.RUNNING) return true;
      if (left <= 0) return false;
      atomics.wait(this.words, this.word(slot, Field.STATE), state, left);
    }
  }

  begin(slot: number, worker: number): void {
    this.words[this.word(slot, Field.WORKER)] = worker;
    this.words[this.word(slot, Field.STARTED)] = clock();
  }

  /** Called by the worker that ran it. `text` undefined: it went by message. @returns whether home wants a message */
  finish(slot: number, state: number, text: string | undefined): boolean {
    const begun = this.words[this.word(slot, Field.STARTED)] as number;
    this.words[this.word(slot, Field.TOOK)] = elapsed(begun, clock());
    if (state === State.DONE) this.write(slot, text);
    const at = this.word(slot, Field.STATE);
    atomics.store(this.words, at, state);
    atomics.notify(this.words, at);
    return atomics.load(this.words, this.word(slot, Field.NOTIFY)) === 1;
  }

  /** Whether the text of the slot went by message. */
  wentByMessage(slot: number): boolean {
    return (this.words[this.word(slot, Field.LENGTH)] as number) < 0;
  }

  /** The text that is in the slot now; undefined: it came by message. */
  read(slot: number): string | undefined {
    const length = this.words[this.word(slot, Field.LENGTH)] as number;
    if (length < 0) return undefined;
    const begin = dataStart + slot * blockBytes;
    return this.words[this.word(slot, Field.WIDE)] === 1
      ? bytes.ucs2(this.data, begin, begin + length * 2)
      : bytes.latin1(this.data, begin, begin + length);
  }

  private write(slot: number, text: string | undefined): void {
    this.words[this.word(slot, Field.LENGTH)] = text === undefined ? -1 : text.length;
    if (text === undefined) return;
    const begin = dataStart + slot * blockBytes;
    const wide = !latin1.test(text);
    this.words[this.word(slot, Field.WIDE)] = wide ? 1 : 0;
    if (wide) bytes.writeUcs2(this.data, text, begin);
    else bytes.writeLatin1(this.data, text, begin);
  }
}
