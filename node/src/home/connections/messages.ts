/**
 * What a chunk of bytes on a connection says: its lines, or its WebSocket messages. It is only looked at, to foretell
 * what the program will do with it; a wrong reading costs time.
 */

import { bytes as texts, joined, type Bytes } from "../../builtin.js";

/** How much is kept of lines and messages that are not complete yet, in bytes or characters. */
const mostKept = 1_000_000;
const maxMessages = 16;

interface Message {
  readonly text: string;
  /** Undefined: the program does not get these bytes as one chunk. */
  readonly bytes: Bytes | undefined;
}

/** Reads one connection. */
export interface Reader {
  /** The messages that end in this chunk; those that the program most likely works on first. */
  read(chunk: Bytes): Message[];
  /**
   * A quick look, which changes nothing here.
   * @param from names who listens
   * @returns a number that chunks alike have in common (another one may have it, too); undefined: none is known
   */
  glance(chunk: Bytes, from: number): number | undefined;
}

const newline = 10;
const longestBeginning = 16;
const longestGlance = 4096;

/**
 * Of the first characters up to a digit, and of how many there are in all, roughly (FNV-1a: Fowler, Noll, Vo).
 * @param begin where they begin, behind the four bytes that mask them if they are masked
 */
function hashOf(chunk: Bytes, from: number, begin = 0): number {
  const length = chunk.length - begin;
  let hash = from ^ (Math.clz32(length) << 24);
  for (let at = 0; at < length && at < longestBeginning; at++) {
    const mask = begin === 0 ? 0 : (chunk[begin - 4 + (at & 3)] as number);
    const code = (chunk[begin + at] as number) ^ mask;
    if (code >= 48 && code <= 57) break;
    hash = Math.imul(hash ^ code, 16777619);
  }
  return hash;
}

/** Lines, with what was left of the chunk before, and the chunk as it is. */
export class LineReader implements Reader {
  private rest = "";

  glance(chunk: Bytes, from: number): number | undefined {
    if (this.rest !== "" || chunk.length > longestGlance) return undefined;
    // Of short chunks, to ask the array whether it has one takes longer than all else here.
    let at = chunk.length - 1;
    if (chunk[at] !== newline) while (at >= 0 && chunk[at] !== newline) at--;
    return at < 0 || at === chunk.length - 1 ? hashOf(chunk, from) : undefined;
  }

  read(chunk: Bytes): Message[] {
    const text = texts.in("utf8", chunk);
    const lines = (this.rest + text).split(/\r?\n/);
    const rest = lines.pop() ?? "";
    const whole = { text, bytes: chunk };
    // Without a line's end in it a chunk most likely is a message of its own.
    this.rest = lines.length > 0 && rest.length < mostKept ? rest : "";
    return [...lines.slice(0, maxMessages).map((line) => ({ text: line, bytes: undefined })), whole];
  }
}

/** First bytes of frames that are a whole message; second bytes of masked ones: with a short length, with two more. */
const [wholeText, wholeBinary, masked, longFrame] = [0x81, 0x82, 0x80, 0xfe];

/** Messages of a WebSocket's client (RFC 6455, section 5): masked frames, which may come in parts. */
export class WebSocketReader implements Reader {
  private rest: Bytes = new Uint8Array(0);
  private parts: Bytes[] = [];
  private size = 0;
  private lost = false;

  /** Of a message in one frame. */
  glance(chunk: Bytes, from: number): number | undefined {
    if (this.lost || this.rest.length > 0 || this.parts.length > 0 || chunk.length < 6) return undefined;
    const [first, second] = [chunk[0] as number, chunk[1] as number];
    const begin = second === longFrame ? 8 : 6;
    const length = second === longFrame ? ((chunk[2] as number) << 8) | (chunk[3] as number) : second - masked;
    if ((first !== wholeText && first !== wholeBinary) || second < masked || second > longFrame) return undefined;
    return chunk.length === begin + length ? hashOf(chunk, from, begin) : undefined;
  }

  read(chunk: Bytes): Message[] {
    const messages: Message[] = [];
    if (this.lost) return messages;
    let bytes = this.rest.length > 0 ? joined([this.rest, chunk]) : chunk;
    for (;;) {
      const frame = frameOf(bytes);
      if (frame === "incomplete") break;
      if (frame === "other" || this.size > mostKept) {
        this.lost = true; // not a WebSocket, or compressed, or too long
        return messages;
      }
      bytes = bytes.subarray(frame.end);
      if (frame.control) continue;
      this.parts.push(frame.payload);
      this.size += frame.payload.length;
      if (!frame.final) continue;
      const payload = this.parts.length === 1 ? frame.payload : joined(this.parts);
      this.parts = [];
      this.size = 0;
      if (messages.length < maxMessages) messages.push({ text: texts.in("utf8", payload), bytes: payload });
    }
    this.lost = bytes.length > mostKept;
    this.rest = this.lost ? new Uint8Array(0) : bytes;
    return messages;
  }
}

interface Frame {
  readonly final: boolean;
  readonly control: boolean;
  readonly payload: Bytes;
  readonly end: number;
}

function frameOf(bytes: Bytes): Frame | "incomplete" | "other" {
  if (bytes.length < 2) return "incomplete";
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const [first, second] = [view.getUint8(0), view.getUint8(1)];
  const opcode = first & 15;
  const known = opcode <= 2 || (opcode >= 8 && opcode <= 10);
  if (!known || (first & 0x70) !== 0 || second < 128) return "other";
  const short = second & 127;
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0;
  const begin = 2 + extended + 4;
  if (bytes.length < begin) return "incomplete";
  const length = extended === 0 ? short : extended === 2 ? view.getUint16(2) : Number(view.getBigUint64(2));
  if (length > mostKept) return "other";
  if (bytes.length < begin + length) return "incomplete";
  const payload = bytes.slice(begin, begin + length);
  for (let at = 0; at < length; at++) {
    payload[at] = (payload[at] as number) ^ (bytes[begin - 4 + (at & 3)] as number);
  }
  return { final: first >= 128, control: opcode >= 8, payload, end: begin + length };
}
