/**
 * Stack traces show the text as it was written: insertions keep lines but move columns, and now and then add a frame.
 *
 * Node's own source maps would do for columns, but print other function names, so this takes node's text of a stack and
 * changes only what is ours in it. A program that asked for --enable-source-maps, or has an Error.prepareStackTrace of
 * its own, sees the columns of the instrumented text.
 */
import { min } from "../arithmetic.js";
import { builtin } from "../builtin.js";
import { markers } from "../contract.js";
import type { ModuleRecord } from "./cache.js";
import { showOriginalLines, type Original } from "./uncaught.js";
import { OwnMap } from "../collections.js";

type Prepare = (error: Error, trace: NodeJS.CallSite[]) => unknown;

const { join } = builtin("node:path");
const { fileURLToPath } = builtin("node:url");

interface Mapped {
  readonly record: ModuleRecord;
  /** Node calls it by its URL. */
  readonly isModule: boolean;
  lines?: string[];
}

/** Instrumented files, by path. */
const files = new OwnMap<string, Mapped>();
const ours = join(__dirname, "..");

/** From now on, stacks through this module's text are shown as if it had not been instrumented. */
export function mapStacks(record: ModuleRecord, isModule: boolean): void {
  files.set(record.file, { record, isModule });
  kinds.clear();
  install();
}

let installed = false;

export function install(): void {
  if (installed) return;
  installed = true;
  showOriginalLines(() => files.keys(), originalAt);
  const holder = Error as unknown as { prepareStackTrace?: Prepare };
  const original = holder.prepareStackTrace;
  if (original === undefined) return;
  const { ErrorPrepareStackTrace } = {
    ErrorPrepareStackTrace(error: Error, trace: NodeJS.CallSite[]): unknown {
      const text = original(error, trace);
      try {
        return typeof text === "string" ? shown(text, trace) : text;
      } catch {
        return text;
      }
    },
  };
  Object.defineProperty(Error, "prepareStackTrace", {
    value: ErrorPrepareStackTrace,
    writable: true,
    enumerable: false,
    configurable: true,
  });
}

/** Heddle's function below which, under node, there would be nothing. */
const stackBegins = "stackBegins";

/** The frames are the last lines of the text. */
function shown(text: string, trace: NodeJS.CallSite[]): string {
  const known = trace.map((site) => kindOf(site.getFileName()));
  if (known.every((kind) => kind === undefined)) return text;
  const lines = text.split("\n");
  const first = lines.length - trace.length;
  if (first < 0) return text;
  const kept = lines.slice(0, first);
  for (let at = 0; at < trace.length; at++) {
    const kind = known[at];
    if (kind === "own" && (trace[at] as NodeJS.CallSite).getFunctionName()?.endsWith(stackBegins)) break;
    const line = lines[first + at] as string;
    const frame =
      kind === undefined ? line : kind === "own" ? undefined : moved(line, trace[at] as NodeJS.CallSite, kind);
    if (frame !== undefined) kept.push(frame);
  }
  return kept.join("\n");
}

/** A file that was instrumented, one of Heddle's own, or neither. */
type Kind = Mapped | "own" | undefined;

/** By what stacks name files: paths or URLs. */
const kinds = new OwnMap<string, Kind>();
const mostKinds = 2000;

function kindOf(file: string | null | undefined): Kind {
  if (typeof file !== "string") return undefined;
  let kind = kinds.get(file);
  if (kind !== undefined || kinds.has(file)) return kind;
  const path = pathOf(file);
  kind = files.get(path) ?? (path.startsWith(ours) ? "own" : undefined);
  if (kinds.size >= mostKinds) kinds.clear();
  kinds.set(file, kind);
  return kind;
}

function pathOf(file: string): string {
  try {
    return file.startsWith("file:") ? fileURLToPath(file) : file;
  } catch {
    return file; // no URL of node's
  }
}

function lineOf(mapped: Mapped, number: number): string {
  mapped.lines ??= mapped.record.text.split("\n");
  return mapped.lines[number - 1] ?? "";
}

/** The frame as it would be without insertions; undefined: it is that of a call that was inserted. */
function moved(text: string, site: NodeJS.CallSite, mapped: Mapped): string | undefined {
  const number = site.getLineNumber();
  const column = site.getColumnNumber();
  if (number === null || column === null) return text;
  const line = lineOf(mapped, number);
  const before = line.lastIndexOf("/*$h", column - 1);
  if (before < 0) return text;
  if (before > line.lastIndexOf("/*h$*/", column - 1)) return undefined;
  return text.replace(`:${number}:${column}`, `:${number}:${originalColumn(line, column)}`);
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
  if (mapped === undefined) return undefined;
  const text = lineOf(mapped, line + 1);
  const original = text.replace(markers.insertion, "");
  const { isModule } = mapped;
  return original === text ? undefined : { line: original, column: originalColumn(text, column + 1) - 1, isModule };
}
