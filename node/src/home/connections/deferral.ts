/**
 * Events from the network that are started later, when workers have computed what they will need, so that home serves
 * others meanwhile.
 *
 * An event that came from the network may be put off, as if its packet had come later, as long as the events of its
 * connection keep their order. Three such events there are: `request` of an HTTP server, the end of a request's body
 * (what reads the body first, as frameworks do, calls regions only then), and what a connection that a server has
 * accepted gives its program to read: `data`, or the end. All are given to the program by node's own code in the
 * context in which they came, from a callback of the poll phase as ever. Connections that the program has opened
 * itself, to a database for instance, are left alone.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { builtin, listOf } from "../../builtin.js";
import { now } from "../../shared/job-table.js";
import { longestText } from "../../shared/values.js";
import { allowGetters } from "../look-ahead/preview-state.js";
import { MessageFacts, RequestFacts } from "./facts.js";
import { Foresight, type Served } from "./foresight.js";
import { standInForMethod } from "../../loader/stand-ins.js";
import type { LookAhead } from "../look-ahead/look-ahead.js";
import type { Job } from "../workers/jobs.js";
import { LineReader, WebSocketReader, type Reader } from "./messages.js";
import type { Learner, Site } from "../policy/site.js";
import type { Validation } from "../validation/validation.js";
import type { Workers } from "../workers/workers.js";
import { Waiting, type Connection } from "./waiting.js";

type Push = (this: object, chunk: unknown, encoding?: BufferEncoding) => boolean;
type Listening = object & { address?: () => unknown };
/** `server`: set if a server has accepted the connection. `parser`: while node reads it as HTTP. */
type Accepted = Socket & Connection & { readonly server?: Listening | null; readonly parser?: unknown };

interface Body {
  readonly served: Served;
  readonly facts: RequestFacts;
  /** Null: the body is not kept (any longer), for it is too long to be sent to a worker. */
  chunks: Buffer[] | null;
  size: number;
}

/** After so many milliseconds a message counts as dealt with; nothing tells when it really is. */
const messageTime = 500;

export class Deferral implements Learner {
  private readonly foresight: Foresight;
  private readonly waiting: Waiting;
  private readonly bodies = new WeakMap<object, Body>();
  private readonly readers = new WeakMap<object, Reader>();
  private readonly servers = new WeakMap<object, string>();
  private serversKnown = 0;
  private readonly installed = new Set<string>();
  /** While listeners of a request run: one of them may hand it to another server. */
  private dealing = false;

  constructor(
    private readonly ahead: LookAhead,
    validation: Validation,
    workers: Workers,
    always: boolean,
  ) {
    this.foresight = new Foresight(ahead, validation, workers.jobs);
    this.waiting = new Waiting(workers, () => ahead.sweep(), always);
  }

  get putOff(): number {
    return this.waiting.events;
  }

  get putOffMessages(): number {
    return this.waiting.messages;
  }

  /**
   * Sees to it that events pass through here.
   * @param loaded whether node has loaded a module of its own
   * @returns whether there is nothing left to be installed
   */
  install(loaded: (name: string) => boolean): boolean {
    const first = (name: string): boolean => loaded(name) && !this.installed.has(name) && !!this.installed.add(name);
    if (first("net")) this.wrapSockets(builtin("net").Socket.prototype);
    if (first("http")) {
      const http = builtin("http");
      allowGetters(http.IncomingMessage.prototype, ["headers", "connection", "aborted", "trailers"]);
      this.wrapEmit(http.Server.prototype);
      this.wrapBodies(http.IncomingMessage.prototype);
      this.wrapAnswers(http.ServerResponse.prototype);
    }
    if (first("https")) this.wrapEmit(builtin("https").Server.prototype);
    return this.installed.size === 3;
  }

  /** Whether calls of sites follow from an event that is known. */
  get serving(): boolean {
    return this.foresight.some;
  }

  reached(site: Site, values: readonly unknown[], job: Job | undefined): void {
    this.foresight.reached(site, values, job);
  }

  goOn(): void {
    this.waiting.goOn();
  }

  private wrap(prototype: object, name: string, make: (original: Function) => Function): void {
    standInForMethod(prototype, name, (original) => {
      const made = make(original);
      return (receiver, args) => Reflect.apply(made, receiver, listOf(args));
    });
  }

  // --- requests

  private wrapEmit(prototype: object): void {
    const deferral = this;
    this.wrap(prototype, "emit", (original) => {
      const { emit } = {
        emit(this: Server, event: string | symbol, ...args: unknown[]): boolean {
          const now = (): boolean => Reflect.apply(original, this, [event, ...args]) as boolean;
          return event === "request" ? deferral.request(this, now, args) : now();
        },
      };
      return emit;
    });
  }

  private wrapBodies(prototype: object): void {
    const deferral = this;
    this.wrap(prototype, "push", (original) => {
      const { push } = {
        push(this: IncomingMessage, chunk: unknown, encoding?: BufferEncoding): boolean {
          const body = deferral.bodies.get(this);
          if (body === undefined) return Reflect.apply(original, this, [chunk, encoding]) as boolean;
          if (chunk === null) return deferral.bodyEnds(this, body, original as Push);
          collect(body, chunk);
          return Reflect.apply(original, this, [chunk, encoding]) as boolean;
        },
      };
      return push;
    });
  }

  private wrapAnswers(prototype: object): void {
    const deferral = this;
    this.wrap(prototype, "writeHead", (original) => {
      const { writeHead } = {
        writeHead(this: ServerResponse, ...args: unknown[]): unknown {
          const body = deferral.bodies.get(this.req);
          if (body !== undefined) deferral.foresight.answered(body.served);
          return Reflect.apply(original, this, args);
        },
      };
      return writeHead;
    });
  }

  private request(server: Server, emit: () => boolean, args: unknown[]): boolean {
    if (!this.ahead.eager || this.dealing) return emit();
    let served: Served;
    let jobs: readonly Job[];
    let connection: Connection;
    try {
      const [message, response] = args as [IncomingMessage, ServerResponse];
      connection = message.socket as Connection;
      // A request that one server hands to another has been here already.
      if (this.bodies.has(message) || typeof connection !== "object") throw new Error("not for us");
      if (!this.waiting.mayWait(connection)) throw new Error("it has no time");
      // Node emits it when the headers are there. Who does so by hand, to go on with what another event began, or
      // later, expects that it is dealt with when `emit` returns.
      if (message.complete || message.headers.expect !== undefined) throw new Error("emitted by hand");
      const facts = new RequestFacts(String(message.method), String(message.url), message.headers);
      served = this.foresight.begin(facts, () => response.writableEnded || response.destroyed);
      const hasBody = message.headers["content-length"] !== undefined || "transfer-encoding" in message.headers;
      this.bodies.set(message, { served, facts, chunks: hasBody ? [] : null, size: 0 });
      jobs = this.foresight.ship(served, (previews) => {
        for (const listener of server.listeners("request")) previews.run(listener, server, args);
      });
    } catch {
      return emit();
    }
    const go = (): boolean => {
      this.dealing = true;
      try {
        return this.foresight.run([served], emit);
      } finally {
        this.dealing = false;
      }
    };
    if (!this.waiting.worthwhile(jobs) && !this.waiting.has(connection)) return go();
    this.waiting.putOff(connection, jobs, "HTTPINCOMINGMESSAGE", go);
    return true;
  }

  private bodyEnds(message: IncomingMessage, body: Body, push: Push): boolean {
    const { served, facts, chunks } = body;
    const connection = message.socket as Connection;
    const go = (): boolean => this.foresight.run([served], () => Reflect.apply(push, message, [null]) as boolean);
    let jobs: readonly Job[] = [];
    if (this.ahead.eager && chunks !== null && chunks.length > 0 && this.waiting.mayWait(connection)) {
      body.chunks = null;
      facts.body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
      jobs = this.foresight.ship(served, undefined);
    }
    if (!this.waiting.worthwhile(jobs) && !this.waiting.has(connection)) return go();
    this.waiting.putOff(connection, jobs, "HTTPINCOMINGMESSAGE", go);
    return false;
  }

  // --- connections

  private wrapSockets(prototype: object): void {
    const deferral = this;
    this.wrap(prototype, "push", (original) => {
      const { push } = {
        push(this: Accepted, chunk: unknown, encoding?: BufferEncoding): boolean {
          const deliver = (): boolean => Reflect.apply(original, this, [chunk, encoding]) as boolean;
          if (!this.server || (this.parser && !deferral.waiting.has(this))) return deliver();
          return deferral.received(this, this.server, chunk, deliver);
        },
      };
      return push;
    });
  }

  /** @returns what `push` returns; false: node must not read on for now */
  private received(socket: Accepted, server: Listening, chunk: unknown, deliver: () => boolean): boolean {
    const waits = this.waiting.has(socket);
    let events: readonly Served[] = [];
    let jobs: readonly Job[] = [];
    if (this.ahead.eager && Buffer.isBuffer(chunk) && !socket.parser && this.waiting.mayWait(socket)) {
      try {
        events = this.messages(socket, server, chunk);
        jobs = this.foreseen(socket, chunk, events);
      } catch {
        // nothing foreseen
      }
    }
    if (!this.waiting.worthwhile(jobs) && !waits)
      return events.length > 0 ? this.foresight.run(events, deliver) : deliver();
    this.waiting.putOff(socket, jobs, "TCPWRAP", () => {
      // Destroyed meanwhile: then this is a packet that came too late.
      if (!socket.destroyed) this.waiting.readLater(socket, this.foresight.run(events, deliver));
    });
    return false;
  }

  private messages(socket: Accepted, server: Listening, chunk: Buffer): Served[] {
    let reader = this.readers.get(socket);
    if (reader === undefined) {
      // A connection that an HTTP server has given up (`upgrade`) is a WebSocket as a rule.
      reader = "requestTimeout" in server ? new WebSocketReader() : new LineReader();
      this.readers.set(socket, reader);
    }
    const over = (begun: number): boolean => socket.destroyed || now() > begun + messageTime;
    const from = this.nameOf(server);
    return reader.read(chunk).map(({ text, bytes }) => this.foresight.begin(new MessageFacts(from, text, bytes), over));
  }

  private foreseen(socket: Accepted, chunk: Buffer, events: readonly Served[]): Job[] {
    const { readableEncoding } = socket;
    return events.flatMap((served, at) =>
      this.foresight.ship(
        served,
        at > 0
          ? undefined
          : (previews) => {
              const seen = readableEncoding === null ? chunk : chunk.toString(readableEncoding);
              for (const listener of socket.listeners("data")) previews.run(listener, socket, [seen]);
            },
      ),
    );
  }

  private nameOf(server: Listening): string {
    let name = this.servers.get(server);
    if (name === undefined) this.servers.set(server, (name = `server ${++this.serversKnown}`));
    return name;
  }
}

function collect(body: Body, chunk: unknown): void {
  if (body.chunks === null || !Buffer.isBuffer(chunk)) return;
  body.size += chunk.length;
  if (body.size > longestText) body.chunks = null;
  else body.chunks.push(chunk);
}
