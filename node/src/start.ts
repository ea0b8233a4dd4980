/** Brings Heddle up in the main thread, before the program. Loads as little as it can: most of it waits for a site. */
import "./arithmetic.js";
import { builtin } from "./builtin.js";
import { installHooks } from "./loader/hooks.js";
import { TransformCache } from "./loader/cache.js";
import { hideModules, keepCode, usePacks, type Packs } from "./loader/parts.js";
import { ModuleRecords } from "./loader/records.js";
import { readOptions } from "./options.js";
import { installEntry } from "./home/entry.js";

const Module = builtin("node:module");

/**
 * @param flags what heddle-node found on its command line, one `name=value` per line
 * @param packs where parts are; undefined: in files of their own
 */
export function start(flags: string | undefined, packs: Packs | undefined): void {
  usePacks(packs);
  const options = readOptions(flags, process.env, process.argv[1]);
  for (const complaint of options.complaints) process.stderr.write(`heddle: ${complaint}\n`);
  const records = new ModuleRecords(new TransformCache(options.cache, process.env));
  installEntry(Module, records, options);
  installHooks(records);
  keepCode("start");
  hideModules(new Set(Object.keys(require.cache).filter((file) => !file.startsWith(__dirname))));
}
