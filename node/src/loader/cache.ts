/**
 * Instrumented modules on disk, so that a text is analysed once and not at every start.
 *
 * One file per text, named by the hash of everything that the result follows from: the text, its place, how it is read,
 * and the build of the transform. So nothing is ever out of date, and no two writers can disagree: they write the same
 * bytes, each to a name of its own first, then renamed. An empty file says "analysed, runs as it is".
 */
import { builtin } from "../builtin.js";
import type { SourceKind } from "../contract.js";
import type { ModuleRecord } from "./records.js";

const { createHash } = builtin("node:crypto");
const { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } = builtin("node:fs");
const { homedir, tmpdir } = builtin("node:os");
const { dirname, join } = builtin("node:path");
const { fileURLToPath } = builtin("node:url");

/** The program may replace them. */
const { parse, stringify } = JSON;

/** Changes with every build of the transform that may give other results. */
function buildId(): string {
  const folder = fileURLToPath(new URL("../transform", import.meta.url));
  const parts = [readFileSync(join(folder, "..", "..", "package.json"), "utf8")];
  try {
    for (const name of readdirSync(folder).sort()) {
      if (!name.endsWith(".js")) continue;
      const { size, mtimeMs } = statSync(join(folder, name));
      parts.push(`${name} ${size} ${mtimeMs}`);
    }
  } catch {
    // the transform was taken out of the package: nothing gets instrumented
  }
  return parts.join("\n");
}

export class TransformCache {
  readonly folder: string;
  private readonly prefix = `${buildId()}\n${process.versions.node.split(".")[0] ?? ""}\n`;

  constructor(folder: string | undefined, env: NodeJS.ProcessEnv) {
    this.folder = folder ?? join(env["XDG_CACHE_HOME"] || join(homedir() || tmpdir(), ".cache"), "heddle", "node");
  }

  key(text: string, file: string, kind: SourceKind): string {
    return createHash("sha256").update(`${this.prefix}${kind}\n${file}\n`).update(text).digest("hex").slice(0, 32);
  }

  /** Undefined: not known. Null: known to run as it is. */
  read(key: string): ModuleRecord | null | undefined {
    let content: string;
    try {
      content = readFileSync(this.path(key), "utf8");
    } catch {
      return undefined;
    }
    if (content === "") return null;
    try {
      const record = parse(content) as ModuleRecord;
      return record.key === key ? record : undefined;
    } catch {
      return undefined;
    }
  }

  write(record: ModuleRecord, asItIs: boolean): void {
    const path = this.path(record.key);
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const draft = `${path}.${process.pid}`;
      writeFileSync(draft, asItIs ? "" : stringify(record), { mode: 0o600 });
      renameSync(draft, path);
    } catch {
      // No cache, for instance on a read-only disk: the next start analyses again.
    }
  }

  private path(key: string): string {
    return join(this.folder, key.slice(0, 2), key.slice(2));
  }
}
