/**
 * What `heddle-node` has node load before the program. CommonJS, for with a module preloaded by `--import` node loads
 * the program itself in another way (as a promise job: ticks and microtasks change their order, stacks their frames).
 * Old syntax only, so that a node that is too old gets a sentence and then the program, not a syntax error.
 *
 * Removes every trace of itself: the program finds process.execArgv, require.cache and its environment as under plain
 * node, and so do processes that it forks, which are plain node's.
 */
/* eslint-disable no-var */
import type * as Start from "./start.js";

var flags = process.env["HEDDLE_FLAGS"];
delete process.env["HEDDLE_FLAGS"];

function isThis(file: string): boolean {
  return /[\\/]dist[\\/]preload\.cjs$/.test(file);
}

function hide(): void {
  for (var at = 1; at < process.execArgv.length; at++) {
    if (process.execArgv[at - 1] === "--require" && isThis(process.execArgv[at] as string)) {
      process.execArgv.splice(at - 1, 2);
      break;
    }
  }
  var preloaded = (process as unknown as { _preload_modules?: string[] })._preload_modules;
  if (preloaded) {
    for (at = preloaded.length - 1; at >= 0; at--) if (isThis(preloaded[at] as string)) preloaded.splice(at, 1);
  }
}

function forget(): void {
  delete require.cache[__filename];
}

function supported(): boolean {
  var parts = process.versions.node.split(".");
  var major = Number(parts[0]);
  var minor = Number(parts[1]);
  return major > 22 || (major === 22 && minor >= 13) || (major === 20 && minor >= 19);
}

hide();
if (process.env["HEDDLE"] !== "off" && (require("worker_threads") as { isMainThread: boolean }).isMainThread) {
  if (!supported()) {
    process.stderr.write(
      "heddle: this is node " +
        process.versions.node +
        "; from 20.19, 22.13 or 24 on, programs run in parallel. Going on without.\n",
    );
  } else {
    try {
      (require("./start.js") as typeof Start).start(flags);
    } catch (error) {
      process.stderr.write("heddle: could not start, the program goes on without: " + String(error) + "\n");
    }
  }
}
forget();
