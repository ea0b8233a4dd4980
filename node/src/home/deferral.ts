/**
 * Requests that are started later, when workers have computed what they will need, so that home serves others meanwhile.
 *
 * An event that came from the network may be put off, as if its packet had come later, as long as the events of its
 * connection keep their order. There are two such events of an HTTP request: `request`, and the end of its body (what
 * reads the body first, as frameworks do, calls regions only then). Both are given to the program by node's own code in
 * the context in which they came, from a callback of the poll phase as ever.
 */
import { AsyncResource } from "node:async_hooks";
import type { IncomingMessage, Server } from "node:http";
import { getBuiltinModule } from "node:process";
import { MessageChannel } from "node:worker_threads";
import { allowGetters } from "../transform/preview-state.js";
import type { Home } from "./home.js";
import type { Job } from "./jobs.js";
import { Learned, type RequestFacts } from "./learned.js";
import type { Site } from "./site.js";
import { original } from "./upcoming.js";

type Emit = (this: Server, event: string | symbol, ...args: unknown[]) => boolean;
type Push = (this: IncomingMessage, chunk: unknown, encoding?: BufferEncoding) => boolean;
type Request = IncomingMessage & { socket: { server?: unknown } };

interface Put {
  readonly jobs: readonly Job[];
  readonly context: AsyncResource;
  readonly go: () => void;
}

/** A socket, as far as it is of interest here. */
interface Connection {
  readonly destroyed?: boolean;
  readonly _handle?: { reading: boolean; readStart(): number; readStop(): number } | null;
}

/** What is known of a request that home has not finished with. */
interface Served extends RequestFacts {
  chunks: Buffer[] | null;
  size: number;
  /** Calls of each site so far. */
  readonly calls: Map<Site, number>;
}

const { nextTick } = process;
const { setImmediate: setImmediateOriginal, setInterval: setIntervalOriginal } = original;
const nextTickOriginal = process.nextTick.bind(process);

/** Bodies up to this length are looked at. Bytes. */
const maxBody = 1_000_000;
const maxJobs = 8;

export class Deferral {
  private readonly learned: Learned;
  /** By connection, in order. */
  private readonly queues = new Map<Connection, Put[]>();
  private readonly served = new WeakMap<object, Served>();
  /** The request whose code runs, as far as that is known: a wrong one makes wrong predictions, no more. */
  private current: Served | undefined;
  private readonly again = new MessageChannel();
  private readonly stopped = new WeakSet<object>();
  private asked = false;
  private installed = false;
  private watch: NodeJS.Timeout | undefined;

  constructor(private readonly home: Home) {
    this.learned = new Learned((a, b) => this.same(a, b));
    this.again.port1.on("message", () => {
      this.asked = false;
      this.goOn();
    });
    this.again.port1.unref();
  }

  /**
   * Sees to it that requests pass through here.
   * @param https whether node:https has been loaded
   * @returns whether there is nothing left to be installed
   */
  install(https: boolean): boolean {
    if (!this.installed) {
      this.installed = true;
      const http = getBuiltinModule("http");
      allowGetters(http.IncomingMessage.prototype, ["headers", "connection", "aborted", "trailers"]);
      this.wrapEmit(http.Server.prototype);
      this.wrapPush(http.IncomingMessage.prototype);
    }
    if (https) this.wrapEmit(getBuiltinModule("https").Server.prototype);
    return https;
  }

  private wrapEmit(prototype: object): void {
    const deferral = this;
    // eslint-disable-next-line @typescript-eslint/unbound-method
    const original = (prototype as { emit: Emit }).emit;
    const { emit } = {
      emit(this: Server, event: string | symbol, ...args: unknown[]): boolean {
        if (event === "request" && deferral.request(this, original, args)) return true;
        return Reflect.apply(original, this, [event, ...args]);
      },
    };
    Object.defineProperty(prototype, "emit", { value: emit, writable: true, configurable: true, enumerable: false });
  }

  private wrapPush(prototype: object): void {
    const deferral = this;
    // eslint-disable-next-line @typescript-eslint/unbound-method
    const original = (prototype as { push: Push }).push;
    const { push } = {
      push(this: IncomingMessage, chunk: unknown, encoding?: BufferEncoding): boolean {
        const served = deferral.served.get(this);
        if (served === undefined) return Reflect.apply(original, this, [chunk, encoding]);
        if (chunk !== null) {
          deferral.collect(served, chunk);
          return Reflect.apply(original, this, [chunk, encoding]);
        }
        return deferral.ended(this as Request, served, () => Reflect.apply(original, this, [null]));
      },
    };
    Object.defineProperty(prototype, "push", { value: push, writable: true, configurable: true, enumerable: false });
  }

  // --- the two events

  /** @returns false: node shall emit it now */
  private request(server: Server, emit: Emit, args: unknown[]): boolean {
    const { home } = this;
    const [message] = args as [Request];
    if (!home.eager) return false;
    try {
      const served: Served = {
        method: String(message.method),
        url: String(message.url),
        headers: message.headers,
        chunks: null,
        size: 0,
        calls: new Map(),
      };
      const hasBody = message.headers["content-length"] !== undefined || "transfer-encoding" in message.headers;
      if (hasBody) served.chunks = [];
      this.served.set(message, served);
      const jobs = this.jobsFor(served, (previews) => {
        for (const listener of server.listeners("request")) previews.run(listener, server, args);
      });
      const go = (): void => {
        this.current = served;
        Reflect.apply(emit, server, ["request", ...args]);
      };
      const connection = message.socket as Connection;
      if (jobs.length === 0 && !this.queues.has(connection)) {
        this.current = served;
        return false;
      }
      this.putOff(connection, jobs, go);
      return true;
    } catch {
      return false;
    }
  }

  private collect(served: Served, chunk: unknown): void {
    if (served.chunks === null || !Buffer.isBuffer(chunk)) return;
    served.size += chunk.length;
    if (served.size > maxBody) served.chunks = null;
    else served.chunks.push(chunk);
  }

  private ended(message: Request, served: Served, push: () => boolean): boolean {
    const go = (): void => {
      this.current = served;
      push();
    };
    const connection = message.socket as Connection;
    let jobs: Job[] = [];
    if (this.home.eager && served.chunks !== null && served.chunks.length > 0) {
      const body = Buffer.concat(served.chunks);
      served.chunks = null;
      served.body = body.toString("utf8");
      jobs = this.jobsFor(served, undefined);
    }
    if (jobs.length === 0 && !this.queues.has(connection)) {
      this.current = served;
      return push();
    }
    this.putOff(connection, jobs, go);
    return false;
  }

  // --- predictions

  private jobsFor(served: Served, look: Parameters<Home["foresee"]>[0] | undefined): Job[] {
    const { home } = this;
    const jobs: Job[] = [];
    const take = (site: Site, key: string): void => {
      if (jobs.length >= maxJobs || jobs.some((job) => job.site === site && job.key === key)) return;
      const job = home.ship(site, key, undefined);
      if (job !== undefined) jobs.push(job);
    };
    if (look !== undefined) home.foresee(look, take);
    for (const { site, values } of this.learned.predict(served)) {
      const key = home.encode(values, []);
      if (key !== undefined) take(site, key);
    }
    return jobs;
  }

  get serving(): boolean {
    return this.current !== undefined;
  }

  /** Home has reached a site with these values. */
  reached(site: Site, values: readonly unknown[], matched: boolean): void {
    const { current } = this;
    if (current === undefined) return;
    const nth = current.calls.get(site) ?? 0;
    current.calls.set(site, nth + 1);
    this.learned.observe(current, site, nth, values, matched);
  }

  private same(a: unknown, b: unknown): boolean {
    if (Object.is(a, b)) return true;
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
    const text = this.home.encodeValue(a);
    return text !== undefined && text === this.home.encodeValue(b);
  }

  // --- waiting

  private putOff(connection: Connection, jobs: readonly Job[], go: () => void): void {
    const { home } = this;
    const put: Put = { jobs, go, context: new AsyncResource("HTTPINCOMINGMESSAGE") };
    const queue = this.queues.get(connection);
    // Hung workers are found by looking; while something waits, somebody has to.
    this.watch ??= setIntervalOriginal(() => home.sweep(), 100).unref();
    if (queue === undefined) {
      this.queues.set(connection, [put]);
      // Later than node, which starts to read again at the end of each request.
      nextTick(() => this.stopReading(connection));
    } else queue.push(put);
    home.putOff++;
    home.serve();
    home.pool?.hold(true);
    let settled = true;
    for (const job of jobs) {
      home.jobs.askNotice(job);
      settled = settled && home.jobs.settled(job);
    }
    if (settled) this.ask();
  }

  /** What comes after an event that waits, above all the end of the connection, waits in the kernel. */
  private stopReading(connection: Connection): void {
    const { _handle: handle } = connection;
    if (!this.queues.has(connection) || !handle?.reading) return;
    handle.reading = false;
    handle.readStop();
    this.stopped.add(connection);
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
    this.again.port2.postMessage(null);
  }

  /** Starts the next event whose jobs are done. Called from the poll phase. */
  goOn(): void {
    let next: Put | undefined;
    let last: Connection | undefined;
    let more = false;
    for (const [connection, queue] of this.queues) {
      const [first] = queue;
      if (first === undefined || !first.jobs.every((job) => this.home.jobs.settled(job))) continue;
      if (next !== undefined) {
        more = true;
        break;
      }
      next = first;
      queue.shift();
      if (queue.length === 0) {
        this.queues.delete(connection);
        last = connection;
      } else if ((queue[0] as Put).jobs.every((job) => this.home.jobs.settled(job))) more = true;
    }
    if (more) this.ask();
    if (this.queues.size === 0) {
      this.home.pool?.hold(false);
      clearInterval(this.watch);
      this.watch = undefined;
    }
    if (next !== undefined) this.start(next, last);
  }

  /**
   * By a tick, which runs as soon as the message is dealt with: thrown inside of its dispatch, an exception of the
   * program's would be caught by node, thrown again elsewhere, and be shown with another place.
   */
  private start({ context, go, jobs }: Put, last: object | undefined): void {
    nextTickOriginal(() => {
      try {
        context.runInAsyncScope(go);
      } finally {
        if (last !== undefined) this.readOn(last);
        // What was shipped for it and not reached by now will not be.
        setImmediateOriginal(() => {
          for (const job of jobs) this.home.jobs.drop(job);
        }).unref();
      }
    });
  }
}
