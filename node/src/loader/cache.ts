/**
 * Instrumented modules on disk, so that a text is analysed once and not at every start.
 *
 * One file per text, named by a hash of everything that the result follows from: the text, its place, how it is read,
 * and the build of the transform. So nothing is ever out of date, and no two writers can disagree: they write the same
 * bytes, each to a name of its own first, then renamed. An empty file says "analysed, runs as it is".
 *
 * Most of what is known of a module no run ever asks for, so a file is made of parts that are read one by one: a line
 * of JSON with the lengths of the parts in UTF-16 code units, then the text that runs, and the others as JSON.
 */
import { builtin } from "../builtin.js";
import { transformId } from "./parts.js";
import type { Refusal, SiteDescription, SourceKind, TransformedModule } from "../contract.js";

const { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } = builtin("node:fs");
const { dirname, join } = builtin("node:path");
const { Buffer } = builtin("node:buffer");

/** The program may replace them. */
const { parse, stringify } = JSON;
const { imul } = Math;

/** All about a site but the text for workers, which only those need that are worth it. */
export type SiteOutline = Omit<SiteDescription, "program">;

/** A module as it was instrumented. */
export interface ModuleRecord {
  readonly key: string;
  readonly file: string;
  /** What node runs. */
  readonly text: string;
  readonly siteCount: number;
  sites(): readonly SiteOutline[];
  /** `SiteDescription.program`. */
  program(index: number): string;
  refusals(): readonly Refusal[];
}

const parts = ["text", "sites", "programs", "refusals"] as const;
type Part = (typeof parts)[number];

interface Head {
  readonly key: string;
  readonly file: string;
  readonly siteCount: number;
  readonly lengths: readonly number[];
}

class KeptModule implements ModuleRecord {
  readonly text: string;
  private known: readonly SiteOutline[] | undefined;
  private programs: readonly string[] | undefined;

  constructor(
    private readonly head: Head,
    private readonly content: string,
    private readonly begin: number,
  ) {
    this.text = this.part("text");
  }

  get key(): string {
    return this.head.key;
  }

  get file(): string {
    return this.head.file;
  }

  get siteCount(): number {
    return this.head.siteCount;
  }

  sites(): readonly SiteOutline[] {
    return (this.known ??= parse(this.part("sites")) as SiteOutline[]);
  }

  program(index: number): string {
    this.programs ??= parse(this.part("programs")) as string[];
    return this.programs[index] as string;
  }

  refusals(): readonly Refusal[] {
    return parse(this.part("refusals")) as Refusal[];
  }

  private part(name: Part): string {
    let from = this.begin;
    for (let at = 0; parts[at] !== name; at++) from += this.head.lengths[at] as number;
    return this.content.slice(from, from + (this.head.lengths[parts.indexOf(name)] as number));
  }
}

/** The content of a module's file. */
function contentOf(key: string, file: string, module: TransformedModule): string {
  const texts = [
    module.text,
    stringify(module.sites.map(({ program: _, ...outline }) => outline)),
    stringify(module.sites.map(({ program }) => program)),
    stringify(module.refusals),
  ];
  const head: Head = { key, file, siteCount: module.sites.length, lengths: texts.map(({ length }) => length) };
  return `${stringify(head)}\n${texts.join("")}`;
}

/** Undefined: that is no such content. */
function recordIn(content: string): KeptModule | undefined {
  const end = content.indexOf("\n") + 1;
  try {
    const head = parse(content.slice(0, end)) as Head;
    const length = head.lengths.reduce((sum, one) => sum + one, end);
    return length === content.length && head.lengths.length === parts.length
      ? new KeptModule(head, content, end)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Changes with every build of the transform that may give other results. */
function buildId(): string {
  const packed = transformId();
  if (packed !== undefined) return packed;
  const folder = join(__dirname, "..", "transform");
  const parts = [readFileSync(join(folder, "..", "..", "package.json"), "utf8")];
  try {
    for (const name of readdirSync(folder).sort()) {
      if (!name.endsWith(".js")) continue;
      const { size, mtimeMs } = statSync(join(folder, name));
      parts.push(`${name} ${size} ${mtimeMs}`);
    }
  } catch {
    // the transform was taken out of the package: nothing gets instrumented
  }
  return parts.join("\n");
}

/**
 * 96 bits, as hexadecimal digits: 64 of a text and 32 of where it is from. Multiplicative, with odd multipliers, so
 * that each step is a bijection. Nothing has to be secret here (who could write to the cache, or to the program, needs
 * no collision), and node takes longer to load its cryptography than this takes for a megabyte.
 */
function hash(text: string, place: string): string {
  const wellFormed = text.isWellFormed();
  const bytes = Buffer.from(text, wellFormed ? "utf8" : "utf16le");
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
  let a = 0x9e3779b1 ^ bytes.length;
  let b = wellFormed ? 0x85ebca77 : 0x165667b1;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as number;
    a = imul(a ^ word, 0x9e3779b1);
    a = (a << 13) | (a >>> 19);
    b = imul(b + word, 0xc2b2ae3d);
    b ^= b >>> 15;
  }
  for (let at = words.length * 4; at < bytes.length; at++) {
    a = imul(a ^ (bytes[at] as number), 0x9e3779b1);
    b = imul(b + (bytes[at] as number), 0xc2b2ae3d);
  }
  let c = 0x27d4eb2f;
  for (let at = 0; at < place.length; at++) {
    c = imul(c ^ place.charCodeAt(at), 0x85ebca6b);
    c ^= c >>> 13;
  }
  return [a, b, c].map((part) => (part >>> 0).toString(16).padStart(8, "0")).join("");
}

function home(): string {
  const { homedir, tmpdir } = builtin("node:os");
  return homedir() || tmpdir();
}

export class TransformCache {
  readonly folder: string;
  private prefix: string | undefined;

  constructor(folder: string | undefined, env: NodeJS.ProcessEnv) {
    this.folder = folder ?? join(env["XDG_CACHE_HOME"] || join(env["HOME"] || home(), ".cache"), "heddle", "node");
  }

  key(text: string, file: string, kind: SourceKind): string {
    this.prefix ??= `3\n${buildId()}\n${process.versions.node.split(".")[0] ?? ""}\n`;
    return hash(text, `${this.prefix}${kind}\n${file}`);
  }

  /** Undefined: not known. Null: known to run as it is. */
  read(key: string): ModuleRecord | null | undefined {
    let content: string;
    try {
      content = readFileSync(this.path(key), "utf8");
    } catch {
      return undefined;
    }
    if (content === "") return null;
    const record = recordIn(content);
    return record?.key === key ? record : undefined;
  }

  /** Null: there is nothing to be known about the module, it runs as it is. */
  keep(key: string, file: string, text: string, module: TransformedModule): ModuleRecord | null {
    const nothing = module.text === text && module.refusals.length === 0;
    const content = nothing ? "" : contentOf(key, file, module);
    // Half of a surrogate pair would not come back.
    if (content.isWellFormed()) this.write(key, content);
    return nothing ? null : (recordIn(content) as KeptModule);
  }

  private write(key: string, content: string): void {
    const path = this.path(key);
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const draft = `${path}.${process.pid}`;
      writeFileSync(draft, content, { mode: 0o600 });
      renameSync(draft, path);
    } catch {
      // No cache, for instance on a read-only disk: the next start analyses again.
    }
  }

  private path(key: string): string {
    return join(this.folder, key.slice(0, 2), key.slice(2));
  }
}
