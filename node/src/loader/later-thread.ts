/** The thread of later.ts: analyses texts, and leaves what it finds in the cache. */
import { workerData } from "node:worker_threads";
import { transform } from "../transform/transform.js";
import { TransformCache } from "./cache.js";
import type { LaterStart } from "./later.js";
import { usePacks } from "./parts.js";

const { folder, transform: id, texts } = workerData as LaterStart;
// The home side names modules by the transform in its pack.
if (id !== undefined)
  usePacks({ transform: id, foreign: undefined, find: (part) => require(`../${part}`) as object, keep: () => {} });
const cache = new TransformCache(folder, {}, () => {});
for (const { text, file, kind, asserts, keepColumns } of texts) {
  try {
    if (cache.find(text, file, kind, asserts) !== undefined) continue;
    const key = cache.key(text, file, kind, asserts);
    cache.keep(key, file, text, transform(text, { key, kind, file, keepColumns }));
  } catch {
    // a text that cannot be analysed: whoever asks for a report hears of it
  }
}
