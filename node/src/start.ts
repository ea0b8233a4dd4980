/** Brings Heddle up in the main thread, before the program. Loads as little as it can: most of it waits for a site. */
import "./arithmetic.js";
import { builtin } from "./builtin.js";
import { complain } from "./complain.js";
import { installHooks } from "./loader/hooks.js";
import { foreignFiles, foreignFolder, TransformCache } from "./loader/cache.js";
import { hideModules, keepCode, usePacks, type Packs } from "./loader/parts.js";
import { Later } from "./loader/later.js";
import { ModuleRecords } from "./loader/records.js";
import { readOptions, type Options } from "./options.js";
import { installEntry } from "./home/entry.js";
import { commandOf, PastRuns } from "./home/policy/past-runs.js";

const Module = builtin("node:module");
const { availableParallelism } = builtin("node:os");

/**
 * @param flags what heddle-node found on its command line, one `name=value` per line
 * @param packs where parts are; undefined: in files of their own
 */
export function start(flags: string | undefined, packs: Packs | undefined): void {
  usePacks(packs);
  const options = readOptions(flags, process.env, process.argv[1]);
  for (const complaint of options.complaints) process.stderr.write(`heddle: ${complaint}\n`);
  const { foreign } = packs ?? {};
  if (foreign !== undefined)
    complain(foreign.what === "folder" ? foreignFolder(foreign.folder) : foreignFiles(foreign.folder));
  const cache = new TransformCache(options.cache, process.env);
  const pastRuns = cache.usable ? pastRunsOf(cache.folder, options) : undefined;
  if (hasOneCore(options)) {
    // Plain node's: a worker would take its time from the program.
  } else if (pastRuns?.leaveAlone() === true) {
    if (process.env["HEDDLE_DEBUG"]) complain(`left alone: nothing was gained in ${pastRuns.idle} runs`);
  } else {
    const waits = options.ship === "auto" && !options.watched && cache.usable;
    const records = new ModuleRecords(cache, waits ? new Later(cache.folder) : undefined);
    installEntry(Module, records, options, pastRuns);
    installHooks(records);
  }
  keepCode("start");
  hideModules(new Set(Object.keys(require.cache).filter((file) => !file.startsWith(__dirname))));
}

/** Whether the program has one core to itself, and nobody wants to see or to choose what is done with it. */
function hasOneCore({ watched, workers }: Options): boolean {
  return !watched && workers === undefined && availableParallelism() === 1;
}

/** Undefined: this run is looked at, and does not count. */
function pastRunsOf(folder: string, options: Options): PastRuns | undefined {
  const command = options.watched ? undefined : commandOf(process);
  return command === undefined ? undefined : new PastRuns(folder, command);
}
