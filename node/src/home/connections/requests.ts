/**
 * Reads what a connection brings as HTTP, to know what is in a packet before node's parser gets it. Only looked at: a
 * wrong reading makes wrong predictions. What must be true is said by `quiet`.
 */
import { bytes as texts, joined, type Bytes } from "../../builtin.js";
import { longestText } from "../../shared/values.js";
import { kindOf } from "./facts.js";

/** A request as it came. */
export interface Request {
  readonly method: string;
  readonly url: string;
  /** By their names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly hasBody: boolean;
}

export interface Reading {
  /** Requests whose heads end in this packet. */
  readonly begun: Request[];
  /** Requests whose bodies end in it, with the body; undefined: it is too long. */
  readonly ended: { readonly request: Request; readonly body: Bytes | undefined }[];
  /** Whether the packet is known to consist of whole requests without bodies. */
  readonly quiet: boolean;
  /** Whether a request ends where it ends. */
  readonly whole: boolean;
}

const longestHead = 16 * 1024;
/** Node's parser hands headers on before all are there if there are 32. */
const mostHeaders = 30;
/** Anything that may lead to a body, or to something else than a request. */
const notable = /content-length|transfer-encoding|upgrade|expect|^(?:CONNECT|PRI) /i;
const firstLine = /^([A-Z][A-Z-]*) (\S+) HTTP\/1\.[01]$/;
/** A head of so few headers, and nothing behind it: method and path. */
const lone = /^([A-Z][A-Z-]*) ([^\s?]*)\S* HTTP\/1\.[01](?:\r\n[^\s:]+:[^\r\n]*){0,29}\r\n\r\n$/;
const longestLone = 4096;
/** Where the head ends that a packet begins with, without its empty line; -1: not in this packet. */
function endOfHead(packet: Bytes): number {
  for (let at = packet.indexOf(13); at >= 0; at = packet.indexOf(13, at + 1)) {
    if (packet[at + 1] === 10 && packet[at + 2] === 13 && packet[at + 3] === 10) return at;
  }
  return -1;
}

export class RequestReader {
  /** Of a head that has not ended. */
  private rest: Bytes | undefined;
  private body: Body | undefined;
  /** Something was not understood: from then on nothing is. */
  private lost = false;

  /** @param sure whether a request begins with what comes next, for certain */
  constructor(private sure: boolean) {}

  /** Whether it knows for certain where in a request the connection is. */
  get isSure(): boolean {
    return this.sure;
  }

  /** Where a request begins is not known any more. */
  get isLost(): boolean {
    return this.lost;
  }

  /**
   * A quick look, which changes nothing here: the kind of the request that the packet is.
   * @returns undefined if it is not for certain one whole request without a body
   */
  glance(packet: Bytes): string | undefined {
    if (!this.sure || this.rest !== undefined || this.body !== undefined || packet.length > longestLone)
      return undefined;
    const text = texts.latin1(packet, 0, packet.length);
    const found = lone.exec(text);
    return found === null || notable.test(text) ? undefined : kindOf(found[1] as string, found[2] as string);
  }

  read(packet: Bytes): Reading {
    const begun: Request[] = [];
    const ended: Reading["ended"] = [];
    let quiet = this.sure && this.rest === undefined && this.body === undefined;
    let bytes = this.rest === undefined ? packet : joined([this.rest, packet]);
    this.rest = undefined;
    while (!this.lost && bytes.length > 0) {
      if (this.body !== undefined) {
        bytes = this.body.take(bytes);
        if (this.body.broken) this.lost = true;
        if (!this.body.over) break;
        ended.push({ request: this.body.request, body: this.body.bytes() });
        this.body = undefined;
        continue;
      }
      const end = endOfHead(bytes);
      if (end < 0 || end > longestHead) {
        if (bytes.length > longestHead) this.lost = true;
        else this.rest = bytes;
        break;
      }
      const head = texts.latin1(bytes, 0, end);
      const request = requestOf(head);
      if (request === undefined) {
        this.lost = true;
        break;
      }
      bytes = bytes.subarray(end + 4);
      begun.push(request);
      if (notable.test(head) || head.split("\n").length > mostHeaders) quiet = false;
      if (request.hasBody) this.body = new Body(request);
      if (this.body?.over === true) {
        ended.push({ request, body: this.body.bytes() });
        this.body = undefined;
      }
      if (request.method === "CONNECT" || request.headers["upgrade"] !== undefined) this.lost = true;
    }
    const whole = !this.lost && this.rest === undefined && this.body === undefined;
    // What was once not understood may be in the middle of anything.
    if (this.lost) this.sure = false;
    return { begun, ended, quiet: quiet && whole, whole };
  }
}

function requestOf(head: string): Request | undefined {
  const [first, ...lines] = head.split("\r\n");
  const found = firstLine.exec(first as string);
  if (found === null) return undefined;
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon <= 0) return undefined;
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  const hasBody = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  return { method: found[1] as string, url: found[2] as string, headers, hasBody };
}

/** A body under way: of a known length, or in chunks (RFC 9112, section 7.1). */
class Body {
  over = false;
  broken = false;
  private parts: Bytes[] | undefined = [];
  private size = 0;
  /** Of the body, or of the chunk, with the line's end behind it; 0: a line of the framing comes. */
  private left: number;
  private readonly chunked: boolean;
  private line = "";
  private trailers = false;

  constructor(readonly request: Request) {
    const { "content-length": length, "transfer-encoding": encoding } = request.headers;
    this.chunked = encoding !== undefined;
    this.left = this.chunked ? 0 : Number(length);
    this.broken = !Number.isSafeInteger(this.left) || this.left < 0;
    this.over = !this.chunked && this.left === 0;
  }

  /** @returns what is behind it */
  take(bytes: Bytes): Bytes {
    while (bytes.length > 0 && !this.over && !this.broken) {
      if (this.left > 0) {
        const part = bytes.subarray(0, this.left);
        const framing = this.chunked ? Math.max(0, part.length - Math.max(0, this.left - 2)) : 0;
        this.keep(part.subarray(0, part.length - framing));
        this.left -= part.length;
        bytes = bytes.subarray(part.length);
        this.over = !this.chunked && this.left === 0;
      } else bytes = this.takeLine(bytes);
    }
    return bytes;
  }

  private takeLine(bytes: Bytes): Bytes {
    const end = bytes.indexOf(10);
    this.line += texts.latin1(bytes, 0, end < 0 ? bytes.length : end + 1);
    this.broken = this.line.length > longestHead;
    if (end < 0) return bytes.subarray(bytes.length);
    const line = this.line.trimEnd();
    this.line = "";
    if (this.trailers) this.over = line === "";
    else if (/^[0-9a-f]{1,8}(?:;|$)/i.test(line)) {
      const size = Number.parseInt(line, 16);
      if (size === 0) this.trailers = true;
      else this.left = size + 2;
    } else this.broken = true;
    return bytes.subarray(end + 1);
  }

  private keep(part: Bytes): void {
    this.size += part.length;
    if (this.size > longestText) this.parts = undefined;
    this.parts?.push(part);
  }

  /** Undefined: it is too long to be sent to a worker. */
  bytes(): Bytes | undefined {
    const { parts } = this;
    if (parts === undefined || parts.length === 1) return parts?.[0];
    return joined(parts);
  }
}
