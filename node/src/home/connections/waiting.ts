/**
 * Events of connections that wait until workers have computed what they will need. Events of one connection keep their
 * order; each is then given to the program from the poll phase, one turn of the loop each, in the asynchronous context
 * in which it came. While one waits, what comes after it on its connection, above all its end, waits in the kernel.
 */
import type { AsyncResource as Resource } from "node:async_hooks";
import type { MessageChannel as Channel } from "node:worker_threads";
import { builtin, ownTimers } from "../../builtin.js";
import type { Job } from "../workers/jobs.js";
import type { Workers } from "../workers/workers.js";

const { AsyncResource } = builtin("node:async_hooks");
const { MessageChannel } = builtin("node:worker_threads");

/** What is used of a socket here. */
export interface Connection {
  readonly destroyed?: boolean;
  /** Milliseconds for which it may be idle; 0 or undefined: for as long as it likes. */
  readonly timeout?: number;
  readonly _handle?: { reading: boolean; readStart(): number; readStop(): number } | null;
}

interface Put {
  readonly jobs: readonly Job[];
  readonly context: Resource;
  readonly go: () => void;
}

const { nextTick } = process;
const nextTickOriginal = nextTick.bind(process);

export class Waiting {
  /** For each connection its events that wait, in the order in which they came. */
  private readonly queues = new Map<Connection, Put[]>();
  private again: Channel | undefined;
  /** Connections that node stopped reading; they are read again when none of their events waits any more. */
  private readonly stopped = new WeakSet<object>();
  private asked = false;
  private watch: NodeJS.Timeout | undefined;

  /** How many events were put off. */
  events = 0;
  /** How many of these were messages, not requests. */
  messages = 0;

  /**
   * @param sweep ends workers that hang
   * @param always all that may be put off is, for tests
   */
  constructor(
    private readonly workers: Workers,
    private readonly sweep: () => void,
    private readonly always: boolean,
  ) {}

  /**
   * Whether an event of this connection may be put off. Not where the connection may be idle for some time only: node
   * would count the time for which an event waits, and end the connection.
   */
  mayWait(connection: Connection): boolean {
    return !connection.timeout;
  }

  /** Whether an event with these jobs is put off. Not while the workers start: home is done before they are up. */
  worthwhile(jobs: readonly Job[]): boolean {
    return jobs.length > 0 && (this.always || this.workers.areUp);
  }

  /** Whether an event of this connection waits, so that what comes after it has to. */
  has(connection: Connection): boolean {
    return this.queues.has(connection);
  }

  /**
   * @param go gives the event to the program
   * @param kind the kind of asynchronous resource in whose context the event is given
   */
  putOff(connection: Connection, jobs: readonly Job[], kind: "HTTPINCOMINGMESSAGE" | "TCPWRAP", go: () => void): void {
    const { jobs: table } = this.workers;
    const put: Put = { jobs, go, context: new AsyncResource(kind) };
    const queue = this.queues.get(connection);
    // While an event waits for a worker that hangs, nothing else would find that out.
    this.watch ??= ownTimers.setInterval(this.sweep, 100).unref();
    if (queue === undefined) {
      this.queues.set(connection, [put]);
      // In a tick, for node starts to read again at the end of each request, before ticks run.
      nextTick(() => this.stopReading(connection));
    } else queue.push(put);
    this.events++;
    if (kind === "TCPWRAP") this.messages++;
    this.workers.serve();
    this.workers.hold(true);
    let settled = true;
    for (const job of jobs) {
      table.askNotice(job);
      settled = settled && table.settled(job);
    }
    if (settled) this.ask();
  }

  private stopReading(connection: Connection): void {
    const { _handle: handle } = connection;
    if (!this.queues.has(connection) || !handle?.reading) return;
    handle.reading = false;
    handle.readStop();
    this.stopped.add(connection);
  }

  /** @param wanted whether to read the connection again once none of its events waits: what `push` has returned */
  readLater(connection: Connection, wanted: boolean): void {
    if (wanted) this.stopped.add(connection);
    else this.stopped.delete(connection);
  }

  private readOn(connection: Connection): void {
    const { _handle: handle } = connection;
    if (!this.stopped.delete(connection) || !handle || handle.reading || connection.destroyed) return;
    handle.reading = true;
    handle.readStart();
  }

  /** Asks for one turn of the loop per event, so that ticks and microtasks of one run before the next begins. */
  private ask(): void {
    if (this.asked) return;
    this.asked = true;
    this.again ??= this.channel();
    this.again.port2.postMessage(null);
  }

  private channel(): Channel {
    const made = new MessageChannel();
    made.port1.on("message", () => {
      this.asked = false;
      this.goOn();
    });
    made.port1.unref();
    return made;
  }

  /** Starts the next event whose jobs are done. Called from the poll phase. */
  goOn(): void {
    let next: Put | undefined;
    let from: Connection | undefined;
    let more = false;
    for (const [connection, queue] of this.queues) {
      const [first] = queue;
      if (first === undefined || !first.jobs.every((job) => this.workers.jobs.settled(job))) continue;
      if (next !== undefined) {
        more = true;
        break;
      }
      next = first;
      from = connection;
    }
    if (next === undefined || from === undefined) return;
    const queue = this.queues.get(from) as Put[];
    queue.shift();
    if (queue.length > 0) more ||= (queue[0] as Put).jobs.every((job) => this.workers.jobs.settled(job));
    const last = queue.length === 0;
    if (last) this.queues.delete(from);
    if (more) this.ask();
    if (this.queues.size === 0) {
      this.workers.hold(false);
      clearInterval(this.watch);
      this.watch = undefined;
    }
    this.start(next, last ? from : undefined);
  }

  /**
   * In a tick, which runs right after the message: if the program threw during the dispatch of the message, node would
   * catch that and throw it again elsewhere, and show another place.
   */
  private start({ context, go }: Put, last: Connection | undefined): void {
    nextTickOriginal(() => {
      try {
        context.runInAsyncScope(go);
      } finally {
        if (last !== undefined) this.readOn(last);
      }
    });
  }
}
