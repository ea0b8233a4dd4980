/**
 * Gives packets to node later than they came, so that a program cannot tell.
 *
 * Node runs ticks and microtasks when the outermost call from C++ ends. Its HTTP parser reads a stream without any
 * JavaScript in between: ticks run between the parts of a packet, and the parser's call is the first on the stack. Who
 * gave it the bytes from JavaScript would change both. So a packet takes one more way through the kernel: it is written
 * into one end of a pair of sockets, and the parser reads the other. One packet at a time; a program's own stream
 * gets its turn in the same way, as the callback of one byte.
 *
 * Only a packet in which nothing runs ticks in between, one of requests without bodies, may go straight to the parser.
 */
import { binding, ownTimers, platform } from "../../builtin.js";
import { latin1, readAny } from "../../loader/own-files.js";
import { whyVisible } from "../../loader/room.js";
import { nativesOf } from "../../loader/stand-ins.js";
import { makers } from "../../realm.js";
import { arrived, stream, type Handle } from "./handles.js";

interface PipeHandle extends Handle {
  onconnection: Function;
}

interface Pipes {
  readonly Pipe: (new (type: number) => PipeHandle) & { readonly prototype: object };
  readonly PipeConnectWrap: new () => { oncomplete: Function };
  readonly constants: { readonly SOCKET: number; readonly SERVER: number };
}

/** A class of streams whose bytes come from JavaScript. */
type Fed = (new () => object) & { readonly prototype: object };

const ofPipes = ["bind", "close", "connect", "listen", "readStart", "unref", "writeBuffer"] as const;
const ofFed = ["readBuffer"] as const;
type Natives = Record<(typeof ofPipes)[number] | (typeof ofFed)[number], Function>;

const { apply } = Reflect;
const { setImmediate } = ownTimers;
const oneByte = new Uint8Array(1);

/** Who watches asynchronous resources is shown these: they are functions of the program's realm. */
function called(does: (args: ArrayLike<unknown>) => void): Function {
  return makers.event((_, args) => does(args)) as Function;
}
const nothing = called(() => {});

/** Nobody can foretell it. */
function secret(): string {
  return latin1(readAny("/proc/sys/kernel/random/uuid")).trim();
}

export class Relay {
  /** What is done if no parser takes the bytes that are under way. */
  private turn: (() => void) | undefined;
  /** How much node will have read, when it has read what was sent last. */
  private end = 0;

  private constructor(
    private readonly natives: Natives,
    private readonly writer: PipeHandle,
    private readonly reader: PipeHandle,
    private readonly fed: object,
  ) {
    reader.onread = called(() => {
      const { turn } = this;
      this.turn = undefined;
      turn?.();
    });
    apply(natives.unref, reader, []);
    apply(natives.unref, writer, []);
  }

  /**
   * Makes one. There is none where names of sockets are files (not Linux), or node does not give what it takes; nor
   * where the program would see threads, so that nobody computes for it, for it would see files opened, too.
   * @param ready called in a later turn of the loop
   */
  static open(ready: (relay: Relay) => void): void {
    const pipes = binding<Pipes>("pipe_wrap");
    const js = binding<{ readonly JSStream: Fed }>("js_stream");
    if (pipes === undefined || js === undefined || stream === undefined || platform !== "linux") return;
    if (whyVisible() !== undefined) return;
    const { Pipe, PipeConnectWrap, constants } = pipes;
    const natives = { ...nativesOf(Pipe.prototype, ofPipes), ...nativesOf(js.JSStream.prototype, ofFed) } as Natives;
    if (natives.bind === undefined || natives.readBuffer === undefined) return;
    const { bind, close, connect, listen, readStart, unref } = natives;
    const name = `\0heddle-${secret()}`;
    const server = new Pipe(constants.SERVER);
    const writer = new Pipe(constants.SOCKET);
    const proof = secret();
    const end = (ends: PipeHandle[]): void => {
      for (const one of ends) apply(close, one, []);
    };
    server.onconnection = called(({ 0: status, 1: found }) => {
      const reader = found as PipeHandle | undefined;
      end([server]);
      if (status !== 0 || reader === undefined) return end([writer]);
      // Whoever knows the name may have come first: only who brings the proof is this process.
      reader.onread = called(({ 0: bytes }) => {
        const came = arrived(bytes as ArrayBuffer | undefined).bytes;
        if (came === undefined || latin1(came) !== proof) return end([writer, reader]);
        ready(new Relay(natives, writer, reader, new js.JSStream()));
      });
      apply(unref, reader, []);
      apply(readStart, reader, []);
      const bytes = Uint8Array.from(proof, (one) => one.charCodeAt(0));
      if (write(natives, writer, bytes) !== 0) end([writer, reader]);
    });
    apply(unref, server, []);
    apply(unref, writer, []);
    const request = new PipeConnectWrap();
    request.oncomplete = nothing;
    const listens = apply(bind, server, [name]) === 0 && apply(listen, server, [1]) === 0;
    if (!listens || apply(connect, writer, [request, name]) !== 0) end([server, writer]);
  }

  /** Whether node has read all that was sent last. */
  get isRead(): boolean {
    return this.reader.bytesRead >= this.end;
  }

  /**
   * Gives the bytes to a parser at once.
   * @param consume tells the parser which stream to consume
   */
  feed(consume: (stream: object) => void, bytes: Uint8Array): void {
    consume(this.fed);
    stackBegins(this.natives, this.fed, bytes);
  }

  /**
   * Gives the bytes to a parser in the poll phase.
   * @param otherwise called instead if the parser reads no stream any more by then
   * @param done called after it
   */
  send(consume: (stream: object) => void, bytes: Uint8Array, otherwise: () => void, done: () => void): void {
    consume(this.reader);
    this.pass(bytes, otherwise, done);
  }

  /** Calls `turn` in the poll phase, right from C++. @param done called after it */
  call(turn: () => void, done: () => void): void {
    this.pass(oneByte, turn, done);
  }

  private pass(bytes: Uint8Array, turn: () => void, done: () => void): void {
    const { reader } = this;
    const end = reader.bytesRead + bytes.length;
    this.end = end;
    this.turn = turn;
    let failed = write(this.natives, this.writer, bytes) !== 0;
    // It is in the kernel, and node reads it in its next poll phase. Until then the process must not end.
    const look = (): void => {
      if (failed) {
        // Somebody has closed what is not theirs: nothing may get lost, though it is called from elsewhere.
        failed = false;
        this.end = 0;
        setImmediate(done);
        turn();
      } else if (reader.bytesRead < end) setImmediate(look);
      else done();
    };
    setImmediate(look);
  }
}

/** Under node the parser is called right from C++: what is below is not shown (loader/stack-traces.ts). */
function stackBegins({ readBuffer }: Natives, fed: object, bytes: Uint8Array): void {
  apply(readBuffer, fed, [bytes]);
}

type State = NonNullable<typeof stream>;

function write({ writeBuffer }: Natives, writer: Handle, bytes: Uint8Array): number {
  const request = new (stream as State).WriteWrap() as { oncomplete: Function; buffer: Uint8Array };
  request.oncomplete = nothing;
  // If the kernel takes it later, nothing else keeps its memory until then.
  request.buffer = bytes;
  return apply(writeBuffer, writer, [request, bytes]) as number;
}
