/**
 * Opens what pack.ts has made: node's loader needs a quarter of a millisecond for every file, and V8 time to compile
 * it. Runs in Heddle's own realm, as all that it opens. What V8 has compiled is kept beside the instrumented modules.
 *
 * preload.cts needs this before any other part of Heddle, so `npm run build` puts its text, and that of own-files.ts,
 * into it (pack.ts).
 */
import { ForeignError, isForeign, keptFolder, latin1, readAny, readOwn, writeOwn } from "./own-files.js";

// The program may replace all of these.
const { getBuiltinModule } = process;
const { statSync } = getBuiltinModule("node:fs");
const { Script } = getBuiltinModule("node:vm");
const { runInContext, createCachedData } = Script.prototype;
const { compare } = getBuiltinModule("node:buffer").Buffer;
const { apply } = Reflect;

type PackName = "start" | "home" | "hot" | "replicas" | "transform";

type Body = (
  exports: object,
  require: (asked: string) => unknown,
  module: { exports: object },
  file: string,
  folder: string,
) => void;

interface Pack {
  /** Changes with the transform. */
  readonly transform: string;
  /** By path below dist/. */
  readonly bodies: Readonly<Record<string, Body>>;
}

/**
 * Modules of Heddle that lie together in few files. `start` has what every start needs, `home` what sites need, `hot`
 * what is needed once one is hot, or a report is wanted.
 */
export interface Packs {
  /** Changes with the text of the transform. */
  readonly transform: string;
  /** What the module exports, which runs if it has not. @param part a path below dist/, as packs name it */
  find(part: string): object;
  /** The folder of kept code, if it or a file in it is not this user's alone and was not used. */
  readonly foreign: { readonly folder: string; readonly what: "folder" | "file" } | undefined;
  /** Keeps what V8 has compiled of a pack for later starts. */
  keep(name: PackName): void;
}

const transforming = ["transform"] as const;
const computing = ["home", "hot", "replicas"] as const;

/** V8 runs what it is given, and node dies of what was damaged on disk: it is there twice. A sum takes longer. */
function undamaged(twice: Uint8Array): Uint8Array | undefined {
  const half = twice.subarray(0, twice.length >> 1);
  return compare(half, twice.subarray(half.length)) === 0 ? half : undefined;
}

function nameOf(text: string): string {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = (hash * 31 + text.charCodeAt(at)) | 0;
  return (hash >>> 0).toString(36);
}

/**
 * Throws if there are no packs of this build, as when only the compiler was run.
 * @param dist the folder of the build @param realm Heddle's own @param wanted where the user wants things to be kept
 */
export function openPacks(dist: string, realm: object, wanted?: string): Packs {
  const { env } = process;
  let folder = wanted || keptFolder(env);
  let foreign: Packs["foreign"];
  if (folder !== undefined && isForeign(folder)) {
    foreign = { folder, what: "folder" };
    folder = undefined;
  }
  // V8 takes only what was compiled under the same flags, and in stacks it then names the file that it was in.
  const flags = [process.version, process.arch, env["NODE_OPTIONS"], dist, ...process.execArgv].join();
  const bodies = new Map<string, Body>();
  const running = new Map<string, { exports: object }>();
  const opened = new Set<PackName>();
  const unkept = new Map<PackName, { script: InstanceType<typeof Script>; file: string }>();

  const open = (name: PackName): string => {
    opened.add(name);
    const file = `${dist}/packs/${name}.js`;
    const text = latin1(readAny(file));
    const kept = folder && `${folder}/code/${nameOf(text.slice(2, text.indexOf("\n")) + flags)}`;
    let cachedData: Uint8Array | undefined;
    try {
      if (kept !== undefined) cachedData = undamaged(readOwn(kept));
    } catch (error) {
      // else it is the first start of this build
      if (error instanceof ForeignError) foreign = { folder: folder as string, what: "file" };
    }
    const script = new Script(text, cachedData === undefined ? { filename: file } : { filename: file, cachedData });
    const pack = apply(runInContext, script, [realm]) as Pack;
    if (kept !== undefined && (cachedData === undefined || script.cachedDataRejected === true)) {
      unkept.set(name, { script, file: kept });
    }
    for (const part of Object.keys(pack.bodies)) bodies.set(part, pack.bodies[part] as Body);
    return pack.transform;
  };

  const find = (part: string): object => {
    const known = running.get(part);
    if (known !== undefined) return known.exports;
    for (const name of part.startsWith("transform/") ? transforming : computing) {
      if (!bodies.has(part) && !opened.has(name)) open(name);
    }
    const body = bodies.get(part);
    if (body === undefined) throw new Error(`no pack has ${part}`);
    const made = { exports: {} };
    running.set(part, made);
    const file = `${dist}/${part}`;
    try {
      apply(body, made.exports, [made.exports, required, made, file, file.slice(0, file.lastIndexOf("/"))]);
    } catch (error) {
      running.delete(part); // half of it is of no use to who asks next
      throw error;
    }
    return made.exports;
  };
  const required = (asked: string): unknown =>
    asked.startsWith("~/") ? find(asked.slice(2)) : getBuiltinModule(asked);

  if (statSync(`${dist}/packs/start.js`).mtimeMs < statSync(`${dist}/start.js`).mtimeMs) {
    throw new Error("packs of another build");
  }
  const transform = open("start");
  return {
    transform,
    get foreign() {
      return foreign;
    },
    find,
    keep: (name) => {
      const kept = unkept.get(name);
      unkept.delete(name);
      if (kept === undefined) return;
      try {
        const compiled = apply(createCachedData, kept.script, []) as Uint8Array;
        writeOwn(folder as string, kept.file, [compiled, compiled]);
      } catch {
        // a read-only disk, for instance: compiled anew at every start
      }
    },
  };
}
