/**
 * What `heddle-node` has node load before the program. CommonJS, for with a module preloaded by `--import` node loads
 * the program itself in another way (as a promise job: ticks and microtasks change their order, stacks their frames).
 * Old syntax only, so that a node that is too old gets a sentence and then the program, not a syntax error.
 *
 * Removes every trace of itself: the program finds process.execArgv, require.cache and its environment as under plain
 * node, and so do processes that it forks, which are plain node's.
 */
/* eslint-disable no-var */
import type * as FileSystem from "node:fs";
import type * as Paths from "node:path";
import type * as VirtualMachine from "node:vm";
import type * as OwnFiles from "./loader/own-files.js";
import type { Packs } from "./loader/parts.js";
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
  delete require.cache[__filename];
}

function supported(): boolean {
  var parts = process.versions.node.split(".");
  var major = Number(parts[0]);
  var minor = Number(parts[1]);
  return major >= 24 || (major === 22 && minor >= 13) || (major === 20 && minor >= 19);
}

type Body = (
  exports: unknown,
  require: NodeJS.Require,
  module: NodeJS.Module,
  filename: string,
  folder: string,
) => void;

interface Pack {
  /** Changes with the transform. */
  readonly transform: string;
  /** By path below dist/. */
  readonly bodies: { readonly [path: string]: Body };
}

/**
 * Opens what pack.ts has made: node's loader needs a quarter of a millisecond for every file, and V8 time to compile
 * it. What V8 has compiled is kept beside the instrumented modules. Throws if there are no packs of this build, as when
 * only the compiler was run; then each part is loaded from its own file.
 */
function openPacks(): Packs {
  var fs = require("fs") as typeof FileSystem;
  var path = require("path") as typeof Paths;
  var vm = require("vm") as typeof VirtualMachine;
  var Module = module.constructor as new (file: string) => NodeJS.Module;
  var bodies: { [file: string]: Body } = {};
  var running = new Map<string, NodeJS.Module>();
  var unkept: { [name: string]: { script: VirtualMachine.Script; file: string } } = {};
  var opened: { [name: string]: boolean } = {};
  var transform = "";
  var own = require("./loader/own-files.js") as typeof OwnFiles;
  var env = process.env;
  var cache = env["XDG_CACHE_HOME"] || (env["HOME"] && path.join(env["HOME"], ".cache"));
  var folder = env["HEDDLE_CACHE"] || (cache && path.join(cache, "heddle", "node"));
  var foreign: Packs["foreign"];
  if (folder && own.isForeign(folder)) {
    foreign = { folder: folder, what: "folder" };
    folder = undefined;
  }

  function codeFile(id: string): string | undefined {
    // V8 takes only what was compiled under the same flags.
    var text = [id, process.arch, env["NODE_OPTIONS"]].concat(process.execArgv).join();
    var hash = 0;
    for (var at = 0; at < text.length; at++) hash = (hash * 31 + text.charCodeAt(at)) | 0;
    return folder && path.join(folder, "code", process.version + "-" + (hash >>> 0).toString(36));
  }

  /** V8 runs what it is given, and node dies of what was damaged on disk: it is there twice. A sum takes longer. */
  function undamaged(twice: Buffer): Buffer | undefined {
    var length = twice.length >> 1;
    return twice.compare(twice, length, twice.length, 0, length) === 0 ? twice.subarray(0, length) : undefined;
  }

  function open(name: string): void {
    opened[name] = true;
    var file = path.join(__dirname, "packs", name + ".js");
    var text = fs.readFileSync(file, "latin1");
    var code = codeFile(text.slice(2, text.indexOf("\n")));
    var cachedData: Buffer | undefined;
    try {
      if (code) cachedData = undamaged(own.readOwn(code));
    } catch (error) {
      // else it is the first start of this build
      if (folder && error instanceof own.ForeignError) foreign = { folder: folder, what: "file" };
    }
    var script = new vm.Script(text, cachedData ? { filename: file, cachedData: cachedData } : { filename: file });
    if (code && (!cachedData || script.cachedDataRejected)) unkept[name] = { script: script, file: code };
    var pack = script.runInThisContext() as Pack;
    transform = pack.transform;
    for (var part in pack.bodies) bodies[fileOf(part)] = pack.bodies[part] as Body;
  }

  /** @param part a path below dist/, as packs name it */
  function fileOf(part: string): string {
    return __dirname + path.sep + (path.sep === "/" ? part : part.split("/").join(path.sep));
  }

  function requireFrom(folder: string): NodeJS.Require {
    function found(asked: string): unknown {
      var inPack = asked.slice(0, 2) === "~/";
      if (!inPack && asked.charCodeAt(0) !== 46) return require(asked);
      var file = inPack ? fileOf(asked.slice(2)) : path.join(folder, asked);
      var known = find(file);
      return known ? known.exports : require(file);
    }
    found.cache = require.cache;
    return found as NodeJS.Require;
  }

  function find(file: string): NodeJS.Module | undefined {
    var known = running.get(file);
    if (known) return known;
    if (!bodies[file] && !opened["home"] && opened["start"]) open("home");
    var body = bodies[file];
    if (!body) return undefined;
    var made = new Module(file);
    running.set(file, made);
    made.filename = file;
    var folder = file.slice(0, file.lastIndexOf(path.sep));
    body.call(made.exports, made.exports, requireFrom(folder), made, file, folder);
    made.loaded = true;
    return made;
  }

  function keep(name: string): void {
    var kept = unkept[name];
    delete unkept[name];
    if (!kept) return;
    try {
      var compiled = kept.script.createCachedData();
      own.writeOwn(folder as string, kept.file, [compiled, compiled]);
    } catch (_) {
      // a read-only disk, for instance: compiled anew at every start
    }
  }

  if (
    fs.statSync(path.join(__dirname, "packs", "start.js")).mtimeMs <
    fs.statSync(path.join(__dirname, "start.js")).mtimeMs
  ) {
    throw new Error("packs of another build");
  }
  open("start");
  return { transform: transform, foreign: foreign, running: running, find: find, keep: keep };
}

function startModule(packs: Packs | undefined): typeof Start {
  var packed = packs && packs.find(require("path").join(__dirname, "start.js"));
  return (packed ? packed.exports : require("./start.js")) as typeof Start;
}

/** Loading node:worker_threads, which says it, takes as long as a fifth of all that happens here. */
function isMainThread(): boolean {
  var major = Number(process.versions.node.split(".")[0]);
  if (major >= 20 && major <= 24) return (process.chdir as { disabled?: boolean }).disabled !== true;
  return (require("worker_threads") as { isMainThread: boolean }).isMainThread;
}

hide();
if (process.env["HEDDLE"] !== "off" && isMainThread()) {
  if (!supported()) {
    process.stderr.write(
      "heddle: this is node " +
        process.versions.node +
        "; from 20.19, 22.13 or 24 on, programs run in parallel. Going on without.\n",
    );
  } else {
    var packs: Packs | undefined;
    try {
      packs = openPacks();
    } catch (_) {
      // without
    }
    try {
      startModule(packs).start(flags, packs);
    } catch (error) {
      process.stderr.write("heddle: could not start, the program goes on without: " + String(error) + "\n");
    }
  }
}
forget();
