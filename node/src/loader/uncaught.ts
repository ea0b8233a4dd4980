/**
 * The line that node shows of an error which nothing caught is the line as it was written.
 *
 * Node takes that line from the text that ran, in C++, after the program's last handler. It asks for another text only
 * where a source map says so: so each instrumented text names an empty one, which nobody reads while the program runs,
 * and when node has found that the error is fatal, source maps are turned on and `SourceMap` answers for our files.
 * Of the program nothing runs after that but getters of what it has thrown. Node 20 puts one more empty line behind
 * such a line.
 */
import { binding, builtin, started, types } from "../builtin.js";
import { program } from "../realm.js";
import { readAny, utf8 } from "./own-files.js";
import { standIn, standInForGetter } from "./stand-ins.js";

const Module = builtin("node:module");
const { fileURLToPath, pathToFileURL } = builtin("node:url");

/** A line as it was written, with the column in it, from 0. */
export interface Original {
  readonly line: string;
  readonly column: number;
  readonly isModule: boolean;
}

/** A map without places, as a comment. */
function mapOf(sources: string[]): string {
  const map = JSON.stringify({ version: 3, sources, names: [], mappings: "" });
  return `//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString("base64")}`;
}

/** What an instrumented text names as its map; read by an inspector, if by anybody. */
const emptyMap = mapOf([]);

/** What `withMap` puts behind a text, where the text of a module's function shows it. */
export const mapLine = `\n${emptyMap}`;

/** Whether node reads the maps of what it loads now: then an instrumented text must not name one. */
const { get: mapsAreOn } = Object.getOwnPropertyDescriptor(process, "sourceMapsEnabled") ?? {};
const readsMaps = (): boolean => coverage || mapsAreOn === undefined || Reflect.apply(mapsAreOn, process, []) === true;
const coverage = Boolean(process.env["NODE_V8_COVERAGE"]);

/** The text with the name of a map at its end, if it has none. */
export function withMap(text: string, hasOne = false): string {
  return hasOne || readsMaps() ? text : text + mapLine;
}

/** Files of ours with functions that call V8's for the program. */
const between = new Set<string>();

/** Of what V8's functions throw that are called from this file of ours, the line of the program is shown. */
export function showCallersLine(file: string): void {
  between.add(file);
}

interface Place {
  readonly label: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

/** The first place of a stack, from 0. */
function callerIn(stack: string): Place | undefined {
  const [, label, line, column] = /^ {4}at (?:.*\()?((?:file:\/\/)?\/.*):(\d+):(\d+)\)?$/m.exec(stack) ?? [];
  if (label === undefined) return undefined;
  const text = utf8(readAny(label.startsWith("file:") ? fileURLToPath(label) : label)).split(/\r?\n/)[Number(line) - 1];
  return text === undefined ? undefined : { label, line: Number(line) - 1, column: Number(column) - 1, text };
}

interface Compiles {
  _compile(text: string, file: string): unknown;
}

/**
 * @param files the paths of all instrumented modules, and URLs that say more
 * @param original what stood at a place of such a file, both from 0; undefined: the same as in the text that ran
 */
export function showOriginalLines(
  files: () => Iterable<string>,
  original: (file: string, line: number, column: number) => Original | undefined,
): void {
  if (coverage || started.options.some((flag) => flag.includes("--enable-source-maps"))) return;
  const compile = (Module.prototype as unknown as Compiles)._compile;
  const { setSourceMapsEnabled } = process;
  standIn(process, "_fatalException", {
    after(handled, _, args) {
      if (handled === true) return handled;
      try {
        const stack = stackOf(args[0]); // formatted as always, before maps are on
        standInForGetter(process, "sourceMapsEnabled", { after: () => false });
        Reflect.apply(setSourceMapsEnabled, process, [true]);
        for (const file of [...files(), ...between]) name(file, compile);
        answer(original, stack);
      } catch {
        // node shows the instrumented line
      }
      return handled;
    },
  });
}

/** Where errors have their stacks by a getter: V8's, which is the same for all errors of a realm. */
const { get: stackGetter } = Object.getOwnPropertyDescriptor(new program.Error(), "stack") ?? {};

/** Of an error of the language. Node itself will ask for that of anything, once: a getter or a proxy would notice. */
function stackOf(thrown: unknown): string {
  if (!types.isNativeError(thrown)) return "";
  const { get, value } = Object.getOwnPropertyDescriptor(thrown, "stack") ?? {};
  const stack: unknown = get !== undefined && get === stackGetter ? Reflect.apply(get, thrown, []) : value;
  return typeof stack === "string" ? stack : "";
}

/** Kept, for node remembers the map as long as the module. */
const named: object[] = [];

/** Node remembers that this file has a map. @param file its path, or its URL */
function name(file: string, compile: Compiles["_compile"]): void {
  const module = new Module(file);
  Reflect.apply(compile, module, [mapOf([file.startsWith("file:") ? file : pathToFileURL(file).href]), file]);
  named.push(module);
}

const { getStringWidth } = binding<{ getStringWidth(text: string, a: boolean, b: boolean): number }>("icu") ?? {};

/**
 * The column that makes node put its mark as far to the right as V8's column says: of a line with a map it counts how
 * wide characters are.
 */
function columnOfMark(line: string, column: number): number {
  if (getStringWidth === undefined || !/[^\x20-\x7e\t]/.test(line)) return column;
  let wide = 0;
  let at = 0;
  for (const character of line) {
    wide += character === "\t" ? 1 : getStringWidth(character, false, true);
    if (wide > column) break;
    at += character.length;
  }
  return at;
}

/** From now on, maps have the originals of our files and nothing else. */
function answer(original: (file: string, line: number, column: number) => Original | undefined, stack: string): void {
  const { SourceMap } = Module;
  const payload = Object.getOwnPropertyDescriptor(SourceMap.prototype, "payload")?.get as () => { sources: string[] };
  let found: { sources: unknown[]; sourcesContent: string[] } = { sources: [], sourcesContent: [] };
  SourceMap.prototype.findEntry = function (line: number, column: number) {
    const url = payload.call(this).sources[0] as string;
    const file = fileURLToPath(url);
    if (between.has(file)) {
      const caller = callerIn(stack);
      if (caller === undefined) return {} as never;
      found = { sources: [asItIs(caller.label)], sourcesContent: ["\n".repeat(caller.line) + caller.text] };
      return { originalLine: caller.line, originalColumn: caller.column, originalSource: found.sources[0] } as never;
    }
    const place = original(file, line, column);
    if (place !== undefined) {
      const label = stack.includes(url) || (place.isModule && !stack.includes(`${file}:`)) ? url : file;
      found = { sources: [asItIs(label)], sourcesContent: ["\n".repeat(line) + place.line] };
    }
    const originalColumn = place === undefined ? 0 : columnOfMark(place.line, place.column);
    return { originalLine: line, originalColumn, originalSource: found.sources[0] } as never;
  };
  Object.defineProperty(SourceMap.prototype, "payload", { get: () => found });
}

/** Node makes a path of a source that begins with `file:`, but shows modules by their URL elsewhere. */
function asItIs(label: string): unknown {
  let asked = 0;
  return { toString: () => (asked++ === 0 ? "" : label) };
}
