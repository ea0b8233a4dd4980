/**
 * Node 20 runs the hooks of `import` in a thread of their own. This is what runs there. The main thread finds the sites
 * of what was instrumented here in the cache on disk, by the key that the text carries.
 */
import { builtin } from "../builtin.js";
import { kindOf, type Loaded } from "./hooks.js";
import { TransformCache } from "./cache.js";
import { ModuleRecords } from "./records.js";

const { fileURLToPath } = builtin("node:url");

let records: ModuleRecords | undefined;

/** The main thread has looked at the same folder. */
const saidAlready = (): void => {};

export function initialize(data: { cache: string | undefined }): void {
  records = new ModuleRecords(new TransformCache(data.cache, process.env, saidAlready));
}

type Next = (url: string, context: object) => Promise<Loaded>;

export async function load(url: string, context: object, next: Next): Promise<Loaded> {
  const loaded = await next(url, context);
  // CommonJS is node's own loader's business, in the main thread.
  if (records === undefined || !url.startsWith("file:") || loaded.format !== "module") return loaded;
  if (loaded.source === null || loaded.source === undefined) return loaded;
  const file = fileURLToPath(url);
  const kind = kindOf(loaded.format, file);
  if (kind === undefined) return loaded;
  const { source } = loaded;
  const text = typeof source === "string" ? source : Buffer.from(source as ArrayBuffer).toString("utf8");
  return { ...loaded, source: records.instrument(text, file, kind) };
}
