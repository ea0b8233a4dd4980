/**
 * Takes what connections bring before node does, and gives it to node, at once or later.
 *
 * Node's stream of C++ calls `onread` for a packet, or gives it to the HTTP parser that consumes the stream. For
 * connections that a server has accepted both are Heddle's here: `onread` is replaced, and a parser that believes to
 * consume the stream gets its bytes from a relay. Nothing that a program works with is replaced: no class, no
 * prototype, no property of a socket, a server, a request or a response. Once node has a packet, all that is in it
 * happens by node's own code, in one go. What is replaced below them are functions of C++, by stand-ins, and only as
 * long as they are node's own; methods that Heddle calls are kept then.
 *
 * While a connection has a packet that node has not got, nothing is read from it, so that what comes after it, above
 * all its end, waits in the kernel; what node or the program says about reading meanwhile is kept for later.
 *
 * What passes through here costs more than under node, where a parser reads its stream without any JavaScript. So a
 * connection that brings nothing to put off is left to node, between two packets, and taken again some time later.
 */
import { binding, builtin, listOf as ours } from "../../builtin.js";
import { holderOf, likenessAround, nativesOf, standIn, standInAround } from "../../loader/stand-ins.js";
import { arrayThere, Instead, type Around } from "../../realm.js";
import { arrived, handleOf, symbolOf, tell, valueOf } from "./handles.js";
import type { Accepted, Handle, Packet, Parser } from "./handles.js";
import { Context } from "./context.js";
import type { Relay } from "./relay.js";

export interface Receiver {
  /**
   * A connection has brought a packet.
   * @returns what is called when node has it, which gets it now; undefined: `Connection.keep` has it
   */
  arrived(connection: Connection, packet: Packet): (() => void) | undefined;
  /** Node is to read the connection again, or has given it up, while a packet of it waits. */
  changed(): void;
  /** Whether packets may be put off: if not, connections are left to node. */
  mayDefer(): boolean;
}

/** What `Arrivals` has for its connections. */
interface Taker {
  readonly receiver: Receiver;
  readonly relay: Relay;
  /** Of parsers, once node has loaded them. */
  readonly parsers: Natives<typeof ofParsers> | undefined;
  /** The connection is node's alone from now on. */
  left(connection: Connection): void;
}

const ofStreams = ["getAsyncId", "readStart", "readStop"] as const;
const ofParsers = ["consume", "unconsume"] as const;
type Natives<Names extends readonly string[]> = Record<Names[number], Function>;

const { apply } = Reflect;
const { defineProperty, getPrototypeOf } = Object;
const nothing = (): void => {};

export class Connection {
  /** Packets that node has not got, the oldest first. */
  private readonly packets: Packet[] = [];
  /** While packets wait: whether node wants to read. */
  private wanted = true;
  private context: Context | undefined;
  private ended = false;
  /** Whether the oldest packet is on its way to node, by the relay. */
  private giving = false;
  /** Whether it is left to node once node has what it has brought. */
  leaves = false;
  /** What is called in the place of node's `onread`. */
  private readonly instead: Function;

  constructor(
    readonly handle: Handle,
    readonly socket: Accepted,
    /** Whether all that it has brought came this way. */
    readonly fresh: boolean,
    private readonly taker: Taker,
    private readonly own: Function,
    private readonly natives: Natives<typeof ofStreams>,
  ) {
    this.instead = likenessAround(own, (_, { 0: bytes }) => this.comes(bytes as ArrayBuffer | undefined));
    handle.onread = this.instead;
  }

  /** Node's parser of HTTP, if it believes to consume the stream. */
  get parser(): Parser | undefined {
    const { parser } = this.socket;
    return parser?._consumed === true ? parser : undefined;
  }

  get isClosed(): boolean {
    return this.ended || handleOf(this.socket) !== this.handle;
  }

  /** Whether packets wait, so that what comes has to. */
  get waits(): boolean {
    return this.packets.length > 0;
  }

  /** Whether it has brought something that node has not read. */
  get isBehind(): boolean {
    return this.packets.length > (this.giving && this.taker.relay.isRead ? 1 : 0);
  }

  /** Whether node reads it no more for now, while packets wait. */
  get isPaused(): boolean {
    return !this.wanted;
  }

  /**
   * The stream has called back.
   * @returns what is to be called when node has got what it brought, which it gets now; undefined: later
   */
  private comes(bytes: ArrayBuffer | undefined): (() => void) | undefined {
    const packet = arrived(bytes);
    if (this.waits) {
      this.packets.push(packet);
      return undefined;
    }
    // An end; or a program that has said where it wants the bytes has got them there already.
    if (packet.bytes === undefined) return nothing;
    const given = this.taker.receiver.arrived(this, packet);
    const { parser } = this;
    if (given === undefined || parser === undefined) {
      if (given !== undefined && this.leaves) this.leave();
      tell(packet);
      return given;
    }
    try {
      this.taker.relay.feed(this.consumer(parser), packet.bytes);
    } finally {
      this.release(parser);
      given();
      if (this.leaves && this.parser === parser) this.leave();
    }
    return undefined;
  }

  /** From now on node reads it alone, as if it had never been taken. No packet waits. */
  private leave(): void {
    const { parser, handle } = this;
    if (this.isClosed || handle.onread !== this.instead) return;
    this.taker.left(this);
    handle.onread = this.own;
    if (parser !== undefined) this.consumer(parser)(handle);
  }

  /** The packet that has just come waits: until node has it, what the stream is told is only noted. */
  keep(packet: Packet): void {
    const { handle, natives } = this;
    if (this.parser === undefined)
      this.context ??= new Context(handle, apply(natives.getAsyncId, handle, []) as number);
    apply(natives.readStop, handle, []);
    this.hide(packet);
    this.packets.push(packet);
    this.wanted = true;
  }

  /** Node does not know of what waits. A getter of C++'s that nobody can replace counts: so the stream has a number. */
  private hide({ length }: Packet): void {
    defineProperty(this.handle, "bytesRead", { value: this.handle.bytesRead - length, configurable: true });
  }

  /** From now on the packet counts as read. */
  private count(): void {
    delete (this.handle as { bytesRead?: number }).bytesRead;
  }

  /** The stream is told whether to read, while packets wait. @returns whether that is for later */
  reads(wanted: boolean): boolean {
    if (!this.waits || this.ended) return false;
    this.wanted = wanted;
    if (wanted) this.taker.receiver.changed();
    return true;
  }

  /** The stream is about to be closed. */
  closes(): void {
    if (!this.waits) return;
    this.ended = true;
    this.count();
  }

  /** It has been closed. */
  closed(): void {
    if (this.ended && this.waits) this.taker.receiver.changed();
  }

  private consumer(parser: Parser): (stream: object) => void {
    return (stream) => apply((this.taker.parsers as Natives<typeof ofParsers>).consume, parser, [stream]);
  }

  /**
   * Gives node the oldest packet that waits, in the poll phase.
   * @param begin called before node gets it; in which node gets it, if it is given a function
   * @param done called when node has it, with the next packet that waits
   */
  giveLater(begin: (give: (() => void) | undefined) => void, done: (next: Packet | undefined) => void): void {
    const given = (): void => {
      this.giving = false;
      this.packets.shift();
      this.count();
      const [next] = this.packets;
      if (next === undefined && this.wanted && !this.isClosed) apply(this.natives.readStart, this.handle, []);
      done(next);
      if (this.leaves && !this.waits) this.leave();
    };
    const [packet] = this.packets as [Packet];
    const { parser } = this;
    const deliver = (): void => {
      this.count();
      if (this.isClosed) return;
      if (this.context === undefined) this.deliver(packet);
      else this.context.run(() => this.deliver(packet));
    };
    if (this.isClosed) given();
    else if (parser !== undefined && packet.bytes !== undefined) {
      begin(undefined);
      this.count();
      this.giving = true;
      this.taker.relay.send(this.consumer(parser), packet.bytes, deliver, () => {
        this.release(parser);
        given();
      });
    } else {
      this.giving = true;
      this.taker.relay.call(() => begin(deliver), given);
    }
  }

  private deliver(packet: Packet): void {
    tell(packet);
    apply(this.own, this.handle, [packet.bytes?.buffer]);
  }

  /** Node may have freed the parser meanwhile, and given it to another connection. */
  private release(parser: Parser): void {
    if (this.socket.parser === parser) apply((this.taker.parsers as Natives<typeof ofParsers>).unconsume, parser, []);
  }
}

/** Node's list of an HTTP server's connections. */
function listOf(server: object | null | undefined): object | undefined {
  if (!server) return undefined;
  return valueOf(server, symbolOf(server, "http.server.connections")) as object | undefined;
}

/** The parsers in such a list. */
function parsersIn(list: object | undefined): Parser[] {
  const { all } = nativesOf(list, ["all"]) ?? {};
  return all === undefined ? [] : ours(apply(all, list, []) as Parser[]);
}

export class Arrivals implements Taker {
  private readonly connections = new WeakMap<Handle, Connection>();
  /** Connections that are node's alone for now. */
  private readonly away = new Map<Handle, Accepted>();
  /** How often one was left to node. */
  timesLeft = 0;
  private readonly installed = new Set<string>();
  /** Servers and classes of node's in which something is replaced. */
  private readonly taken = new WeakSet();
  /** What stand-ins hear, by where they are. */
  private readonly heard = new WeakMap<object, Set<string>>();
  parsers: Natives<typeof ofParsers> | undefined;
  private owner: symbol | undefined;

  constructor(
    readonly relay: Relay,
    readonly receiver: Receiver,
  ) {}

  /**
   * Sees to it that packets come here.
   * @param loaded whether node has loaded a module of its own
   * @param opened gives what is active now, as node lists it
   * @returns whether there is nothing left to be installed
   */
  install(loaded: (name: string) => boolean, opened: () => readonly object[]): boolean {
    const before = this.installed.size;
    const first = (name: string): boolean => loaded(name) && !this.installed.has(name) && !!this.installed.add(name);
    if (first("net")) this.takeStreams();
    if (first("tls")) this.takeSecured();
    if (first("_http_common")) this.takeParsers();
    if (this.installed.size > before) for (const one of opened()) this.takeOpened(one);
    return this.installed.size === 3;
  }

  /**
   * The connections of the same HTTP server with which node is between two requests, and of which no packet waits. To
   * be asked when nothing of a connection is on the stack: a parser that has the end of one request may go on with
   * another.
   */
  betweenRequests({ socket }: Connection): Connection[] {
    const list = listOf(socket.server);
    // Node counts a parser among these from a request's last byte to the next one's first.
    const { idle } = nativesOf(list, ["idle"]) ?? {};
    const found = idle === undefined ? [] : ours(apply(idle, list, []) as Parser[]);
    return found.flatMap((parser) => {
      const handle = parser.socket && handleOf(parser.socket);
      const connection = handle ? this.connections.get(handle) : undefined;
      return connection?.parser === parser && !connection.waits ? [connection] : [];
    });
  }

  left({ handle, socket }: Connection): void {
    this.connections.delete(handle);
    this.away.set(handle, socket);
    this.timesLeft++;
  }

  /** Takes those that were left to node. To be called with nothing of a connection on the stack. */
  takeAgain(): Connection[] {
    const sockets = [...this.away.values()];
    this.away.clear();
    return sockets.flatMap((socket) => {
      this.takeOpened(socket);
      const handle = handleOf(socket);
      return (handle && this.connections.get(handle)) || [];
    });
  }

  private first(holder: object): boolean {
    return !this.taken.has(holder) && !!this.taken.add(holder);
  }

  /** Servers that begin to listen. */
  private takeStreams(): void {
    const { TCP } = binding<{ TCP: { prototype: object } }>("tcp_wrap") ?? {};
    const { Pipe } = binding<{ Pipe: { prototype: object } }>("pipe_wrap") ?? {};
    for (const kind of [TCP, Pipe]) {
      if (kind === undefined) continue;
      standIn(kind.prototype, "listen", { before: (server) => this.takeServer(server as object) });
    }
  }

  private takeServer(server: object): void {
    if (!this.first(server)) return;
    standInAround(server, "onconnection", (_, { 1: handle }) => () => {
      if (handle !== undefined) this.take(handle as Handle, true);
    });
  }

  /** Streams of TLS, when node begins to read them. */
  private takeSecured(): void {
    const { TLSWrap } = binding<{ TLSWrap: { prototype: object } }>("tls_wrap") ?? {};
    if (TLSWrap === undefined) return;
    standIn(TLSWrap.prototype, "readStart", { before: (handle) => void this.take(handle as Handle, true) });
  }

  /** Parsers that are to consume a stream. */
  private takeParsers(): void {
    const { HTTPParser } = builtin("_http_common" as "http") as unknown as { HTTPParser: { prototype: object } };
    this.parsers = nativesOf(HTTPParser.prototype, ofParsers);
    if (this.parsers === undefined) return;
    standIn(HTTPParser.prototype, "consume", {
      before: (parser, { 0: handle }) => {
        this.takeList(valueOf(parser as object, "socket") as Accepted | null);
        return this.take(handle as Handle, true) ? new Instead(undefined) : undefined;
      },
    });
  }

  /** A server that is closed ends its idle connections: one with something that node has not read yet is none. */
  private takeList(socket: Accepted | null | undefined): void {
    const list = listOf(socket?.server);
    if (list === undefined || !this.first(getPrototypeOf(list) as object)) return;
    const isBehind = ({ socket: one }: Parser): boolean => {
      const handle = one && handleOf(one);
      return !!handle && this.connections.get(handle)?.isBehind === true;
    };
    standIn(getPrototypeOf(list) as object, "idle", {
      after(given) {
        const found = given as Parser[];
        return ours(found).some(isBehind) ? arrayThere(ours(found).filter((parser) => !isBehind(parser))) : found;
      },
    });
  }

  /** Servers and connections that were there before. */
  private takeOpened(one: object): void {
    // Node lists other kinds, too, some of which say something to whoever asks for their handle.
    if ("listening" in one) {
      const handle = valueOf(one, "_handle") as object | null | undefined;
      if (handle) this.takeServer(handle);
      for (const { socket } of parsersIn(listOf(one))) {
        this.takeList(socket);
        if (socket) this.takeOpened(socket);
      }
      return;
    }
    if (!valueOf(one, "server")) return;
    const handle = handleOf(one as Accepted);
    const { parser } = one as Accepted;
    if (!handle || this.connections.has(handle)) return;
    const { parsers } = this;
    if (parser?._consumed !== true) this.take(handle, false);
    else if (parsers !== undefined && this.take(handle, false)) apply(parsers.unconsume, parser, []);
  }

  /**
   * What streams are told comes here first: by stand-ins in their classes, for programs list what a stream has itself.
   * @returns whether that is so
   */
  private hear(handle: Handle): boolean {
    const of = (stream: unknown): Connection | undefined => this.connections.get(stream as Handle);
    const close: Around = {
      before: (stream) => {
        this.away.delete(stream as Handle);
        of(stream)?.closes();
      },
      after(value, stream) {
        of(stream)?.closed();
        return value;
      },
    };
    const reads = (wanted: boolean): Around => ({
      before: (stream) => (of(stream)?.reads(wanted) === true ? new Instead(0) : undefined),
    });
    const told: [string, Around][] = [
      ["readStart", reads(true)],
      ["readStop", reads(false)],
      ["close", close],
      ["reset", close],
    ];
    for (const [name, around] of told) {
      const holder = holderOf(handle, name);
      if (holder === undefined || this.heard.get(holder)?.has(name) === true) continue;
      if (holder === handle || !standIn(holder, name, around)) return false;
      const names = this.heard.get(holder);
      if (names === undefined) this.heard.set(holder, new Set([name]));
      else names.add(name);
    }
    return true;
  }

  /** @returns whether packets of this stream come here */
  private take(handle: Handle, fresh: boolean): boolean {
    if (this.connections.has(handle)) return true;
    if (this.away.has(handle)) return false;
    this.owner ??= symbolOf(handle, "owner_symbol");
    const socket = valueOf(handle, this.owner) as Accepted | undefined;
    // Node's own keeps no name of another; a stream below another one, as TLS stands on, is not the socket's.
    if (!socket?.server || handleOf(socket) !== handle || handle.onread?.name !== "onStreamRead") return false;
    const natives = nativesOf(handle, ofStreams);
    if (natives === undefined) return false;
    if (!this.hear(handle)) return false;
    if (!this.receiver.mayDefer()) {
      this.away.set(handle, socket);
      return false;
    }
    const { onread: own } = handle;
    this.connections.set(handle, new Connection(handle, socket, fresh, this, own, natives));
    return true;
  }
}
