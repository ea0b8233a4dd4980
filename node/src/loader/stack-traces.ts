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
import { showOriginalLines } from "./uncaught.js";

type Prepare = (error: Error, trace: NodeJS.CallSite[]) => unknown;

const { join } = builtin("node:path");
const { fileURLToPath } = builtin("node:url");

interface Mapped {
  readonly record: ModuleRecord;
  /** Node calls it by its URL. */
  readonly isModule: boolean;
  lines?: string[];
}

/** A line as it was written, with the column in it, from 0. */
export interface Original {
  readonly line: string;
  readonly column: number;
  readonly isModule: boolean;
}

/** Instrumented files, by path. */
const files = new Map<string, Mapped>();
const ours = join(__dirname, "..");

/** From now on, stacks through this module's text are shown as if it had not been instrumented. */
export function mapStacks(record: ModuleRecord, isModule: boolean): void {
  files.set(record.file, { record, isModule });
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

/** The frames are the last lines of the text. */
function shown(text: string, trace: NodeJS.CallSite[]): string {
  if (!trace.some((site) => isKnown(site.getFileName()))) return text;
  const lines = text.split("\n");
  const first = lines.length - trace.length;
  const kept = lines.filter((_, at) => at < first || !isAdded(trace[at - first] as NodeJS.CallSite));
  let at = 0;
  return kept
    .map((line, index) => {
      if (index < first) return line;
      while (isAdded(trace[at] as NodeJS.CallSite)) at++;
      return moved(line, trace[at++] as NodeJS.CallSite);
    })
    .join("\n");
}

/** Stacks name modules by path or by URL. */
function mappedAt(file: string): Mapped | undefined {
  return files.get(pathOf(file));
}

function pathOf(file: string): string {
  try {
    return file.startsWith("file:") ? fileURLToPath(file) : file;
  } catch {
    return file; // no URL of node's
  }
}

function isKnown(file: string | null | undefined): file is string {
  return typeof file === "string" && (pathOf(file).startsWith(ours) || mappedAt(file) !== undefined);
}

/** A frame of Heddle's own, or of a call that was inserted. */
function isAdded(site: NodeJS.CallSite): boolean {
  const file = site.getFileName();
  if (!isKnown(file)) return false;
  const mapped = mappedAt(file);
  if (mapped === undefined) return true;
  const line = lineOf(mapped, site.getLineNumber() ?? 0);
  const column = (site.getColumnNumber() ?? 1) - 1;
  return line.lastIndexOf("/*$h", column) > line.lastIndexOf("/*h$*/", column);
}

function lineOf(mapped: Mapped, number: number): string {
  mapped.lines ??= mapped.record.text.split("\n");
  return mapped.lines[number - 1] ?? "";
}

function moved(text: string, site: NodeJS.CallSite): string {
  const mapped = mappedAt(site.getFileName() ?? "");
  const line = site.getLineNumber();
  const column = site.getColumnNumber();
  if (mapped === undefined || line === null || column === null) return text;
  return text.replace(`:${line}:${column}`, `:${line}:${originalColumn(lineOf(mapped, line), column)}`);
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
