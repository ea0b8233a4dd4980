/**
 * What `heddle-node` has node load before the program. CommonJS, for with a module preloaded by `--import` node loads
 * the program itself in another way (as a promise job: ticks and microtasks change their order, stacks their frames).
 * Old syntax only, so that a node that is too old gets a sentence and then the program, not a syntax error.
 *
 * Removes every trace of itself: the program finds process.execArgv, require.cache and its environment as under plain
 * node, and so do processes that it forks, which are plain node's.
 */
/* eslint-disable no-var */
import type * as Paths from "node:path";
import type * as VirtualMachine from "node:vm";
import type * as PacksPart from "./loader/packs.js";
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
  // A copy: node is walking the list, and would pass over the next one if this one were taken out of it.
  var listed = Object.getOwnPropertyDescriptor(process, "_preload_modules");
  if (listed && listed.configurable && Array.isArray(listed.value)) {
    listed.value = (listed.value as string[]).filter(function (file) {
      return !isThis(file);
    });
    Object.defineProperty(process, "_preload_modules", listed);
  }
}

function forget(): void {
  // Under a policy modules have no cache.
  if (require.cache) delete require.cache[__filename];
  var found = (require("module") as { _pathCache?: { [asked: string]: string } })._pathCache || {};
  for (var asked in found) if (found[asked] === __filename) delete found[asked];
}

function supported(): boolean {
  var parts = process.versions.node.split(".");
  var major = Number(parts[0]);
  var minor = Number(parts[1]);
  return major >= 24 || (major === 22 && minor >= 13) || (major === 20 && minor >= 19);
}

/**
 * What of the host the texts of Heddle name. Its own realm has the language only. Other globals, such as `performance`
 * and `MessagePort`, node loads when somebody asks for them, which takes a millisecond each.
 */
var hosted = ["process", "Buffer", "URL", "URLSearchParams", "setImmediate", "setInterval", "clearInterval"].concat([
  "EventTarget",
  "Event",
]);

/**
 * Heddle's own realm (realm.ts). All of Heddle but this file runs there.
 */
function makeRealm(): VirtualMachine.Context {
  var vm = require("vm") as typeof VirtualMachine;
  var constants = vm.constants as unknown as { DONT_CONTEXTIFY: VirtualMachine.Context };
  var made = vm.createContext(constants.DONT_CONTEXTIFY, { name: "heddle" });
  hosted.forEach(function (name) {
    Object.defineProperty(made, name, { value: (globalThis as unknown as Record<string, unknown>)[name] });
  });
  return made;
}

/** Runs a text of Heddle's in the realm. `npm run build` puts the texts of the packs' reader here (pack.ts). */
function evaluate(text: string, realm: VirtualMachine.Context): typeof PacksPart {
  var vm = require("vm") as typeof VirtualMachine;
  var path = require("path") as typeof Paths;
  var file = path.join(__dirname, "loader", "packs.js");
  return new vm.Script(text, { filename: file }).runInContext(realm) as typeof PacksPart;
}

/** Loading node:worker_threads, which says it, takes as long as a fifth of all that happens here. */
function isMainThread(): boolean {
  var major = Number(process.versions.node.split(".")[0]);
  if (major >= 20 && major <= 24) return (process.chdir as { disabled?: boolean }).disabled !== true;
  return (require("worker_threads") as { isMainThread: boolean }).isMainThread;
}

/** Under the permission model: whether there may be no threads, or Heddle's own files may not be read. */
function mayNot(): boolean {
  var permission = (process as { permission?: { has(scope: string, file?: string): boolean } }).permission;
  return permission !== undefined && !(permission.has("worker") && permission.has("fs.read", __dirname));
}

hide();
if (process.env["HEDDLE"] !== "off" && isMainThread() && !mayNot()) {
  if (!supported()) {
    process.stderr.write(
      "heddle: this is node " +
        process.versions.node +
        "; from 20.19, 22.13 or 24 on, programs run in parallel. Going on without.\n",
    );
  } else {
    try {
      var realm = makeRealm();
      var packs = evaluate("loader/packs.js", realm).openPacks(__dirname, realm, process.env["HEDDLE_CACHE"]);
      (packs.find("start.js") as typeof Start).start(flags, packs);
    } catch (error) {
      process.stderr.write("heddle: could not start, the program goes on without: " + String(error) + "\n");
    }
  }
}
forget();
