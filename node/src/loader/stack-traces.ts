/**
 * Stack traces show the text as it was written: insertions keep lines but move columns, and now and then add a frame.
 *
 * Node's own source maps would do for columns, but print other function names, so this takes node's text of a stack and
 * changes only what is ours in it. A program that asked for --enable-source-maps, or has an Error.prepareStackTrace of its
 * own, sees the columns of the instrumented text.
 */
import { builtin } from "../builtin.js";
import type { ModuleRecord } from "./records.js";

type SourceMap = InstanceType<(typeof import("node:module"))["SourceMap"]>;
type Prepare = (error: Error, trace: NodeJS.CallSite[]) => unknown;

const { pathToFileURL, fileURLToPath } = builtin("node:url");
const { parse } = JSON;

interface Mapped {
  readonly record: ModuleRecord;
  lines?: string[];
  map?: SourceMap;
}

/** Instrumented files, by path and by URL: stacks name modules by either. */
const files = new Map<string, Mapped>();
const ours = new URL("..", import.meta.url).href;
const oursAsPath = fileURLToPath(ours);

/** From now on, stacks through this module's text are shown as if it had not been instrumented. */
export function mapStacks(record: ModuleRecord): void {
  const mapped: Mapped = { record };
  files.set(record.file, mapped);
  files.set(pathToFileURL(record.file).href, mapped);
  install();
}

let installed = false;

export function install(): void {
  if (installed) return;
  installed = true;
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

function isKnown(file: string | null | undefined): file is string {
  return typeof file === "string" && (files.has(file) || file.startsWith(ours) || file.startsWith(oursAsPath));
}

/** A frame of Heddle's own, or of a call that was inserted. */
function isAdded(site: NodeJS.CallSite): boolean {
  const file = site.getFileName();
  if (!isKnown(file)) return false;
  const mapped = files.get(file);
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
  const mapped = files.get(site.getFileName() ?? "");
  const line = site.getLineNumber();
  const column = site.getColumnNumber();
  if (mapped === undefined || mapped.record.map === null || line === null || column === null) return text;
  if (!lineOf(mapped, line).includes("/*$h")) return text;
  mapped.map ??= new (builtin("node:module").SourceMap)(parse(mapped.record.map) as never);
  const entry = mapped.map.findEntry(line - 1, column - 1);
  if (!("originalColumn" in entry) || entry.originalLine !== line - 1) return text;
  const moved = entry.originalColumn + (column - 1 - entry.generatedColumn) + 1;
  return text.replace(`:${line}:${column}`, `:${line}:${moved}`);
}
