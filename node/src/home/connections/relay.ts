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
import { binding, builtin, ownTimers } from "../../builtin.js";
import { stream, type Handle, type Parser } from "./handles.js";

interface PipeHandle extends Handle {
  bind(name: string): number;
  listen(backlog: number): number;
  connect(request: object, name: string): number;
  onconnection(status: number, client: PipeHandle | undefined): void;
}

interface Pipes {
  readonly Pipe: new (type: number) => PipeHandle;
  readonly PipeConnectWrap: new () => { oncomplete(status: number): void };
  readonly constants: { readonly SOCKET: number; readonly SERVER: number };
}

/** A stream whose bytes come from JavaScript. */
interface Fed {
  readBuffer(bytes: Uint8Array): void;
}

const { randomBytes } = builtin("node:crypto");
const { setImmediate } = ownTimers;
const oneByte = new Uint8Array(1);

export class Relay {
  /** What is done if no parser takes the bytes that are under way. */
  private turn: (() => void) | undefined;

  private constructor(
    private readonly writer: PipeHandle,
    private readonly reader: PipeHandle,
    private readonly fed: Fed,
  ) {
    reader.onread = () => {
      const { turn } = this;
      this.turn = undefined;
      turn?.();
    };
    reader.unref();
    writer.unref();
  }

  /**
   * Makes one. There is none where names of sockets are files (not Linux), or node does not give what it takes.
   * @param ready called in a later turn of the loop
   */
  static open(ready: (relay: Relay) => void): void {
    const pipes = binding<Pipes>("pipe_wrap");
    const js = binding<{ readonly JSStream: new () => Fed }>("js_stream");
    if (pipes === undefined || js === undefined || stream === undefined || process.platform !== "linux") return;
    const { Pipe, PipeConnectWrap, constants } = pipes;
    const name = `\0heddle-${randomBytes(16).toString("hex")}`;
    const server = new Pipe(constants.SERVER);
    const writer = new Pipe(constants.SOCKET);
    const proof = randomBytes(16);
    const end = (ends: PipeHandle[]): void => {
      for (const one of ends) one.close();
    };
    server.onconnection = (status, reader) => {
      server.close();
      if (status !== 0 || reader === undefined) return end([writer]);
      // Whoever knows the name may have come first: only who brings the proof is this process.
      reader.onread = (bytes) => {
        const { streamBaseState: state, kReadBytesOrError: length, kArrayBufferOffset: offset } = stream as State;
        const read = state[length] as number;
        const came = bytes !== undefined && read === proof.length;
        if (!came || proof.compare(Buffer.from(bytes, state[offset], read)) !== 0) return end([writer, reader]);
        ready(new Relay(writer, reader, new js.JSStream()));
      };
      reader.unref();
      reader.readStart();
      if (write(writer, proof) !== 0) end([writer, reader]);
    };
    server.unref();
    writer.unref();
    const request = new PipeConnectWrap();
    request.oncomplete = () => {};
    if (server.bind(name) !== 0 || server.listen(1) !== 0 || writer.connect(request, name) !== 0) end([server, writer]);
  }

  /** Gives the bytes to the parser at once. */
  feed(parser: Parser, bytes: Uint8Array): void {
    parser.consume(this.fed);
    stackBegins(this.fed, bytes);
  }

  /**
   * Gives the bytes to the parser in the poll phase.
   * @param otherwise called instead if the parser reads no stream any more by then
   * @param done called after it
   */
  send(parser: Parser, bytes: Uint8Array, otherwise: () => void, done: () => void): void {
    parser.consume(this.reader);
    this.pass(bytes, otherwise, done);
  }

  /** Calls `turn` in the poll phase, right from C++. @param done called after it */
  call(turn: () => void, done: () => void): void {
    this.pass(oneByte, turn, done);
  }

  private pass(bytes: Uint8Array, turn: () => void, done: () => void): void {
    const { reader } = this;
    const end = reader.bytesRead + bytes.length;
    this.turn = turn;
    let failed = write(this.writer, bytes) !== 0;
    // It is in the kernel, and node reads it in its next poll phase. Until then the process must not end.
    const look = (): void => {
      if (failed) {
        // Somebody has closed what is not theirs: nothing may get lost, though it is called from elsewhere.
        failed = false;
        setImmediate(done);
        turn();
      } else if (reader.bytesRead < end) setImmediate(look);
      else done();
    };
    setImmediate(look);
  }
}

/** Under node the parser is called right from C++: what is below is not shown (loader/stack-traces.ts). */
function stackBegins(fed: Fed, bytes: Uint8Array): void {
  fed.readBuffer(bytes);
}

type State = NonNullable<typeof stream>;

function write(writer: Handle, bytes: Uint8Array): number {
  const request = Object.assign(new (stream as State).WriteWrap(), { oncomplete() {} });
  return writer.writeBuffer(request, bytes);
}
