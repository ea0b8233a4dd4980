/**
 * Stack traces show the text as it was written: insertions keep lines but move columns, and now and then add a frame.
 *
 * Node's own source maps would do for columns, but print other function names, so this takes node's text of a stack and
 * changes only what is ours in it. The call sites of which that text is made cannot be corrected: V8 lets nobody change
 * their methods. So a program that has an Error.prepareStackTrace of its own, or asked for --enable-source-maps, sees
 * the columns of the instrumented text.
 */
import { floor, min } from "../arithmetic.js";
import { builtin, listOf, started, types } from "../builtin.js";
import { markers } from "../contract.js";
import { arrayThere, program } from "../realm.js";
import { textOf, type ModuleRecord, type Source } from "./cache.js";
import { pathOf } from "./file-urls.js";
import { scriptHash } from "./script-hash.js";
import { nativesOf, standIn } from "./stand-ins.js";
import { mapLine, showOriginalLines, type Original } from "./uncaught.js";

interface Mapped {
  /** One whose text has no insertions is a place that is as it was written. */
  readonly record: Pick<ModuleRecord, "file" | "text">;
  /** Node calls it by its URL. */
  readonly isModule: boolean;
  lines?: string[];
}

/** Instrumented files, by path, with the text that was loaded last. */
const files = new Map<string, Mapped>();
/** What ran before under the path of an instrumented file, the latest last: modules are loaded again, and changed. */
const earlier = new Map<string, Mapped[]>();
const mostEarlier = 50;
/** URLs of instrumented modules that say more than a path. */
const variants = new Set<string>();
/** Paths of modules that were loaded and have nothing inserted. */
const asWritten = new Set<string>();
const ours = __dirname.slice(0, __dirname.lastIndexOf("/") + 1);

/** From now on, stacks through this module's text are shown as if it had not been instrumented. */
export function mapStacks(record: ModuleRecord, isModule: boolean, url?: string): void {
  const { file, text } = record;
  if (url !== undefined && /[?#]/.test(url)) variants.add(url);
  const before = files.get(file);
  if (before !== undefined && before.record.text !== text) supersede(file, before);
  else if (asWritten.has(file)) supersede(file, undefined);
  files.set(file, { record, isModule });
  kinds.clear();
  corrected.clear();
}

/** The module with this text runs as it was written. */
export function mapNothing(file: string, source: Source): void {
  if (!files.has(file)) asWritten.add(file);
  else mapStacks({ file, text: textOf(source) } as ModuleRecord, false);
}

function supersede(file: string, before: Mapped | undefined): void {
  let all = earlier.get(file);
  if (all === undefined) earlier.set(file, (all = []));
  if (before !== undefined && all.push(before) > mostEarlier) all.shift();
}

/** Of a text: whether a script with this hash is it. */
const verdicts = new WeakMap<Mapped, Map<unknown, boolean>>();

/**
 * What may stand behind a text when it runs: the name of a map, and what node adds where it has stripped types, once
 * more if CommonJS is imported.
 */
function endingsOf(file: string, name: string): string[] {
  const urls = /ts$/.test(file) ? [name, file, `file://${encodeURI(file).replace(/[?#]/g, encodeURIComponent)}`] : [];
  const added = urls.map((one) => `\n\n//# sourceURL=${one}`);
  return ["", ...added, ...added.map((one) => one + one)].flatMap((one) => [mapLine + one, one]);
}

function isScript({ record: { file, text } }: Mapped, { file: name, hash }: CallSite): boolean {
  const of = hash();
  return endingsOf(file, name as string).some((ending) => scriptHash(text + ending) === of);
}

/** What every insertion begins with. */
const begins = "/*$h";

/** Whether something inserted stands before a place of the text, both from 1. */
function isMoved(mapped: Mapped, number: number, column: number): boolean {
  return lineOf(mapped, number).lastIndexOf(begins, column - 1) >= 0;
}

/**
 * The text that a frame is in. Other code may run under the name of a file: what is compiled by node:vm, by `_compile`,
 * or by `eval` with a `sourceURL`, and modules that are loaded again. V8 tells by a hash what a script is.
 * @param asked is called with the hash of the script, if that counts
 * @returns undefined if it is as it was written there
 */
function textOfFrame(latest: Mapped, site: CallSite, asked?: (hash: unknown) => void): Mapped | undefined {
  const { line, column } = site;
  if (line === null || column === null) return undefined;
  const all = [...(earlier.get(latest.record.file) ?? []), latest];
  if (!all.some((one) => isMoved(one, line, column))) return undefined;
  const of = site.hash();
  asked?.(of);
  return all.find((one) => {
    let known = verdicts.get(one);
    if (known === undefined) verdicts.set(one, (known = new Map()));
    let verdict = known.get(of);
    if (verdict === undefined) known.set(of, (verdict = isScript(one, site)));
    return verdict;
  });
}

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { apply, ownKeys } = Reflect;

/** Before the program. */
export function install(): void {
  showOriginalLines(() => [...files.keys(), ...variants], originalAt);
  standIn(program.Error, "prepareStackTrace", {
    after: (text, _, args) => (typeof text === "string" ? shown(text, args[1]) : text),
  });
  watchCallSites();
}

/** As many frames as node gives at most, by its page on util.getCallSites; and those that may be Heddle's. */
const frames = { most: 200, usual: 10, more: 16 } as const;

/** Node 22 takes a part of a frame, too, and gives none for it. */
const takesParts = Number.parseInt(started.version) < 24;

/** How many frames somebody asks for; undefined: node refuses that. */
function askedFor({ 0: count, 1: options }: ArrayLike<unknown>): number | undefined {
  if (count === undefined) return frames.usual;
  if (typeof count === "object" && count !== null && options === undefined) return frames.usual;
  if (typeof count !== "number" || !(count >= 1 && count <= frames.most)) return undefined;
  return takesParts || Number.isInteger(count) ? floor(count) : undefined;
}

/** util.getCallSites, where node has it, gives what V8 says without a call site. Node 22 has it by an old name, too. */
function watchCallSites(): void {
  const util = builtin("node:util") as unknown as Record<"getCallSite" | "getCallSites", { prototype: object }>;
  const { getCallSite: old, getCallSites: inherited } = util;
  for (const name of ["getCallSites", "getCallSite"] as const) {
    standIn(util, name, {
      before(_, args) {
        const asked = askedFor(args);
        if (asked === undefined) return undefined;
        return [min(frames.most, asked + frames.more), typeof args[0] === "object" ? args[0] : args[1]];
      },
      after: (given, _, args) => arrayThere(sitesOf(given as Site[]).slice(0, askedFor(args))),
    });
  }
  if (typeof old === "function" && getPrototypeOf(old) === inherited) {
    Object.setPrototypeOf(util.getCallSite, util.getCallSites);
    util.getCallSite.prototype = util.getCallSites.prototype;
  }
}

type Site = Record<string, unknown>;

/** Call sites of what called Heddle, by an error of Heddle's own realm, which the program cannot change. */
function sitesBelow(): (CallSite | undefined)[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = frames.most + 2 * frames.more;
    Error.prepareStackTrace = (_, trace) => trace;
    const trace: unknown = new Error().stack;
    if (!Array.isArray(trace)) return [];
    return trace.map(callSiteOf).filter((site) => kindOf(site?.file) !== "own");
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  }
}

/** Without Heddle's, and with the columns as they would be. */
function sitesOf(given: ArrayLike<Site>): Site[] {
  const kept: Site[] = [];
  let traced: readonly (CallSite | undefined)[] | undefined;
  let at = -1;
  for (const one of listOf(given)) {
    const kind = kindOf(one["scriptName"] as string);
    if (kind === "own") {
      if ((one["functionName"] as string).endsWith(stackBegins)) break;
      continue;
    }
    at++;
    const number = one["lineNumber"] as number;
    const column = (one["columnNumber"] ?? one["column"]) as number;
    if (kind !== undefined && isMoved(kind, number, column)) {
      // Of the script this one says no more than its name.
      traced ??= sitesBelow();
      const same = traced[at];
      const isSame = same?.file === one["scriptName"] && same?.line === number && same.column === column;
      const mapped = isSame ? textOfFrame(kind, same) : undefined;
      if (mapped !== undefined) {
        const line = lineOf(mapped, number);
        if (isInserted(line, column)) continue;
        for (const name of ["column", "columnNumber"]) {
          if (typeof one[name] === "number") one[name] = originalColumn(line, one[name]);
        }
      }
    }
    kept.push(one);
  }
  return kept;
}
/** Heddle's function below which, under node, there would be nothing. */
const stackBegins = "stackBegins";

interface Corrected {
  readonly frames: string;
  readonly count: number;
  /** Undefined: the frames as they are. */
  readonly shown: string | undefined;
  /** What that rests on: of frames, by their index, the hash of the script. */
  readonly scripts: readonly (readonly [at: number, hash: unknown])[];
}

/** What frames are shown as, by the length of their text: most programs ask for the same ones again and again. */
const corrected = new Map<number, Corrected[]>();
const mostAlike = 8;
const longestCorrected = 4000;

/** The text with frames as they would be without insertions. */
function shown(text: string, trace: unknown): string {
  if (!Array.isArray(trace) || types.isProxy(trace)) return text;
  const at = text.indexOf(frameBegins);
  const length = text.length - at;
  if (at < 0 || length > longestCorrected) return withoutInsertions(text, trace, []);
  let alike = corrected.get(length);
  if (alike === undefined) corrected.set(length, (alike = []));
  for (let nth = 0; nth < alike.length; nth++) {
    const { frames, count, shown, scripts } = alike[nth] as Corrected;
    // A message may end in lines that look like frames.
    if (count !== trace.length || frames !== text.slice(at)) continue;
    if (!scripts.every(([frame, hash]) => scriptOf(elementOf(trace, frame)) === hash)) continue;
    return shown === undefined ? text : text.slice(0, at) + shown;
  }
  const frames = text.slice(at).split(frameBegins).join(frameBegins); // does not keep the message, as a slice would
  const scripts: [number, unknown][] = [];
  const changed = withoutInsertions(frames, trace, scripts);
  if (alike.length >= mostAlike) alike.length = 0;
  alike[alike.length] = { frames, count: trace.length, shown: changed === frames ? undefined : changed, scripts };
  return changed === frames ? text : text.slice(0, at) + changed;
}

function elementOf(trace: readonly unknown[], at: number): unknown {
  return getOwnPropertyDescriptor(trace, at)?.value;
}

/** What is asked of a call site, by V8's own methods. */
interface CallSite {
  readonly file: string | null | undefined;
  readonly name: string | null;
  readonly line: number | null;
  readonly column: number | null;
  /** Of the script. */
  readonly hash: () => unknown;
}

const asked = ["getFileName", "getFunctionName", "getLineNumber", "getColumnNumber"] as const;
const methods = [...asked, "getScriptHash"] as const;
/** V8's methods by the prototype of call sites, one for each realm; undefined: a prototype of something else. */
const methodsOf = new WeakMap<object, Record<(typeof methods)[number], Function> | undefined>();

/** Undefined: it is none. A program may call Error.prepareStackTrace with objects of its own. */
function methodsOfSite(one: unknown): Record<(typeof methods)[number], Function> | undefined {
  if (typeof one !== "object" || one === null || types.isProxy(one) || ownKeys(one).length > 0) return undefined;
  const prototype = getPrototypeOf(one) as object | null;
  if (prototype === null || types.isProxy(prototype)) return undefined;
  if (!methodsOf.has(prototype)) methodsOf.set(prototype, nativesOf(prototype, methods));
  return methodsOf.get(prototype);
}

function callSiteOf(one: unknown): CallSite | undefined {
  const own = methodsOfSite(one);
  if (own === undefined) return undefined;
  try {
    const [file, name, line, column] = asked.map((method) => apply(own[method], one, []) as unknown);
    return { file, name, line, column, hash: () => scriptOf(one) } as CallSite;
  } catch {
    return undefined; // made with V8's prototype
  }
}

/** The hash of a call site's script. */
function scriptOf(one: unknown): unknown {
  try {
    return apply(methodsOfSite(one)?.getScriptHash as Function, one, []);
  } catch {
    return undefined; // of no call site
  }
}

/** The frames are the last lines of the text. @param scripts is filled: see `Corrected` */
function withoutInsertions(text: string, trace: readonly unknown[], scripts: [number, unknown][]): string {
  const sites: (CallSite | undefined)[] = [];
  for (let at = 0; at < trace.length; at++) sites.push(callSiteOf(elementOf(trace, at)));
  const known = sites.map((site, at) => {
    const kind = kindOf(site?.file);
    if (typeof kind !== "object" || site === undefined) return kind;
    return textOfFrame(kind, site, (hash) => scripts.push([at, hash]));
  });
  if (known.every((kind) => kind === undefined) && !text.includes(evalBegins)) return text;
  // Names of functions and files may have line ends in them.
  const lines = text.split(frameBegins);
  const first = lines.length - trace.length;
  if (first < 1) return text;
  const kept = lines.slice(0, first);
  for (let at = 0; at < trace.length; at++) {
    const kind = known[at];
    const site = sites[at];
    if (kind === "own" && site?.name?.endsWith(stackBegins)) break;
    const line = lines[first + at] as string;
    const frame =
      kind === undefined ? originMoved(line) : kind === "own" ? undefined : moved(line, site as CallSite, kind);
    if (frame !== undefined) kept.push(frame);
  }
  return kept.join(frameBegins);
}

const frameBegins = "\n    at ";

/** A file that was instrumented, one of Heddle's own, or neither. */
type Kind = Mapped | "own" | undefined;

/** By what stacks name files: paths or URLs. */
const kinds = new Map<string, Kind>();
const mostKinds = 2000;

function kindOf(file: string | null | undefined): Kind {
  if (typeof file !== "string") return undefined;
  let kind = kinds.get(file);
  if (kind !== undefined || kinds.has(file)) return kind;
  const path = pathOf(file) ?? file;
  kind = files.get(path) ?? (path.startsWith(ours) ? "own" : undefined);
  if (kinds.size >= mostKinds) kinds.clear();
  kinds.set(file, kind);
  return kind;
}

/** ECMA-262, 12.3; V8 counts all of them. */
const lineEnds = /\r\n|[\n\r\u2028\u2029]/;

function lineOf(mapped: Mapped, number: number): string {
  mapped.lines ??= mapped.record.text.split(lineEnds);
  return mapped.lines[number - 1] ?? "";
}

/** The frame as it would be without insertions; undefined: it is that of a call that was inserted. */
function moved(text: string, { line: number, column }: CallSite, mapped: Mapped): string | undefined {
  if (number === null || column === null) return text;
  const line = lineOf(mapped, number);
  if (isInserted(line, column)) return undefined;
  return text.replace(`:${number}:${column}`, `:${number}:${originalColumn(line, column)}`);
}

const evalBegins = "(eval at ";

/**
 * Of a frame in code that `eval` or `new Function` made, V8 tells where that was called, in the end by
 * `(FILE:LINE:COLUMN)`. Names of functions and files may have brackets, too.
 */
function originMoved(text: string): string {
  const from = text.indexOf(evalBegins);
  if (from < 0) return text;
  for (const place of text.matchAll(/:(\d+):(\d+)\)/g)) {
    const [whole, number, column] = place;
    for (let open = text.indexOf("(", from); open >= 0 && open < place.index; open = text.indexOf("(", open + 1)) {
      const mapped = kindOf(text.slice(open + 1, place.index));
      if (mapped === undefined || mapped === "own") continue;
      const original = originalColumn(lineOf(mapped, Number(number)), Number(column));
      return `${text.slice(0, place.index)}:${number}:${original})${text.slice(place.index + whole.length)}`;
    }
  }
  return text;
}

/** Whether what stands at this column, from 1, is no text of the program's. */
function isInserted(line: string, column: number): boolean {
  const before = line.lastIndexOf(begins, column - 1);
  return before >= 0 && before > line.lastIndexOf("/*h$*/", column - 1);
}

/** Insertions are whole within a line, so the column was the same but for their lengths. From 1. */
function originalColumn(line: string, column: number): number {
  let inserted = 0;
  for (const { 0: text, index } of line.matchAll(markers.insertion)) {
    if (index >= column - 1) break;
    inserted += min(text.length, column - 1 - index);
  }
  return column - inserted;
}

/** Undefined: nothing was inserted there. Line and column from 0. */
function originalAt(file: string, line: number, column: number): Original | undefined {
  const mapped = files.get(file);
  if (mapped === undefined || earlier.has(file)) return undefined; // node does not say which text it was
  const text = lineOf(mapped, line + 1);
  const original = text.replace(markers.insertion, "");
  const { isModule } = mapped;
  return original === text ? undefined : { line: original, column: originalColumn(text, column + 1) - 1, isModule };
}
