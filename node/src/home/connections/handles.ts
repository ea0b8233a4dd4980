/**
 * What node has below its sockets, as far as it is used here: streams of C++ that call `onread` for each packet, and
 * the parser that an HTTP server puts between such a stream and itself.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { binding } from "../../builtin.js";

/** Given a packet; or none at an end, which node's state tells. */
export type OnRead = (this: Handle, bytes: ArrayBuffer | undefined) => unknown;

/** A stream of C++: TCP, a pipe, or TLS. */
export interface Handle {
  onread: OnRead;
  /** Kept by node: whether it wants this to be read. */
  reading: boolean;
  bytesRead: number;
  readStart(): number;
  readStop(): number;
  close(called?: () => void): unknown;
  /** Of TCP only. */
  reset?(called?: () => void): unknown;
  getAsyncId(): number;
  writeBuffer(request: object, bytes: Uint8Array): number;
  unref(): void;
}

/** Node's parser of requests. While it consumes a stream, packets go to it, and not to `onread`. */
export interface Parser {
  readonly socket: Accepted | null;
  readonly incoming: IncomingMessage | null;
  /** Node's own word for whether it consumes the stream below its socket. */
  readonly _consumed: boolean;
  consume(stream: object): void;
  unconsume(): void;
}

/** A socket that may be one of a server's. */
export type Accepted = Socket & {
  readonly server?: Listening | null;
  readonly parser?: Parser | null;
  readonly _handle?: Handle | null;
  /** The response that is being sent. */
  readonly _httpMessage?: Answer | null;
};

export type Answer = ServerResponse & { readonly _header: string | null };

export interface Listening {
  readonly timeout?: number;
  readonly headersTimeout?: number;
  readonly requestTimeout?: number;
  readonly keepAliveTimeout?: number;
  readonly keepAliveTimeoutBuffer?: number;
}

interface StreamState {
  readonly streamBaseState: Int32Array;
  readonly kReadBytesOrError: number;
  readonly kArrayBufferOffset: number;
  readonly WriteWrap: new () => object;
}

/** Where streams tell their JavaScript side what a packet is. */
export const stream = binding<StreamState>("stream_wrap");

/** The symbol of that description by which node keeps something on an object. */
export function symbolOf(object: object, description: string): symbol | undefined {
  return Object.getOwnPropertySymbols(object).find((one) => one.description === description);
}

/** The value of a property of node's own; undefined where it has become a getter. */
export function valueOf(object: object, key: string | symbol | undefined): unknown {
  return key === undefined ? undefined : Object.getOwnPropertyDescriptor(object, key)?.value;
}
