/** Brings Heddle up in the main thread, before the program. Loads as little as it can: most of it waits for a site. */
import "./arithmetic.js";
import { builtin, started } from "./builtin.js";
import { complain } from "./complain.js";
import { hideInsertions } from "./loader/function-text.js";
import { installHooks } from "./loader/hooks.js";
import { readAny, utf8 } from "./loader/own-files.js";
import { foreignFiles, foreignFolder, TransformCache } from "./loader/cache.js";
import type { Packs } from "./loader/packs.js";
import { keepCode, usePacks } from "./loader/parts.js";
import { Later } from "./loader/later.js";
import { ModuleRecords } from "./loader/records.js";
import { watchSchedulers } from "./loader/schedulers.js";
import { install as installStacks } from "./loader/stack-traces.js";
import { isFixed } from "./loader/stand-ins.js";
import { program } from "./realm.js";
import { readOptions, type Options } from "./options.js";
import { installEntry } from "./home/entry.js";
import { commandOf, PastRuns } from "./home/policy/past-runs.js";

const { availableParallelism } = builtin("node:os");
const { syncBuiltinESMExports } = builtin("node:module");

/** @param flags what heddle-node found on its command line, one `name=value` per line @param packs where parts are */
export function start(flags: string | undefined, packs: Packs): void {
  usePacks(packs);
  const options = readOptions(flags, process.env, process.argv[1]);
  for (const complaint of options.complaints) process.stderr.write(`heddle: ${complaint}\n`);
  const { foreign } = packs;
  if (foreign !== undefined)
    complain(foreign.what === "folder" ? foreignFolder(foreign.folder) : foreignFiles(foreign.folder));
  const cache = new TransformCache(options.cache, process.env);
  const pastRuns = cache.folder === undefined ? undefined : pastRunsOf(cache.folder, options);
  if (hasOneCore(options) || isHardened() || printsMore()) {
    // Plain node's: a worker would take its time from the program, or nothing can be put in the place of anything.
  } else if (pastRuns?.leaveAlone() === true) {
    if (process.env["HEDDLE_DEBUG"]) complain(`left alone: nothing was gained in ${pastRuns.idle} runs`);
  } else {
    const later = options.ship === "auto" && !options.watched ? cache.folder : undefined;
    const records = new ModuleRecords(
      cache,
      later === undefined ? undefined : new Later(later),
      options.pure,
      options.replicas,
    );
    const beginReplicas = installEntry(records, options, pastRuns);
    watchSchedulers();
    hideInsertions((text) => records.isOurs(text));
    installStacks();
    installHooks(records);
    syncBuiltinESMExports();
    beginReplicas();
  }
  keepCode("start");
}

/** Whether the program has one core to itself, and nobody wants to see or to choose what is done with it. */
function hasOneCore({ watched, workers }: Options): boolean {
  return !watched && workers === undefined && availableParallelism() === 1;
}

/**
 * Whether what was preloaded before has frozen intrinsics, or node compares the texts of modules with what a policy
 * says of them (--experimental-policy).
 */
function isHardened(): boolean {
  const policy = started.options.some((one) => one.startsWith("--experimental-policy"));
  return policy || isFixed(program.Function.prototype, "toString") || !Object.isExtensible(program.Object.prototype);
}

/** Whether an option says that Heddle stays away, as bin/heddle-node does; here for those who use heddle/register. */
function printsMore(): boolean {
  const given = started.options.filter((one) => one.startsWith("--")).map((one) => one.replaceAll("_", "-"));
  if (given.length === 0) return false;
  const lines = utf8(readAny(`${__dirname}/../bin/plain-options`)).matchAll(/^(plain|stays) ([^*\n]+)(\*?)$/gm);
  const kinds = [...lines].map(([, what, name = "", more]) => ({ what, name, more: more === "*" }));
  return given.some((one) => {
    const kind = kinds.find(({ name, more }) => (more ? one.startsWith(name) : one === name));
    return kind?.what === "plain";
  });
}

/** Undefined: this run is looked at, and does not count. */
function pastRunsOf(folder: string, options: Options): PastRuns | undefined {
  const command = options.watched ? undefined : commandOf(process);
  return command === undefined ? undefined : new PastRuns(folder, command);
}
