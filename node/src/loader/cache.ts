/**
 * Instrumented modules on disk, so that a text is analysed once and not at every start.
 *
 * One file per place and length of a text, named by a hash of these, of how the text is read and of the build of the
 * transform. The text that was analysed is in it and is compared: what is kept for another text is never taken, and to
 * compare costs a tenth of what a hash of the text would. What node runs is taken from here, so a folder or a file that
 * somebody else may write to is not used (own-files.ts).
 *
 * Guards of sites that turned out to be of no use in three runs are taken out of the text that runs (trimming.ts), and
 * in modules of packages previews, if no site of the module is of use. What a program has to do may grow, and a site
 * without a guard is never measured. So one start in sixteen, and the first after a week, has such modules analysed
 * anew, with all guards, and three more runs have to agree.
 *
 * Most of what is known of a module no run ever asks for, so a file is made of parts, and bytes become a text when
 * somebody asks for that part: a line of JSON with the lengths of the parts in bytes, then the text as it is written,
 * the text that runs if it is another, and the others as JSON.
 */
import { buffers, builtin, hrtime, started } from "../builtin.js";
import { complain } from "../complain.js";
import { bytesIn, ForeignError, inUtf8, isForeign, keptFolder, readOwn, utf8, writeOwn } from "./own-files.js";
import { packageOf } from "./packages.js";
import { transformId } from "./parts.js";
import { withoutGuards } from "./trimming.js";
import type { Refusal, ReplicaPart, SiteDescription, SourceKind, TransformedModule } from "../contract.js";

const { readdirSync, readFileSync, statSync } = builtin("node:fs");

const { compare } = buffers;
const { parse, stringify } = JSON;
const { now } = Date;
const { imul } = Math;

/** A text as node gives it to its loader: in bytes, where it has not looked at it. */
export type Source = string | Uint8Array;
export const textOf = (source: Source): string => (typeof source === "string" ? source : utf8(source));

/** All about a site but the text for workers, which is read only if the site turns out to be worth it. */
export type SiteOutline = Omit<SiteDescription, "program">;

/** A module as it was instrumented. */
export interface ModuleRecord {
  readonly key: string;
  readonly file: string;
  /** What node runs. */
  readonly text: string;
  /** Whether that is another text than the one that was written. */
  readonly isInstrumented: boolean;
  /** Whether the text says where its source map is. */
  readonly namesMap: boolean;
  readonly siteCount: number;
  sites(): readonly SiteOutline[];
  /** `SiteDescription.program`. */
  program(index: number): string;
  refusals(): readonly Refusal[];
  readonly isReplica: boolean;
  /** Of a module of a package with replicas. */
  replica(): ReplicaPart | undefined;
}

const parts = ["original", "text", "sites", "programs", "refusals", "replica"] as const;
type Part = (typeof parts)[number];

interface Head {
  readonly key: string;
  readonly file: string;
  /** Nothing is to be known about the module, it runs as it is. */
  readonly plain: boolean;
  readonly siteCount: number;
  readonly namesMap: boolean;
  readonly lengths: readonly number[];
  /** Sites whose guards are not in the text any more, and until when that holds; milliseconds since 1970. */
  readonly left?: { readonly sites: readonly number[]; readonly until: number } | undefined;
  /** In how many runs in a row sites that have their guards were short, by their index. */
  readonly short?: Readonly<Record<number, number>> | undefined;
}

class KeptModule implements ModuleRecord {
  private runs: string | undefined;
  private known: readonly SiteOutline[] | undefined;
  private programs: readonly string[] | undefined;

  /** @param content the parts, one behind the other: as texts, or in bytes from `begin` on */
  constructor(
    private readonly head: Head,
    private readonly content: readonly string[] | Uint8Array,
    private readonly begin: number,
  ) {}

  get plain(): boolean {
    return this.head.plain;
  }

  get text(): string {
    return (this.runs ??= this.part(this.isInstrumented ? "text" : "original"));
  }

  get isInstrumented(): boolean {
    return this.head.lengths[parts.indexOf("text")] !== 0;
  }

  get namesMap(): boolean {
    return this.head.namesMap;
  }

  /** Whether it is what was analysed. */
  is(source: Source): boolean {
    if (typeof source === "string" || !(this.content instanceof Uint8Array)) return this.part("original") === source;
    const { length } = source;
    const original = this.content.subarray(this.begin, this.begin + (this.head.lengths[0] as number));
    return length === original.length && compare(original, source) === 0;
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

  get isReplica(): boolean {
    return this.head.lengths[parts.indexOf("replica")] !== 0;
  }

  replica(): ReplicaPart | undefined {
    return this.isReplica ? (parse(this.part("replica")) as ReplicaPart) : undefined;
  }

  /** Whether some guards are not in its text any more. */
  get isTrimmed(): boolean {
    return this.head.left !== undefined;
  }

  /** Whether it has been without them for long enough: what a module has to do may have changed. */
  isOver(at: number): boolean {
    return this.head.left !== undefined && at > this.head.left.until;
  }

  /**
   * Its content after a run in which these sites were short and those long: without the guards of those that were short
   * often enough, until then. Undefined: it is as it was.
   */
  judged(short: readonly number[], long: readonly number[], until: number): Content | undefined {
    // A package's guards stay as they are in all threads.
    if (this.isReplica) return undefined;
    const runs: Record<number, number> = { ...this.head.short };
    for (const site of long) delete runs[site];
    for (const site of short) runs[site] = (runs[site] ?? 0) + 1;
    const sites = short.filter((site) => (runs[site] as number) >= agreeing);
    for (const site of sites) delete runs[site];
    const head = { ...this.head, short: runs };
    if (stringify(runs) === stringify(this.head.short ?? {}) && sites.length === 0) return undefined;
    const texts = parts.map((name) => this.part(name));
    if (sites.length === 0) return contentWith(head, texts);
    // A preview in a package leads to sites of its own module only, and makes a function longer that may be hot.
    const previews = long.length === 0 && packageOf(this.file) !== undefined;
    texts[1] = withoutGuards(this.text, new Set(sites), previews);
    const left = { sites: [...(this.head.left?.sites ?? []), ...sites], until: this.head.left?.until ?? until };
    return contentWith({ ...head, left }, texts);
  }

  private part(name: Part): string {
    const { content } = this;
    if (!(content instanceof Uint8Array)) return content[parts.indexOf(name)] as string;
    let from = this.begin;
    for (let at = 0; parts[at] !== name; at++) from += this.head.lengths[at] as number;
    return utf8(content.subarray(from, from + (this.head.lengths[parts.indexOf(name)] as number)));
  }
}

interface Content {
  readonly head: Head;
  readonly texts: readonly string[];
}

/** The content of a module's file. */
function contentOf(key: string, file: string, original: string, module: TransformedModule): Content {
  const plain = module.text === original && module.refusals.length === 0;
  const texts = [
    original,
    module.text === original ? "" : module.text,
    stringify(module.sites.map(({ program: _, ...outline }) => outline)),
    stringify(module.sites.map(({ program }) => program)),
    stringify(module.refusals),
    module.replica === undefined ? "" : stringify(module.replica),
  ];
  const namesMap = module.text.includes("sourceMappingURL=");
  return contentWith({ key, file, plain, namesMap, siteCount: module.sites.length }, texts);
}

function contentWith(head: Omit<Head, "lengths">, texts: readonly string[]): Content {
  return { head: { ...head, lengths: texts.map(bytesIn) }, texts };
}

function bytesOf({ head, texts }: Content): Uint8Array {
  return inUtf8(`${stringify(head)}\n${texts.join("")}`);
}

const lineEnd = 10;

/** Undefined: the content is damaged. */
function recordIn(content: Uint8Array): KeptModule | undefined {
  const end = content.indexOf(lineEnd) + 1;
  try {
    const head = parse(utf8(content.subarray(0, end))) as Head;
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
  const folder = `${__dirname}/../transform`;
  const parts = [readFileSync(`${folder}/../../package.json`, "utf8")];
  try {
    for (const name of readdirSync(folder).sort()) {
      if (!name.endsWith(".js")) continue;
      const { size, mtimeMs } = statSync(`${folder}/${name}`);
      parts.push(`${name} ${size} ${mtimeMs}`);
    }
  } catch {
    // the transform was taken out of the package: nothing gets instrumented
  }
  return parts.join("\n");
}

type Hash = readonly [number, number];

/**
 * 64 bits of a text behind another one. Multiplicative, with odd multipliers, so that each step is a bijection. Nothing
 * has to be secret here (who could write to the cache, or to the program, needs no collision), and node takes long to
 * load its cryptography.
 */
export function hash(text: string, [a, b]: Hash): Hash {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    a = imul(a ^ unit, 0x9e3779b1);
    a = (a << 13) | (a >>> 19);
    b = imul(b + unit, 0xc2b2ae3d);
    b ^= b >>> 15;
  }
  return [a, b];
}

function digits(hash: Hash): string {
  return hash.map((part) => (part >>> 0).toString(16).padStart(8, "0")).join("");
}

/** So many runs in a row have to find that a site is short. */
const agreeing = 3;
/** Milliseconds after which a module that is without guards is analysed anew. */
const leftFor = 7 * 24 * 3600 * 1000;
/** One start in so many looks anew at modules that are without guards: by chance, for a count would have to be kept. */
const startsPerLook = 16;

/** Not `Math.random`: the program's numbers would be others. */
function byChance(): boolean {
  return (hrtime()[1] >>> 10) % startsPerLook === 0;
}

/** How many digits of a module's key name its place; the others follow from its text. */
const placeDigits = 16;

function placeIn(folder: string, key: string): string {
  return `${folder}/${key.slice(0, 2)}/${key.slice(2, placeDigits)}`;
}

export function foreignFolder(folder: string): string {
  return `${folder} is not a folder of yours alone: nothing is kept there (HEDDLE_CACHE names another)`;
}

export function foreignFiles(folder: string): string {
  return `files below ${folder} are not yours alone: they are not used`;
}

export class TransformCache {
  /** Undefined: nothing is kept, for there is no folder, or it is somebody else's. */
  readonly folder: string | undefined;
  private build: Hash | undefined;

  /**
   * @param say called once, with a sentence about kept files that are there and not used
   * @param looksAnew whether modules that are without some guards are analysed anew
   */
  constructor(
    folder: string | undefined,
    env: NodeJS.ProcessEnv,
    private readonly say: (what: string) => void = complain,
    private readonly clock: () => number = now,
    private readonly looksAnew: boolean = byChance(),
  ) {
    const found = folder ?? keptFolder(env);
    const foreign = found !== undefined && isForeign(found);
    if (foreign) say(foreignFolder(found));
    this.folder = foreign ? undefined : found;
  }

  private place(source: Source, file: string, kind: SourceKind, asserts: boolean, more: string): Hash {
    this.build ??= hash(`6\n${buildId()}\n${started.version.split(".")[0] ?? ""}\n`, [0x9e3779b1, 0x85ebca77]);
    const size = typeof source === "string" ? bytesIn(source) : source.length;
    return hash(`${size} ${kind} ${asserts ? "asserts" : ""}${more}\n${file}`, this.build);
  }

  /**
   * The key by which the sites of the module are known, the same in all runs.
   * @param asserts whether node:assert was loaded before it
   * @param more what else the analysis depends on
   */
  key(text: string, file: string, kind: SourceKind, asserts = false, more = ""): string {
    const place = this.place(text, file, kind, asserts, more);
    return digits(place) + digits(hash(text, place));
  }

  /** Undefined: not known. Null: known to run as it is. */
  find(source: Source, file: string, kind: SourceKind, asserts = false, more = ""): ModuleRecord | null | undefined {
    const kept = this.kept(digits(this.place(source, file, kind, asserts, more)));
    if (kept?.is(source) !== true) return undefined;
    if (kept.isTrimmed && (this.looksAnew || kept.isOver(this.clock()))) return undefined;
    return kept.plain ? null : kept;
  }

  /** Undefined: not known any more. */
  read(key: string): ModuleRecord | undefined {
    const kept = this.kept(key);
    return kept?.key === key ? kept : undefined;
  }

  private kept(key: string): KeptModule | undefined {
    const { folder } = this;
    if (folder === undefined) return undefined;
    try {
      return recordIn(readOwn(placeIn(folder, key)));
    } catch (error) {
      if (error instanceof ForeignError) this.say(foreignFiles(folder));
      return undefined;
    }
  }

  /** Null: there is nothing to be known about the module, it runs as it is. */
  keep(key: string, file: string, text: string, module: TransformedModule): ModuleRecord | null {
    const content = contentOf(key, file, text, module);
    // Half of a surrogate pair would not come back.
    if (content.texts.every((one) => one.isWellFormed())) this.write(key, bytesOf(content));
    return content.head.plain ? null : new KeptModule(content.head, content.texts, 0);
  }

  /**
   * What a run has found: which sites of the module are short, which long. From the next start on it is without the
   * guards of those that were short in several runs.
   */
  judged(key: string, short: readonly number[], long: readonly number[]): void {
    const kept = this.kept(key);
    if (kept?.key !== key || kept.plain) return;
    const content = kept.judged(short, long, this.clock() + leftFor);
    if (content !== undefined) this.write(key, bytesOf(content));
  }

  /** At the next start the module is analysed anew. */
  forget(key: string): void {
    if (this.kept(key)?.key === key) this.write(key, new Uint8Array(0));
  }

  private write(key: string, content: Uint8Array): void {
    const { folder } = this;
    if (folder === undefined) return;
    try {
      writeOwn(folder, placeIn(folder, key), [content]);
    } catch {
      // No cache, for instance on a read-only disk: the next start analyses again.
    }
  }
}
