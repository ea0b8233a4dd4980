/**
 * Events of connections that wait until workers have computed what they will need. Events of one connection keep their
 * order; each is then given to the program from the poll phase, one turn of the loop each, in the asynchronous context
 * in which it came. While one waits, what comes after it on its connection, above all its end, waits in the kernel.
 */
import type { AsyncResource as Resource } from "node:async_hooks";
import type { MessageChannel as Channel } from "node:worker_threads";
import { builtin } from "../builtin.js";
import type { Home } from "./home.js";
import type { Job } from "./jobs.js";
import { original } from "./upcoming.js";

const { AsyncResource } = builtin("node:async_hooks");
const { MessageChannel } = builtin("node:worker_threads");

/** A socket, as far as it is of interest here. */
export interface Connection {
  readonly destroyed?: boolean;
  readonly _handle?: { reading: boolean; readStart(): number; readStop(): number } | null;
}

interface Put {
  readonly jobs: readonly Job[];
  readonly context: Resource;
  readonly go: () => void;
}

const { nextTick } = process;
const { setInterval: setIntervalOriginal } = original;
const nextTickOriginal = nextTick.bind(process);

export class Waiting {
  /** By connection, in order. */
  private readonly queues = new Map<Connection, Put[]>();
  private again: Channel | undefined;
  /** Connections that are to be read again when nothing of them waits. */
  private readonly stopped = new WeakSet<object>();
  private asked = false;
  private watch: NodeJS.Timeout | undefined;

  constructor(private readonly home: Home) {}

  /** Whether an event of this connection waits, so that what comes after it has to. */
  has(connection: Connection): boolean {
    return this.queues.has(connection);
  }

  /**
   * @param go gives the event to the program
   * @param kind of the asynchronous resource that it counts as
   */
  putOff(connection: Connection, jobs: readonly Job[], kind: "HTTPINCOMINGMESSAGE" | "TCPWRAP", go: () => void): void {
    const { home } = this;
    const put: Put = { jobs, go, context: new AsyncResource(kind) };
    const queue = this.queues.get(connection);
    // Hung workers are found by looking; while something waits, somebody has to.
    this.watch ??= setIntervalOriginal(() => home.sweep(), 100).unref();
    if (queue === undefined) {
      this.queues.set(connection, [put]);
      // Later than node, which starts to read again at the end of each request.
      nextTick(() => this.stopReading(connection));
    } else queue.push(put);
    home.putOff++;
    if (kind === "TCPWRAP") home.putOffMessages++;
    home.serve();
    home.pool?.hold(true);
    let settled = true;
    for (const job of jobs) {
      home.jobs.askNotice(job);
      settled = settled && home.jobs.settled(job);
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

  /** Whether the connection shall be read again once nothing of it waits: what took the event in says so. */
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

  /** One turn of the loop for each event, so that ticks and microtasks of one run before the next. */
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
      if (first === undefined || !first.jobs.every((job) => this.home.jobs.settled(job))) continue;
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
    if (queue.length > 0) more ||= (queue[0] as Put).jobs.every((job) => this.home.jobs.settled(job));
    const last = queue.length === 0;
    if (last) this.queues.delete(from);
    if (more) this.ask();
    if (this.queues.size === 0) {
      this.home.pool?.hold(false);
      clearInterval(this.watch);
      this.watch = undefined;
    }
    this.start(next, last ? from : undefined);
  }

  /**
   * By a tick, which runs as soon as the message is dealt with: thrown inside of its dispatch, an exception of the
   * program's would be caught by node, thrown again elsewhere, and be shown with another place.
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
