/**
 * Packets from the network that are given to node later, when workers have computed what they will need, so that home
 * serves others meanwhile.
 *
 * A packet may be put off, as if it had come later, as long as those of its connection keep their order: requests of an
 * HTTP server with their bodies, and what a connection that a server has accepted gives its program to read.
 * `arrivals.ts` takes packets before node does, and gives them to it; here is decided which ones wait, and for what.
 * What cannot be shown to be the same a little later is not put off. Connections that the program has opened itself, to
 * a database for instance, are left alone.
 */
import {
  builtin,
  bytes as texts,
  type Bytes,
  hasUncaughtExceptionCaptureCallback,
  listOf,
  ownTimers,
  stackHasRoom,
  unreferenced,
} from "../../builtin.js";
import { max, min } from "../../arithmetic.js";
import { now } from "../../shared/job-table.js";
import { Arrivals, type Connection } from "./arrivals.js";
import { contextsAreWatched } from "./context.js";
import { MessageFacts, RequestFacts } from "./facts.js";
import { Foresight, type Served } from "./foresight.js";
import { handleOf, symbolOf, valueOf, type Accepted, type Answer, type Handle, type Listening } from "./handles.js";
import type { Packet } from "./handles.js";
import type { LookAhead } from "../look-ahead/look-ahead.js";
import type { Job } from "../workers/jobs.js";
import { Kinds, Run, type Kind } from "./light.js";
import { LineReader, WebSocketReader, type Reader } from "./messages.js";
import type { Learner, Site } from "../policy/site.js";
import { first as firstTrial, type Trials } from "../policy/trials.js";
import { Relay } from "./relay.js";
import { RequestReader, type Reading, type Request } from "./requests.js";
import { bufferThere, objectThere } from "../../realm.js";
import type { Validation } from "../validation/validation.js";
import type { Workers } from "../workers/workers.js";
import { Waiting } from "./waiting.js";

/** What a packet will bring to the program. */
interface Expected {
  readonly events: readonly Served[];
  readonly jobs: readonly Job[];
}

/** A request that is not answered yet. */
interface Asked {
  readonly facts: RequestFacts;
  readonly served: Served;
  answer: Answer | undefined;
  ended: boolean;
}

/** What is known of a connection. */
interface Known {
  requests: RequestReader | undefined;
  /** In the order in which they came. */
  readonly asked: Map<Request, Asked>;
  messages: Reader | undefined;
  /** When node's limits for a request began to count, by `now`. */
  since: number;
  readonly run: Run;
}

/** After so many milliseconds a message counts as dealt with; nothing tells when it really is. */
const messageTime = 500;
/** In milliseconds: where a request has less time than this, or a connection that is kept alive, nothing waits. */
const leastTime = { request: 10_000, idle: 2000 };
/** Milliseconds of a timer. Odd: the program has none of this length, which node would keep in one list with it. */
const lookEvery = 499;
/** For so many milliseconds a light connection is node's alone. */
const leftFor = 2000;

interface Look extends Expected {
  readonly until: number;
  readonly quiet: boolean;
}

const nothing: Expected = { events: [], jobs: [] };

export class Deferral implements Learner {
  private readonly foresight: Foresight;
  private readonly waiting: Waiting;
  private arrivals: Arrivals | undefined;
  private readonly known = new WeakMap<Connection, Known>();
  private readonly runs = new WeakMap<Handle, Run>();
  /** When those that were left to node were taken again. */
  private tookAgain = 0;
  private readonly servers = new WeakMap<object, number>();
  private serversKnown = 0;
  private opening = false;
  private readonly kinds = new Kinds();
  /** Of the event that node has got without a look at it, and deals with now. */
  private light: Kind | undefined;
  private readonly lightIsOver = (): void => {
    this.light = undefined;
  };
  /** Whether somebody may watch contexts of streams; then no message waits any more. */
  private watched = false;

  /** How many packets were put off. */
  putOff = 0;
  /** How many of these had messages, not requests. */
  putOffMessages = 0;
  /** How many waited for no job, but for their turn. */
  inTurn = 0;

  constructor(
    private readonly ahead: LookAhead,
    validation: Validation,
    workers: Workers,
    /** Undefined: all that may be put off is, for tests. */
    private readonly trials: Trials | undefined,
    /** Told how many milliseconds packets were looked at, until `at`. */
    private readonly spent: (milliseconds: number, at: number) => void,
  ) {
    this.foresight = new Foresight(ahead, validation, workers.jobs);
    this.waiting = new Waiting(workers, () => ahead.sweep(), trials === undefined);
  }

  /**
   * Sees to it that packets pass through here.
   * @param loaded whether node has loaded a module of its own
   * @param handles gives what is active now
   * @returns whether there is nothing left to be installed
   */
  install(loaded: (name: string) => boolean, handles: () => readonly object[]): boolean {
    if (this.arrivals !== undefined) return this.arrivals.install(loaded, handles);
    if (this.opening) return false;
    this.opening = true;
    Relay.open((relay) => {
      this.arrivals = new Arrivals(relay, {
        arrived: (connection, packet) => this.arrived(connection, packet),
        changed: () => this.goOn(),
        mayDefer: () => this.ahead.eager && this.trials?.state !== "off",
      });
      this.arrivals.install(loaded, handles);
      unreferenced(ownTimers.setInterval(() => this.lookAround(), lookEvery));
    });
    return false;
  }

  /** How often a connection was left to node. */
  get timesLeft(): number {
    return this.arrivals?.timesLeft ?? 0;
  }

  /** Whether calls of sites follow from an event that is known. */
  get serving(): boolean {
    return this.defers && (this.light !== undefined || this.foresight.some);
  }

  reached(site: Site, values: readonly unknown[], job: Job | undefined): void {
    this.light?.saw(true);
    if (this.light !== undefined && job === undefined) return;
    this.foresight.reached(site, values, job);
  }

  /** Called below the program, which may have filled the stack: then the next look goes on. */
  goOn(): void {
    if (stackHasRoom()) this.waiting.goOn();
  }

  private knownOf(connection: Connection): Known {
    let known = this.known.get(connection);
    if (known === undefined) {
      let run = this.runs.get(connection.handle);
      if (run === undefined) this.runs.set(connection.handle, (run = new Run()));
      known = {
        run,
        requests: undefined,
        asked: new Map(),
        messages: undefined,
        since: connection.fresh ? now() : 0,
      };
      this.known.set(connection, known);
    }
    return known;
  }

  /** A connection has brought a packet, and none of it waits. */
  private arrived(connection: Connection, packet: Packet): (() => void) | undefined {
    const known = this.knownOf(connection);
    this.trials?.came(now(), connection.parser !== undefined && !known.run.left);
    this.light = this.lightIn(connection, packet);
    if (this.light !== undefined) {
      connection.leaves = this.leaves(known, true);
      return this.lightIsOver;
    }
    const begun = now();
    const { events, jobs, until, quiet } = this.look(connection, packet, true);
    const ended = now();
    this.spent(ended - begun, ended);
    const light = events.length === 0 ? undefined : events.every(({ kind }) => kind?.isVain === true);
    connection.leaves = this.leaves(known, jobs.length === 0 && light);
    if (until > 0 || !quiet) {
      if (until === 0) this.inTurn++;
      connection.keep(packet);
      this.wait(connection, { events, jobs }, until);
      return undefined;
    }
    const end = events.length > 0 ? this.foresight.enter(events) : undefined;
    return () => {
      end?.();
      this.noteAnswers(connection);
    };
  }

  private get defers(): boolean {
    return this.ahead.eager && this.trials?.on !== false;
  }

  get excuses(): boolean {
    return this.trials?.excuses(now()) === true;
  }

  private willWait(): void {
    this.putOff++;
    if (this.trials?.waited(now()) !== true) return;
    const look = (): void => {
      clearInterval(once);
      this.lookAround();
    };
    const once = unreferenced(ownTimers.setInterval(look, firstTrial + 3));
  }

  /**
   * Whether the connection is left to node.
   * @param light whether what its packet brings leads to nothing; undefined: it brings only a part of something
   */
  private leaves({ run }: Known, light: boolean | undefined): boolean {
    if (this.trials?.comparing === true) return false;
    if (!this.defers) return true;
    return light !== undefined && run.saw(light);
  }

  private lookAround(): void {
    const at = now();
    if (!stackHasRoom("once")) return;
    const { eager } = this.ahead;
    const begins = this.trials?.look(at, eager) === true;
    if (!eager || (!begins && (this.trials?.state === "off" || at < this.tookAgain + leftFor))) return;
    this.tookAgain = at;
    this.takeAgain();
  }

  /** Connections that were left to node may bring something else by now. */
  private takeAgain(): void {
    const looked = new Set<unknown>();
    for (const connection of this.arrivals?.takeAgain() ?? []) {
      const { server } = connection.socket;
      if (looked.has(server)) continue;
      looked.add(server);
      for (const one of this.arrivals?.betweenRequests(connection) ?? []) this.begins(one);
    }
  }

  /** The connection is between two requests, with nothing of it on the stack. */
  private begins(connection: Connection): void {
    const known = this.knownOf(connection);
    if (known.requests?.isSure === true) return;
    known.requests = new RequestReader(true);
    known.since = max(known.since, now());
  }

  /** The kind of what the packet brings, if that is known to lead to nothing: then there is no need to look at it. */
  private lightIn(connection: Connection, { bytes }: Packet): Kind | undefined {
    const known = this.known.get(connection);
    if (known === undefined || bytes === undefined) return undefined;
    const { parser, socket } = connection;
    if (known.asked.size > 0) this.noteAnswers(connection);
    if (known.asked.size > 0 || (parser === undefined && socket.parser)) return undefined;
    const { messages, requests } = known;
    const name =
      parser === undefined ? messages?.glance(bytes, this.numberOf(socket.server as object)) : requests?.glance(bytes);
    if (name === undefined) return undefined;
    const kind = this.kinds.of(name);
    if (this.defers && !kind.skips()) return undefined;
    if (parser !== undefined) known.since = now();
    return kind;
  }

  /**
   * Looks at a packet before node does.
   * @param fresh whether it has just come, in the callback of its stream
   * @returns `until`: until when it waits for its jobs, 0 if it does not; `quiet`: whether it may be given right now
   */
  private look(connection: Connection, { bytes }: Packet, fresh: boolean): Look {
    const { parser, socket } = connection;
    // A parser that does not consume the stream is the program's business.
    if (bytes === undefined || (parser === undefined && socket.parser)) return { ...nothing, until: 0, quiet: true };
    return parser === undefined
      ? this.lookAtMessages(connection, bytes, fresh)
      : this.lookAtRequests(connection, bytes);
  }

  /** The oldest packet of the connection waits for its jobs, or only for its turn. */
  private wait(connection: Connection, { events, jobs }: Expected, until: number): void {
    this.waiting.put({
      jobs: until > 0 ? jobs : [],
      until,
      paused: () => connection.isPaused,
      closed: () => connection.isClosed,
      give: (done) => {
        const begin = (inside: (() => void) | undefined): void => {
          if (inside === undefined) return this.foresight.start(events);
          const end = this.foresight.enter(events);
          try {
            inside();
          } finally {
            end();
          }
        };
        connection.giveLater(begin, (next) => {
          this.noteAnswers(connection);
          // TLS may bring several at once.
          if (next !== undefined) {
            const look = this.look(connection, next, false);
            this.wait(connection, look, look.until);
          } else this.findBeginnings(connection);
          done();
        });
      },
    });
  }

  // --- requests

  private lookAtRequests(connection: Connection, bytes: Bytes): Look {
    const known = this.knownOf(connection);
    known.requests ??= new RequestReader(connection.fresh && known.messages === undefined);
    // It was taken amid a body, for instance. Node says when a request is over, most likely between two packets.
    const { parser, socket } = connection;
    if (known.requests.isLost && !parser?.incoming && !socket._httpMessage) known.requests = new RequestReader(false);
    const reading = known.requests.read(bytes);
    let expected = nothing;
    let until = 0;
    if (this.defers) {
      try {
        until = this.untilOfRequest(connection, known);
        expected = this.requests(connection, known, reading, until > 0);
      } catch {
        // nothing foreseen
      }
    }
    if (reading.whole) known.since = now();
    if (!this.waiting.worthwhile(expected.jobs)) until = 0;
    if (until > 0) this.willWait();
    return { ...expected, until, quiet: reading.quiet };
  }

  /**
   * From where the next request begins all is known of a connection, also if that was open before: its packets need not
   * wait any more for not being known to be quiet. To be called with nothing of a connection on the stack.
   */
  private findBeginnings(connection: Connection): void {
    const { requests } = this.knownOf(connection);
    if (requests === undefined || requests.isSure) return;
    for (const one of this.arrivals?.betweenRequests(connection) ?? []) this.begins(one);
  }

  /** Until when a packet of requests may wait; 0: not at all. */
  private untilOfRequest({ socket }: Connection, known: Known): number {
    const at = now();
    const server = socket.server as Listening;
    if (server.timeout) return 0;
    let until = Infinity;
    for (const limit of [server.headersTimeout, server.requestTimeout]) {
      if (!limit) continue;
      if (limit < leastTime.request) return 0;
      until = min(until, at + (known.since + limit - at) / 2);
    }
    // Kept alive: node's own limit for how long it may be idle, which no other time-out may be mistaken for.
    if (socket.timeout) until = min(until, this.untilIdle(socket, server, at));
    return until > at ? until : 0;
  }

  private untilIdle(socket: Accepted, server: Listening, at: number): number {
    const timer = valueOf(socket, symbolOf(socket, "timeout")) as { _idleStart: number; _idleTimeout: number } | null;
    const { keepAliveTimeout: kept = 0, keepAliveTimeoutBuffer: buffer = 1000 } = server;
    if (!timer || socket._httpMessage || ![kept, kept + buffer].includes(socket.timeout ?? 0)) return 0;
    const left = timer._idleStart + timer._idleTimeout - at;
    return left < leastTime.idle ? 0 : at + left / 2;
  }

  private requests(connection: Connection, known: Known, reading: Reading, ship: boolean): Expected {
    const { socket } = connection;
    const events: Served[] = [];
    const jobs: Job[] = [];
    for (const request of reading.begun) {
      const facts = new RequestFacts(request.method, request.url, request.headers);
      const asked: { answer: Answer | undefined; ended: boolean } = { answer: undefined, ended: false };
      const over = (): boolean =>
        asked.ended || isGone(socket) || asked.answer?.finished === true || asked.answer?.destroyed === true;
      const answers = (): boolean => asked.ended || typeof asked.answer?._header === "string";
      const served = this.foresight.begin(facts, this.kinds.of(facts.kind), over, answers);
      known.asked.set(request, Object.assign(asked, { facts, served }));
      events.push(served);
    }
    for (const { request, body } of reading.ended) {
      const asked = known.asked.get(request);
      if (asked === undefined) continue;
      if (body !== undefined) asked.facts.body = body;
      if (!events.includes(asked.served)) events.push(asked.served);
    }
    if (!ship) return { events, jobs };
    for (const request of reading.begun) {
      const { served } = known.asked.get(request) as Asked;
      jobs.push(...this.foresight.ship(served, (previews) => this.preview(previews, socket, request)));
    }
    for (const { request } of reading.ended) {
      const asked = known.asked.get(request);
      if (asked !== undefined && !reading.begun.includes(request))
        jobs.push(...this.foresight.ship(asked.served, undefined));
    }
    return { events, jobs };
  }

  /** Of the server's listeners, with objects that are like those that node will make. */
  private preview(previews: Parameters<Parameters<LookAhead["foresee"]>[0]>[0], socket: Accepted, from: Request): void {
    const http = builtin("node:http");
    const { method, url, headers } = from;
    const there = objectThere({ ...headers });
    const own = { method, url, headers: there, socket, httpVersion: "1.1", complete: false };
    const message = Object.create(http.IncomingMessage.prototype, Object.getOwnPropertyDescriptors(own)) as object;
    const response = Object.create(http.ServerResponse.prototype, { req: { value: message } }) as object;
    for (const listener of listenersOf(socket.server as object, "request"))
      previews.run(listener, socket.server, [message, response]);
  }

  /** Finds out which responses belong to the requests that node has got. */
  private noteAnswers(connection: Connection): void {
    const { socket } = connection;
    const { asked } = this.knownOf(connection);
    const answer = socket._httpMessage;
    for (const [request, one] of asked) {
      if (one.served.begun === Infinity) return;
      if (!answer || (one.answer !== undefined && one.answer !== answer)) one.ended = true;
      else if (one.answer === undefined && answer.req?.url === request.url) one.answer = answer;
      if (one.ended) asked.delete(request);
      else return;
    }
  }

  // --- messages

  private lookAtMessages(connection: Connection, bytes: Bytes, fresh: boolean): Look {
    const known = this.knownOf(connection);
    const { socket } = connection;
    const server = socket.server as object;
    // A connection that an HTTP server has given up (`upgrade`) is a WebSocket as a rule.
    known.messages ??= "requestTimeout" in server ? new WebSocketReader() : new LineReader();
    let events: readonly Served[] = [];
    let jobs: readonly Job[] = [];
    if (this.defers) {
      try {
        const over = (begun: number): boolean => isGone(socket) || now() > begun + messageTime;
        const number = this.numberOf(server);
        const from = `server ${number}`;
        const name = known.messages.glance(bytes, number);
        const kind = name === undefined ? undefined : this.kinds.of(name);
        events = known.messages
          .read(bytes)
          .map(({ text, bytes: own }) => this.foresight.begin(new MessageFacts(from, text, own), kind, over));
        if (fresh && this.mayWait(connection)) jobs = this.foreseen(socket, bytes, events);
      } catch {
        // nothing foreseen
      }
    }
    let waits = this.waiting.worthwhile(jobs);
    if (waits) {
      this.watched = contextsAreWatched();
      waits = !this.watched;
    }
    if (waits) this.willWait();
    if (waits) this.putOffMessages++;
    return { events, jobs, until: waits ? Infinity : 0, quiet: true };
  }

  /** Whether a message may wait. */
  private mayWait({ socket }: Connection): boolean {
    const events = valueOf(process, "_events") as object;
    if ("uncaughtException" in events || hasUncaughtExceptionCaptureCallback()) return false;
    return !socket.timeout && !this.watched;
  }

  private foreseen(socket: Accepted, chunk: Bytes, events: readonly Served[]): Job[] {
    const { encoding } = socket._readableState;
    return events.flatMap((served, at) =>
      this.foresight.ship(
        served,
        at > 0
          ? undefined
          : (previews) => {
              const seen = encoding ? texts.in(encoding, chunk) : bufferThere(chunk);
              for (const listener of listenersOf(socket, "data")) previews.run(listener, socket, [seen]);
            },
      ),
    );
  }

  private numberOf(server: object): number {
    let number = this.servers.get(server);
    if (number === undefined) this.servers.set(server, (number = ++this.serversKnown));
    return number;
  }
}

/** The listeners as node keeps them: a program may have put a method of its own in the place of `listeners`. */
function listenersOf(emitter: object, event: string): readonly unknown[] {
  const found = valueOf((valueOf(emitter, "_events") ?? {}) as object, event);
  return Array.isArray(found) ? listOf(found as unknown[]) : found === undefined ? [] : [found];
}

/** A socket that is destroyed has given its stream up. */
function isGone(socket: Accepted): boolean {
  return !handleOf(socket);
}
