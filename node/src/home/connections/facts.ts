/**
 * What is known of an event from the network before the program sees it: a request, or a message on a connection. Each
 * has a kind (events that a program most likely handles alike) and places, the named values in which an argument may be
 * found. `learned.ts` makes predictions of them.
 */

import { buffers, bytes as texts, type Bytes } from "../../builtin.js";
import { bufferThere } from "../../realm.js";

const { isUtf8 } = buffers;

/** Names one value of an event, for instance `query n`. */
export type Place = string;

export interface Facts {
  readonly kind: string;
  /** Where nothing in the event explains an argument, events of one mark are expected to lead to the same values. */
  readonly mark: string | undefined;
  places(): ReadonlyMap<Place, unknown>;
}

const maxPlaces = 60;
const maxWords = 8;
/** Longer texts are not taken apart. In characters. */
const longest = 1_000_000;

class Places extends Map<Place, unknown> {
  put(place: Place, value: unknown): void {
    if (this.size < maxPlaces) this.set(place, value);
  }
}

/** Requests that a program most likely serves by one route: same method, same number of parts, same words in them. */
export function kindOf(method: string, path: string): string {
  const parts = path.split("/");
  for (let at = 0; at < parts.length; at++) if (at > 1 || !isWord.test(parts[at] as string)) parts[at] = "*";
  return `${method} ${parts.join("/")}`;
}

const isWord = /^[A-Za-z_-]{0,24}$/;

export class RequestFacts implements Facts {
  private found: Places | undefined;
  private bytes: Bytes | undefined;

  constructor(
    readonly method: string,
    readonly url: string,
    readonly headers: Readonly<Record<string, unknown>>,
  ) {}

  /** Undefined: it has not come, or is too long. */
  set body(bytes: Bytes) {
    this.bytes = bytes;
    this.found = undefined;
  }

  private get path(): string {
    const end = this.url.indexOf("?");
    return end < 0 ? this.url : this.url.slice(0, end);
  }

  get kind(): string {
    return kindOf(this.method, this.path);
  }

  get mark(): string | undefined {
    return this.method === "GET" ? this.url : undefined;
  }

  places(): ReadonlyMap<Place, unknown> {
    return (this.found ??= this.look());
  }

  private look(): Places {
    const found = new Places();
    const { path, url } = this;
    path.split("/").forEach((part, at) => {
      if (at > 0) found.put(`part ${at}`, decoded(part));
    });
    found.put("path", path);
    if (path.length < url.length) {
      const search = url.slice(path.length + 1);
      for (const [name, value] of pairsOf(search)) found.put(`query ${name}`, value);
      found.put("search", search);
    }
    found.put("url", url);
    if (this.bytes !== undefined) lookIntoBody(this.bytes, found);
    for (const [name, value] of Object.entries(this.headers))
      if (typeof value === "string") found.put(`header ${name}`, value);
    return found;
  }
}

/** A message: a line, a WebSocket message, or all that came at once. */
export class MessageFacts implements Facts {
  readonly mark = undefined;
  private found: Places | undefined;
  private json: unknown;
  private looked = false;

  /**
   * @param from names who listens: messages to different servers are of different kinds
   * @param bytes undefined: it is only part of what came
   */
  constructor(
    private readonly from: string,
    private readonly text: string,
    private readonly bytes: Bytes | undefined,
  ) {}

  /** Messages of one shape: JSON by its fields and what its type says, text by its first word. A chunk is no line. */
  get kind(): string {
    const from = this.bytes === undefined ? this.from : `${this.from} whole`;
    const json = this.parsed();
    if (typeof json === "object" && json !== null && !Array.isArray(json)) {
      const words = Object.entries(json).map(([name, value]) =>
        typeNames.test(name) && typeof value === "string" && value.length < 25 ? `${name}=${value}` : name,
      );
      return `${from} {${words.slice(0, 12).join()}}`;
    }
    return `${from} ${/^[A-Za-z][\w-]{0,23}(?=\s)/.exec(this.text)?.[0] ?? "*"}`;
  }

  places(): ReadonlyMap<Place, unknown> {
    return (this.found ??= this.look());
  }

  private parsed(): unknown {
    if (!this.looked) this.json = parsed(this.text);
    this.looked = true;
    return this.json;
  }

  private look(): Places {
    const found = new Places();
    found.put("text", this.text);
    if (this.bytes !== undefined) found.put("bytes", bufferThere(this.bytes));
    const trimmed = this.text.trim();
    if (trimmed !== this.text) found.put("trimmed", trimmed);
    if (putFields(this.parsed(), found) || this.text.length > longest) return found;
    const words = trimmed.slice(0, 1000).split(/\s+/, maxWords);
    if (words.length > 1) {
      words.forEach((word, at) => found.put(`word ${at}`, word));
      found.put("rest", trimmed.slice((words[0] as string).length).trimStart());
    }
    return found;
  }
}

const typeNames = /^(?:type|op|kind|method|cmd|command|action|event|name)$/;

const { parse } = JSON;

/** What the text is as JSON; undefined if it is none. */
function parsed(text: string): unknown {
  if (text.length > longest || !/^\s*[[{"\d-]/.test(text)) return undefined;
  try {
    return parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function lookIntoBody(bytes: Bytes, found: Places): void {
  found.put("bytes", bufferThere(bytes));
  if (!isUtf8(bytes)) return; // a picture, or the like
  const text = texts.in("utf8", bytes);
  found.put("body", text);
  if (putFields(parsed(text), found)) return;
  if (text.length >= 10_000 || !/^[^=&\s]+=[^\s]*$/.test(text)) return;
  for (const [name, value] of pairsOf(text)) found.put(`form ${name}`, value);
}

/** @returns whether there was a value */
function putFields(value: unknown, found: Places): boolean {
  if (value === undefined) return false;
  found.put("json", value);
  if (typeof value !== "object" || value === null) return true;
  for (const [name, field] of Object.entries(value)) {
    found.put(`field ${name}`, field);
    if (typeof field !== "object" || field === null || Array.isArray(field)) continue;
    for (const [inner, deep] of Object.entries(field)) found.put(`field ${name}.${inner}`, deep);
  }
  return true;
}

/** The names and values of a query, or of a form. */
function pairsOf(text: string): [string, string][] {
  return text
    .replaceAll("+", " ")
    .split("&")
    .filter(Boolean)
    .map((pair) => /^([^=]*)=?([^]*)$/.exec(pair) as RegExpExecArray)
    .map(([, name = "", value = ""]) => [decoded(name), decoded(value)]);
}

function decoded(part: string): string {
  try {
    return part.includes("%") ? decodeURIComponent(part) : part;
  } catch {
    return part;
  }
}
