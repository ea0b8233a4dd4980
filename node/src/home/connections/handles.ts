/**
 * What node has below its sockets, as far as it is used here: streams of C++ that call `onread` for each packet, and
 * the parser that an HTTP server puts between such a stream and itself.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { binding, type Bytes } from "../../builtin.js";

const { getOwnPropertyDescriptor, getOwnPropertySymbols } = Object;

/** A stream of C++: TCP, a pipe, or TLS. It calls `onread` with a packet; or none at an end, which is in the state. */
export interface Handle {
  onread: Function;
  /** Kept by node: whether it wants this to be read. */
  reading: boolean;
  readonly bytesRead: number;
}

/** Node's parser of requests. While it consumes a stream, packets go to it, and not to `onread`. */
export interface Parser {
  readonly socket: Accepted | null;
  readonly incoming: IncomingMessage | null;
  /** Node's own word for whether it consumes the stream below its socket. */
  readonly _consumed: boolean;
}

/** A socket that may be one of a server's. */
export type Accepted = Socket & {
  readonly server?: Listening | null;
  readonly parser?: Parser | null;
  readonly _readableState: { readonly encoding: string | null };
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

/** What a connection has brought. */
export interface Packet {
  /** Undefined: the end, or an error. */
  readonly bytes: Bytes | undefined;
  /** As node's state has it: bytes read, or why there are none. */
  readonly length: number;
}

/** In the callback of a stream: what it was given. */
export function arrived(bytes: ArrayBuffer | undefined): Packet {
  const { streamBaseState: state, kReadBytesOrError, kArrayBufferOffset } = stream as StreamState;
  const length = state[kReadBytesOrError] as number;
  if (length <= 0 || bytes === undefined) return { length, bytes: undefined };
  return { length, bytes: new Uint8Array(bytes, state[kArrayBufferOffset], length) };
}

/** Tells node's function of a stream what the packet is. */
export function tell({ bytes, length }: Packet): void {
  const { streamBaseState: state, kReadBytesOrError, kArrayBufferOffset } = stream as StreamState;
  state[kReadBytesOrError] = length;
  state[kArrayBufferOffset] = bytes?.byteOffset ?? 0;
}

/** The symbol of that description by which node keeps something on an object. */
export function symbolOf(object: object, description: string): symbol | undefined {
  return getOwnPropertySymbols(object).find((one) => one.description === description);
}

/** The value of a property of node's own; undefined where it has become a getter. */
export function valueOf(object: object, key: string | symbol | undefined): unknown {
  return key === undefined ? undefined : getOwnPropertyDescriptor(object, key)?.value;
}

let ofSockets: symbol | undefined;

/** The stream below a socket; nothing once the socket is destroyed. (`_handle` is a getter, in the sockets' class.) */
export function handleOf(socket: Accepted): Handle | null | undefined {
  ofSockets ??= symbolOf(socket, "kHandle");
  return valueOf(socket, ofSockets) as Handle | null | undefined;
}
