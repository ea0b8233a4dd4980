/** Home's side of the job table: what was shipped, what came back, what nobody wanted. */
import { max } from "../../arithmetic.js";
import { Decoder } from "../../shared/values.js";
import { now } from "../../builtin.js";
import { clock, elapsed, JobTable, Header, slotCount, State } from "../../shared/job-table.js";
import type { Program } from "../../shared/protocol.js";

/** The site that jobs are for, as the job table sees it. The table keeps `jobs` and the counters. */
export interface Region {
  readonly id: number;
  /** Milliseconds that a call takes. */
  readonly cost: number;
  /** Jobs whose region home has not reached, by the text of their values. */
  readonly jobs: Map<string, Job>;
  shipped: number;
  /** Home was faster. */
  stolen: number;
  /** The worker took too long. */
  late: number;
  /** Milliseconds that home waited for workers. */
  waited: number;
  failed: number;
  /** Whether workers do not know it as it is now. */
  readonly isOutdated: boolean;
  /** What workers need to compute it. */
  program(): Program;
  /** A result was taken that a worker needed so many milliseconds for. */
  tookFromWorker(milliseconds: number): void;
  /** A worker could not give a result. */
  gaveNone(): void;
  /** A job was computed, or begun, for values that home did not reach. */
  wastedOne(): void;
}

/** What goes to workers by message, and who ends them: the pool. */
export interface Carrier {
  describe(program: Program): void;
  /** Sends arguments that do not fit the table to one worker. @returns its rank */
  sendArguments(ticket: number, text: string): number;
  /** The result of a job that came by message. */
  takeResult(ticket: number, rank: number): string | undefined;
  /** Ends a worker that does not come back. */
  replace(rank: number): void;
}

/** A region with values, that somebody expects home to reach. */
export class Job {
  /** Text of the results, once read from its slot. */
  text: string | undefined;
  /** -1: it has no slot any more. */
  slot = -1;
  ticket = -1;
  /** Another one of the same site and values, for another event. */
  next: Job | undefined;
  /** False once home has reached it, or knows that it will not. */
  wanted = true;
  /** The upcoming event that it was shipped for. Undefined: one that was put off until its jobs are done. */
  event: object | undefined;
  /** Whether somebody waits for it to be settled. */
  awaited = false;

  constructor(
    readonly site: Region,
    readonly key: string,
  ) {}
}

/** At most so many jobs are in the table at once: more would only grow old. */
const maxLive = 96;
/** A worker may take this many times the usual time, and this many milliseconds, before it counts as hung. */
const patience = { factor: 50, least: 1000 };

export class Jobs {
  readonly table = new JobTable();
  private readonly bySlot: (Job | undefined)[] = new Array<undefined>(slotCount).fill(undefined);
  private readonly decoder = new Decoder();
  private head = 0;
  private tail = 0;
  live = 0;
  /** Tests: home waits for every job, so that small regions, too, get their results from workers. */
  patient = false;
  /** Times of workers' work, for the timeline: site, begin (by `clock`), microseconds, rank. */
  record: ((site: Region, begun: number, took: number, rank: number) => void) | undefined;
  /** Called when home has settled a job that somebody waits for: no worker will say so. */
  released: (() => void) | undefined;

  /** @param carrier started when it is first asked for; undefined: there can be none */
  constructor(private readonly carrier: () => Carrier | undefined) {}

  /** Gives the job to the workers. @returns undefined if there is no room */
  ship(site: Region, key: string, event: object | undefined): Job | undefined {
    const carrier = this.carrier();
    if (carrier === undefined || (this.live >= maxLive && !this.dropOldest())) return undefined;
    const slot = this.freeSlot();
    if (slot < 0) return undefined;
    const job = new Job(site, key);
    job.event = event;
    job.slot = slot;
    job.ticket = this.head;
    this.bySlot[slot] = job;
    this.live++;
    const same = site.jobs.get(key);
    if (same === undefined) site.jobs.set(key, job);
    else {
      let last = same;
      while (last.next !== undefined) last = last.next;
      last.next = job;
    }
    if (site.isOutdated) carrier.describe(site.program());
    site.shipped++;
    const fits = JobTable.fits(key);
    const owner = fits ? -1 : carrier.sendArguments(job.ticket, key);
    this.table.publish(slot, job.ticket, site.id, fits ? key : undefined, owner);
    this.head++;
    return job;
  }

  /** Home has arrived at the region. @returns the results; undefined: home computes */
  take(first: Job): unknown[] | undefined {
    // Of several with the same values any will do.
    let job = first;
    for (let at: Job | undefined = first.next; at !== undefined; at = at.next) {
      if (this.state(job) !== State.DONE && this.state(at) === State.DONE) job = at;
    }
    const { site } = job;
    let milliseconds = site.cost;
    if (job.slot >= 0) {
      // A worker that has died is replaced only when home returns to its event loop.
      if (this.patient) this.patient = this.table.waitWhileOpen(job.slot, 20_000);
      if (this.table.exchange(job.slot, State.READY, State.FREE)) {
        site.stolen++;
        this.release(job);
        return undefined;
      }
      if (this.table.state(job.slot) === State.RUNNING && !this.wait(job)) {
        site.late++;
        this.forget(job);
        return undefined;
      }
      if (this.table.state(job.slot) === State.FAILED) {
        site.gaveNone();
        this.release(job);
        return undefined;
      }
      milliseconds = this.table.took(job.slot) / 1000;
      this.collect(job);
    }
    if (job.text === undefined) {
      this.release(job);
      return undefined;
    }
    site.tookFromWorker(milliseconds);
    const values = this.decoder.decode(job.text);
    this.decoder.made.length = 0; // or the program's last result could not be collected
    this.release(job);
    return values;
  }

  private state(job: Job): number {
    return this.table.state(job.slot);
  }

  /** Whether there is nothing to wait for: the result is there, or will never be, or nobody wants it any more. */
  settled(job: Job): boolean {
    if (job.slot < 0 || !job.wanted) return true;
    const state = this.table.state(job.slot);
    return state !== State.READY && state !== State.RUNNING;
  }

  /** Few slots are left: some that nobody wants any more wait to be freed. */
  get isTight(): boolean {
    return this.head - this.tail > slotCount / 2;
  }

  /** Asks for a message when the job is done. Ask whether it is settled after that, not before. */
  askNotice(job: Job): void {
    job.awaited = true;
    if (job.slot >= 0) this.table.askNotice(job.slot);
  }

  ready(): boolean {
    for (let ticket = this.tail; ticket < this.head; ticket++) {
      if (this.table.state(ticket % slotCount) === State.READY) return true;
    }
    return false;
  }

  private wait(job: Job): boolean {
    const begun = now();
    // Longer than the whole job should take: something is wrong there, and home is as fast.
    const limit = max(5, job.site.cost * 4);
    this.table.waitWhileRunning(job.slot, limit);
    const waited = now() - begun;
    job.site.waited += waited;
    return this.table.state(job.slot) !== State.RUNNING;
  }

  /** Reads the result out of a slot that is DONE, and frees it. */
  private collect(job: Job): void {
    const { table } = this;
    const rank = table.worker(job.slot);
    if (table.state(job.slot) === State.DONE) {
      job.text = table.read(job.slot) ?? this.carrier()?.takeResult(job.ticket, rank);
      this.record?.(job.site, table.started(job.slot), table.took(job.slot), rank);
    }
    this.freeSlotOf(job);
  }

  private freeSlotOf(job: Job): void {
    if (job.slot < 0) return;
    const { table } = this;
    // A result that came by message and that nobody wanted would be kept for ever.
    if (job.text === undefined && table.state(job.slot) === State.DONE && table.wentByMessage(job.slot)) {
      this.carrier()?.takeResult(job.ticket, table.worker(job.slot));
    }
    table.exchange(job.slot, table.state(job.slot), State.FREE);
    this.bySlot[job.slot] = undefined;
    job.slot = -1;
    this.live--;
    while (this.tail < this.head && this.bySlot[this.tail % slotCount] === undefined) this.tail++;
    this.table.setHeader(Header.TAIL, this.tail);
  }

  /** Nobody wants the job any longer. */
  private release(job: Job): void {
    this.forget(job);
    if (job.slot < 0) return;
    // Between a look at READY and a store of FREE a worker could begin; once it is not READY, only RUNNING can change.
    const free = this.table.exchange(job.slot, State.READY, State.FREE);
    if (free || this.table.state(job.slot) !== State.RUNNING) this.freeSlotOf(job);
  }

  /** Takes the job out of its site's list. Its slot is not freed here, for a worker may still compute in it. */
  private forget(job: Job): void {
    const { jobs } = job.site;
    const first = jobs.get(job.key);
    if (first === job) {
      if (job.next === undefined) jobs.delete(job.key);
      else jobs.set(job.key, job.next);
    } else {
      for (let at = first; at !== undefined; at = at.next) if (at.next === job) at.next = job.next;
    }
    job.next = undefined;
    job.wanted = false;
    if (!job.awaited) return;
    job.awaited = false;
    this.released?.();
  }

  /** Gives up a job that home will not reach: its prediction did not come true. */
  drop(job: Job): void {
    if (!job.wanted) return;
    if (job.slot >= 0 && this.table.exchange(job.slot, State.READY, State.FREE)) {
      job.site.stolen++; // home was faster, and it did nobody any harm
      this.release(job);
      return;
    }
    job.site.wastedOne();
    this.release(job);
  }

  dropAll(site: Region): void {
    for (const job of this.bySlot) if (job?.site === site && job.wanted) this.release(job);
  }

  /** Frees what workers have finished for nobody, and ends workers that do not come back. */
  sweep(over: (event: object) => boolean): void {
    const at = clock();
    for (let ticket = this.tail; ticket < this.head; ticket++) {
      const slot = ticket % slotCount;
      const job = this.bySlot[slot];
      if (job === undefined) continue;
      const state = this.table.state(slot);
      if (state === State.RUNNING) {
        const begun = this.table.started(slot);
        const limit = max(patience.least, patience.factor * job.site.cost) * 1000;
        if (begun >= 0 && elapsed(begun, at) > limit) this.carrier()?.replace(this.table.worker(slot));
      } else if (!job.wanted) this.freeSlotOf(job);
      else if (job.event !== undefined && over(job.event)) this.drop(job);
    }
  }

  /** The worker is gone: it will not finish the job that it was at. */
  workerGone(rank: number): void {
    for (let slot = 0; slot < slotCount; slot++) {
      const job = this.bySlot[slot];
      if (job === undefined) continue;
      const lost = this.table.state(slot) === State.RUNNING && this.table.worker(slot) === rank;
      const unread = this.table.state(slot) === State.READY && this.table.owner(slot) === rank;
      if (!lost && !unread) continue;
      job.site.failed++;
      this.forget(job);
      this.freeSlotOf(job);
    }
  }

  private dropOldest(): boolean {
    for (let ticket = this.tail; ticket < this.head; ticket++) {
      const job = this.bySlot[ticket % slotCount];
      if (job === undefined || this.table.state(job.slot) === State.RUNNING) continue;
      job.site.wastedOne();
      this.release(job);
      return true;
    }
    return false;
  }

  private freeSlot(): number {
    for (let tries = 0; tries < slotCount; tries++, this.head++) {
      if (this.head - this.tail >= slotCount) return -1;
      const slot = this.head % slotCount;
      if (this.bySlot[slot] === undefined) return slot;
    }
    return -1;
  }
}
