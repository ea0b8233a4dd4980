/**
 * Node 20 runs the hooks of `import` in a thread of their own. This is what runs there. The main thread finds the sites
 * of what was instrumented here in the cache on disk, by the key that the text carries.
 */
import { contentOf, kindOf, type Loaded } from "./hooks.js";
import { pathOf } from "./file-urls.js";
import { TransformCache } from "./cache.js";
import { ModuleRecords } from "./records.js";

let records: ModuleRecords | undefined;

/** The main thread has looked at the same folder. */
const saidAlready = (): void => {};

export function initialize({ cache, pure }: { cache: string; pure: readonly string[] }): void {
  records = new ModuleRecords(new TransformCache(cache, process.env, saidAlready), undefined, pure);
}

type Next = (url: string, context: object) => Promise<Loaded>;

export async function load(url: string, context: object, next: Next): Promise<Loaded> {
  const loaded = await next(url, context);
  // CommonJS is node's own loader's business, in the main thread.
  if (records === undefined || !url.startsWith("file:") || loaded.format !== "module") return loaded;
  if (loaded.source === null || loaded.source === undefined) return loaded;
  const file = pathOf(url);
  const kind = file === undefined ? undefined : kindOf(loaded.format, file);
  if (file === undefined || kind === undefined) return loaded;
  const source = records.instrument(contentOf(loaded.source, loaded.format), file, kind);
  return source === undefined ? loaded : { ...loaded, source };
}
