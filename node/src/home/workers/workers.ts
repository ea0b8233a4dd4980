/**
 * The workers as home sees them: how many there are, when they start, and what they are told of home. The pool starts
 * with the first job, for most programs have none.
 */
import { max } from "../../arithmetic.js";
import { builtin, stackHasRoom } from "../../builtin.js";
import { loadPart } from "../../loader/parts.js";
import type { Disturbances } from "../../options.js";
import { Header } from "../../shared/job-table.js";
import { Jobs } from "./jobs.js";
import type * as PoolPart from "./pool.js";
import { lackOfRoom, whyVisible } from "../../loader/room.js";

const { availableParallelism } = builtin("node:os");

interface WorkersEvents {
  /** A job is done for which a notice was asked, or will never be. */
  settled(): void;
  failure(site: number, reason: string): void;
}

export class Workers {
  readonly jobs = new Jobs(() => this.started());
  /** True once events are put off until their jobs are done: home then leaves all jobs to workers. */
  private serving = false;
  private pool: PoolPart.Pool | undefined;
  private idled = false;
  private readonly cores = availableParallelism();
  private hindrance: { readonly why: string | undefined } | undefined;

  /** @param wanted how many the user asked for; undefined: as many as pay */
  constructor(
    private readonly wanted: number | undefined,
    private readonly disturbances: Disturbances,
    private readonly members: () => string,
    private readonly events: WorkersEvents,
  ) {
    this.jobs.patient = disturbances.wait;
    this.jobs.released = () => events.settled();
  }

  /** Why there cannot be workers; undefined if there can. Asked once, before the first. */
  get refusal(): string | undefined {
    this.hindrance ??= { why: this.pool === undefined ? this.whyNone() : undefined };
    return this.hindrance.why;
  }

  private whyNone(): string | undefined {
    if (this.wanted === undefined && this.cores === 1) return "there is one core, and the program has it";
    return whyVisible() ?? lackOfRoom(this.wanted ?? max(1, this.cores));
  }

  get size(): number {
    return this.pool?.size ?? 0;
  }

  /** Whether a worker has been idle, so that they are up: their start takes longer than most jobs. */
  get areUp(): boolean {
    this.idled ||= this.pool !== undefined && this.jobs.table.header(Header.SLEEPERS) > 0;
    return this.idled;
  }

  /** Whether there is one that takes jobs, or will be once there are jobs. */
  get someAlive(): boolean {
    return this.pool?.someAlive !== false;
  }

  /** How many died or hung. */
  get lost(): number {
    return this.pool?.lost ?? 0;
  }

  /** From now on the program serves: home leaves all jobs to workers, and all cores are theirs. */
  serve(): void {
    if (this.serving) return;
    this.serving = true;
    this.jobs.table.setHeader(Header.RESERVE, 0);
    this.pool?.use(this.count());
    this.jobs.table.wakeAll();
  }

  /** While an event waits for its jobs, the process must not end for want of anything else to do. */
  hold(wanted: boolean): void {
    this.pool?.hold(wanted);
  }

  /** Home begins to compute a region itself: a worker may take the last job that was left to home. */
  beginOwn(): void {
    if (this.pool === undefined || this.serving) return;
    const { table } = this.jobs;
    table.setHeader(Header.HOME_BUSY, 1);
    if (table.header(Header.SLEEPERS) > 0 && this.jobs.ready()) table.wakeAll();
  }

  endOwn(): void {
    if (this.pool !== undefined) this.jobs.table.setHeader(Header.HOME_BUSY, 0);
  }

  /** How many workers there are to be: while home computes too, one core is left to it. */
  private count(): number {
    return this.wanted ?? max(1, this.serving ? this.cores : this.cores - 1);
  }

  /** Undefined: the program has changed node since `refusal` was asked, so that it would see workers. */
  private started(): PoolPart.Pool | undefined {
    if (this.pool !== undefined || this.refusal !== undefined) return this.pool;
    if (!stackHasRoom("once")) return undefined;
    this.hindrance = { why: whyVisible() };
    if (this.hindrance.why === undefined) this.pool = this.start();
    return this.pool;
  }

  private start(): PoolPart.Pool {
    const { Pool } = loadPart<typeof PoolPart>("home/workers/pool.js");
    const { delay, delaySeed: seed } = this.disturbances;
    const pool = new Pool(
      this.jobs.table,
      { delay, seed, members: this.members() },
      {
        notice: () => this.events.settled(),
        failure: (site, reason) => this.events.failure(site, reason),
        gone: (rank) => {
          this.jobs.workerGone(rank);
          this.events.settled();
        },
      },
    );
    this.jobs.table.setHeader(Header.RESERVE, this.serving || this.jobs.patient ? 0 : 1);
    pool.use(this.count());
    return pool;
  }
}
