/**
 * Packets that wait until workers have computed what will be needed. Each is given to node when what it waits for has
 * come to an end, one at a time.
 *
 * A packet waits for exactly one thing at a time, which it names (`waits`), and each way in which that can end leads to
 * `goOn`:
 *
 *   a job        the first of its jobs that is not settled. A worker has done it, or has failed: its notice, which was
 *                asked for before the job was looked at for the last time. Its worker died, or none is left: `settled`
 *                of the workers. Home took it for another event, or gave it up: the job table says so
 *                (`Jobs.released`). Or the connection is closed, which it says.
 *   the program  it has paused the connection. It resumes or closes it: the connection says so.
 *   its turn     another packet is being given: its `done`.
 *
 * A packet of a connection that has a time-out waits no longer than until `until`, by policy: a look every 100 ms,
 * which also ends workers that hang.
 */
import { ownTimers, unreferenced } from "../../builtin.js";
import { now } from "../../shared/job-table.js";
import type { Job } from "../workers/jobs.js";
import type { Workers } from "../workers/workers.js";

/** What is used of the workers. */
type Staff = Pick<Workers, "areUp" | "someAlive" | "serve" | "hold"> & {
  readonly jobs: Pick<Workers["jobs"], "askNotice" | "settled">;
};

/** The oldest packet of a connection that node has not got. */
export interface Held {
  readonly jobs: readonly Job[];
  /** When it is given whatever its jobs do, by `now`. */
  readonly until: number;
  /** Whether the program has paused the connection. */
  readonly paused: () => boolean;
  /** Whether the connection is no more: then nobody waits, and `give` gives nothing. */
  readonly closed: () => boolean;
  /** Gives it to node. `done` is called later, when node has it. */
  readonly give: (done: () => void) => void;
}

interface Put extends Held {
  waits: Job | "the program" | "its turn";
}

const watchEvery = 100;

export class Waiting {
  /** The oldest first. */
  private readonly puts = new Set<Put>();
  private giving = false;
  private watch: NodeJS.Timeout | undefined;

  /**
   * @param sweep ends workers that hang
   * @param always all that may be put off is, for tests
   */
  constructor(
    private readonly workers: Staff,
    private readonly sweep: () => void,
    private readonly always: boolean,
  ) {}

  /** Whether a packet with these jobs is put off. Not while the workers start: home is done before they are up. */
  worthwhile(jobs: readonly Job[]): boolean {
    return jobs.length > 0 && (this.always || this.workers.areUp);
  }

  /** What each packet waits for. */
  get reasons(): Put["waits"][] {
    return [...this.puts].map((put) => put.waits);
  }

  put(held: Held): void {
    this.puts.add({ ...held, waits: "its turn" });
    if (held.jobs.length > 0) this.workers.serve();
    this.goOn();
  }

  /** Gives the next packet that waits for nothing else. Whatever a packet waits for, its end is told here. */
  goOn(): void {
    let next: Put | undefined;
    let holds = false;
    for (const put of this.puts) {
      put.waits = this.reasonOf(put);
      if (put.waits === "its turn") next ??= put;
      else if (put.waits !== "the program") holds = true;
    }
    // While a packet waits for a job, the process must not end for want of anything else to do.
    this.workers.hold(holds);
    this.watchIf(this.puts.size > 0);
    if (next === undefined || this.giving) return;
    this.giving = true;
    this.puts.delete(next);
    next.give(() => {
      this.giving = false;
      this.goOn();
    });
  }

  private reasonOf(put: Put): Put["waits"] {
    if (put.closed()) return "its turn";
    if (now() < put.until && this.workers.someAlive) {
      const { jobs } = this.workers;
      for (const job of put.jobs) {
        if (jobs.settled(job)) continue;
        // In this order: a worker looks whether a notice is wanted when it has settled the job.
        jobs.askNotice(job);
        if (!jobs.settled(job)) return job;
      }
    }
    return put.paused() ? "the program" : "its turn";
  }

  private watchIf(wanted: boolean): void {
    if (!wanted) {
      clearInterval(this.watch);
      this.watch = undefined;
    } else {
      const look = (): void => {
        this.sweep();
        this.goOn();
      };
      this.watch ??= unreferenced(ownTimers.setInterval(look, watchEvery));
    }
  }
}
