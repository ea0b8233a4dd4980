/**
 * Takes what connections bring before node does, and gives it to node, at once or later.
 *
 * Node's stream of C++ calls `onread` for a packet, or gives it to the HTTP parser that consumes the stream. For
 * connections that a server has accepted both are Heddle's here: `onread` is replaced, and a parser that believes to
 * consume the stream gets its bytes from a relay. Nothing that a program works with is replaced: no class, no
 * prototype, no property of a socket, a server, a request or a response. Once node has a packet, all that is in it
 * happens by node's own code, in one go.
 *
 * While a connection has a packet that node has not got, nothing is read from it, so that what comes after it, above
 * all its end, waits in the kernel; what node or the program says about reading meanwhile is kept for later.
 */
import { builtin, binding } from "../../builtin.js";
import { stream, symbolOf, valueOf, type Accepted, type Handle, type OnRead, type Parser } from "./handles.js";
import { OwnSet, OwnWeakMap, OwnWeakSet } from "../../collections.js";
import { Context } from "./context.js";
import type { Relay } from "./relay.js";

/** What a connection has brought. */
export interface Packet {
  /** Undefined: the end, or an error. */
  readonly bytes: Buffer | undefined;
  /** As node's state has it: bytes read, or why there are none. */
  readonly length: number;
}

export interface Receiver {
  /**
   * A connection has brought a packet.
   * @returns what is called when node has it, which gets it now; undefined: `Connection.keep` has it
   */
  arrived(connection: Connection, packet: Packet): (() => void) | undefined;
  /** Node is to read the connection again, or has given it up, while a packet of it waits. */
  changed(): void;
}

const { apply } = Reflect;
const nothing = (): void => {};

/** Tells node's function of the stream what the packet is. */
function tell({ bytes, length }: Packet): void {
  const { streamBaseState: state, kReadBytesOrError, kArrayBufferOffset } = stream as NonNullable<typeof stream>;
  state[kReadBytesOrError] = length;
  state[kArrayBufferOffset] = bytes?.byteOffset ?? 0;
}

export class Connection {
  /** Packets that node has not got, the oldest first. */
  private readonly packets: Packet[] = [];
  /** While packets wait: whether node wants to read. */
  private wanted = true;
  private context: Context | undefined;

  constructor(
    readonly handle: Handle,
    readonly socket: Accepted,
    /** Whether all that it has brought came this way. */
    readonly fresh: boolean,
    private readonly receiver: Receiver,
    private readonly relay: Relay,
    private readonly own: OnRead,
  ) {}

  /** Node's parser of HTTP, if it believes to consume the stream. */
  get parser(): Parser | undefined {
    const { parser } = this.socket;
    return parser?._consumed === true ? parser : undefined;
  }

  get isClosed(): boolean {
    return this.socket.destroyed || this.socket._handle !== this.handle;
  }

  /** Whether packets wait, so that what comes has to. */
  get waits(): boolean {
    return this.packets.length > 0;
  }

  /** Whether node reads it no more for now, while packets wait. */
  get isPaused(): boolean {
    return !this.wanted;
  }

  /**
   * The stream has called back.
   * @returns what is to be called when node has got what it brought, which it gets now; undefined: later
   */
  comes(bytes: ArrayBuffer | undefined): (() => void) | undefined {
    const { streamBaseState: state, kReadBytesOrError, kArrayBufferOffset } = stream as NonNullable<typeof stream>;
    const length = state[kReadBytesOrError] as number;
    // An end; or a program that has said where it wants the bytes has got them there already.
    if (!this.waits && (length <= 0 || bytes === undefined)) return nothing;
    const packet = { length, bytes: bytes && Buffer.from(bytes, state[kArrayBufferOffset], length) };
    if (this.waits) {
      this.packets.push(packet);
      return undefined;
    }
    const given = this.receiver.arrived(this, packet);
    const { parser } = this;
    if (given === undefined || parser === undefined || packet.bytes === undefined) {
      tell(packet);
      return given;
    }
    try {
      this.relay.feed(parser, packet.bytes);
    } finally {
      this.release(parser);
      given();
    }
    return undefined;
  }

  /** The packet that has just come waits: until node has it, the stream only notes what it is told. */
  keep(packet: Packet): void {
    this.packets.push(packet);
    this.wanted = true;
    if (this.parser === undefined) this.context ??= new Context(this.handle);
    const { handle, receiver } = this;
    const { readStop, close, reset, bytesRead } = handle;
    readStop.call(handle);
    Object.defineProperty(handle, "bytesRead", { value: bytesRead - packet.length, configurable: true });
    handle.readStart = () => {
      this.wanted = true;
      receiver.changed();
      return 0;
    };
    handle.readStop = () => {
      this.wanted = false;
      return 0;
    };
    for (const [name, end] of Object.entries({ close, reset })) {
      if (end === undefined) continue;
      handle[name as "close"] = (called) => {
        this.reopen();
        const value = end.call(handle, called);
        receiver.changed();
        return value;
      };
    }
  }

  private reopen(): void {
    for (const name of ["readStart", "readStop", "close", "reset", "bytesRead"]) delete this.handle[name as "reset"];
  }

  /**
   * Gives node the oldest packet that waits, in the poll phase.
   * @param begin called before node gets it; in which node gets it, if it is given a function
   * @param done called when node has it, with the next packet that waits
   */
  giveLater(begin: (give: (() => void) | undefined) => void, done: (next: Packet | undefined) => void): void {
    const given = (): void => {
      this.packets.shift();
      const [next] = this.packets;
      if (next === undefined) {
        this.reopen();
        if (this.wanted && !this.isClosed) this.handle.readStart();
      }
      done(next);
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
      this.relay.send(parser, packet.bytes, deliver, () => {
        this.release(parser);
        given();
      });
    } else this.relay.call(() => begin(deliver), given);
  }

  /** From now on the packet counts as read. */
  private count(): void {
    delete (this.handle as Partial<Handle>).bytesRead;
  }

  private deliver(packet: Packet): void {
    tell(packet);
    apply(this.own, this.handle, [packet.bytes?.buffer]);
  }

  /** Node may have freed the parser meanwhile, and given it to another connection. */
  private release(parser: Parser): void {
    if (this.socket.parser === parser) parser.unconsume();
  }
}

/** Functions of Heddle in the place of node's. */
const replaced = new OwnWeakSet<object>();

function replace(holder: object, name: string, make: (original: Function) => Function): void {
  const found = Object.getOwnPropertyDescriptor(holder, name);
  if (typeof found?.value !== "function" || replaced.has(found.value as object)) return;
  const value = make(found.value as Function);
  replaced.add(value);
  Object.defineProperty(holder, name, { ...found, value });
}

/** Node's list of an HTTP server's connections. */
function listOf(server: object | null | undefined): { all(): Parser[] } | undefined {
  if (!server) return undefined;
  return valueOf(server, symbolOf(server, "http.server.connections")) as { all(): Parser[] } | undefined;
}

export class Arrivals {
  private readonly connections = new OwnWeakMap<Handle, Connection>();
  private readonly installed = new OwnSet<string>();
  private owner: symbol | undefined;

  constructor(
    private readonly relay: Relay,
    private readonly receiver: Receiver,
  ) {}

  /**
   * Sees to it that packets come here.
   * @param loaded whether node has loaded a module of its own
   * @param handles gives what is active now, as node lists it
   * @returns whether there is nothing left to be installed
   */
  install(loaded: (name: string) => boolean, handles: () => readonly object[]): boolean {
    const before = this.installed.size;
    const first = (name: string): boolean => loaded(name) && !this.installed.has(name) && !!this.installed.add(name);
    if (first("net")) this.takeStreams();
    if (first("tls")) this.takeSecured();
    if (first("_http_common")) this.takeParsers();
    if (this.installed.size > before) for (const one of handles()) this.takeOpened(one);
    return this.installed.size === 3;
  }

  /** Servers that begin to listen. */
  private takeStreams(): void {
    const { TCP } = binding<{ TCP: { prototype: object } }>("tcp_wrap") ?? {};
    const { Pipe } = binding<{ Pipe: { prototype: object } }>("pipe_wrap") ?? {};
    const arrivals = this;
    for (const kind of [TCP, Pipe]) {
      if (kind === undefined) continue;
      replace(kind.prototype, "listen", (listen) => {
        return function (this: object, ...args: unknown[]): unknown {
          arrivals.takeServer(this);
          return apply(listen, this, args);
        };
      });
    }
  }

  private takeServer(server: object): void {
    const arrivals = this;
    replace(server, "onconnection", (original) => {
      const { onconnection } = {
        onconnection(this: object, status: number, handle: Handle | undefined): unknown {
          const value: unknown = apply(original, this, [status, handle]);
          if (handle !== undefined) arrivals.take(handle, true);
          return value;
        },
      };
      return onconnection;
    });
  }

  /** Streams of TLS, when node begins to read them. */
  private takeSecured(): void {
    const { TLSWrap } = binding<{ TLSWrap: { prototype: object } }>("tls_wrap") ?? {};
    if (TLSWrap === undefined) return;
    const arrivals = this;
    replace(TLSWrap.prototype, "readStart", (readStart) => {
      return function (this: Handle): unknown {
        arrivals.take(this, true);
        return apply(readStart, this, []);
      };
    });
  }

  /** Parsers that are to consume a stream. */
  private takeParsers(): void {
    const { HTTPParser } = builtin("_http_common" as "http") as unknown as { HTTPParser: { prototype: Parser } };
    const { prototype } = HTTPParser;
    const arrivals = this;
    replace(prototype, "consume", (consume) => {
      return function (this: Parser, handle: Handle): unknown {
        arrivals.takeList(valueOf(this, "socket") as Accepted | null);
        return arrivals.take(handle, true) ? undefined : apply(consume, this, [handle]);
      };
    });
  }

  /** A server that is closed ends its idle connections: one of which a packet waits is none. */
  private takeList(socket: Accepted | null | undefined): void {
    const list = listOf(socket?.server);
    if (list === undefined) return;
    const { connections } = this;
    replace(Object.getPrototypeOf(list) as object, "idle", (idle) => {
      return function (this: object): Parser[] {
        const found = apply(idle, this, []) as Parser[];
        return found.filter(({ socket: one }) => one?._handle == null || connections.get(one._handle)?.waits !== true);
      };
    });
  }

  /** Servers and connections that were there before. */
  private takeOpened(one: object): void {
    // Node lists other kinds, too, some of which say something to whoever asks for their handle.
    if ("listening" in one) {
      const handle = valueOf(one, "_handle") as object | null | undefined;
      if (handle) this.takeServer(handle);
      for (const { socket } of listOf(one)?.all() ?? []) {
        this.takeList(socket);
        if (socket) this.takeOpened(socket);
      }
      return;
    }
    if (!valueOf(one, "server")) return;
    const { _handle: handle, parser } = one as Accepted;
    if (!handle || this.connections.has(handle)) return;
    if (this.take(handle, false) && parser?._consumed === true) parser.unconsume();
  }

  /** @returns whether packets of this stream come here */
  private take(handle: Handle, fresh: boolean): boolean {
    if (this.connections.has(handle)) return true;
    this.owner ??= symbolOf(handle, "owner_symbol");
    const socket = valueOf(handle, this.owner) as Accepted | undefined;
    // Node's own keeps no name of another; a stream below another one, as TLS stands on, is not the socket's.
    if (!socket?.server || socket._handle !== handle || handle.onread?.name !== "onStreamRead") return false;
    const { onread: own } = handle;
    const connection = new Connection(handle, socket, fresh, this.receiver, this.relay, own);
    this.connections.set(handle, connection);
    // One function of Heddle's between two of node's: each takes the place of a frame in stacks.
    const { onStreamRead } = {
      onStreamRead(this: Handle, bytes: ArrayBuffer | undefined): unknown {
        const given = connection.comes(bytes);
        if (given === undefined) return undefined;
        try {
          return apply(own, this, [bytes]);
        } finally {
          given();
        }
      },
    };
    handle.onread = onStreamRead;
    return true;
  }
}
