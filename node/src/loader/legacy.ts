/**
 * Node 20: `require` by replacing Module.prototype._compile, `import` by hooks that node runs in a thread of their own.
 */
import { builtin, listOf } from "../builtin.js";
import type { ModuleRecords } from "./records.js";
import { standIn } from "./stand-ins.js";

const Module = builtin("node:module");

const { readFileSync } = builtin("node:fs");
const { dirname, join, resolve } = builtin("node:path");
const { pathToFileURL } = builtin("node:url");

/** @param unseen whether nobody has put himself between the text and node */
export function installLegacyHooks(records: ModuleRecords, unseen: () => boolean): void {
  standIn(Module.prototype, "_compile", {
    before(_, args) {
      const [content, file, format, ...rest] = listOf(args) as [string, string, string | undefined, ...unknown[]];
      if (typeof content !== "string" || typeof file !== "string" || !unseen()) return undefined;
      // What `require` finds to be no CommonJS comes here, too.
      const text = records.instrument(content, file, format === "module" ? "module" : "commonjs");
      return text === undefined ? undefined : [text, file, format, ...rest];
    },
  });
}

/**
 * The thread for `import` costs some 30 ms, so it is started only if the program itself is a module; modules that a
 * CommonJS program imports run as they are. What that thread finds out comes by the cache, or not at all.
 */
export function installLegacyImport(records: ModuleRecords, program: string | undefined): void {
  const { folder } = records;
  if (folder === undefined || program === undefined || !isModule(resolve(program))) return;
  Module.register(pathToFileURL(join(__dirname, "legacy-import.js")), { data: { cache: folder, pure: records.pure } });
}

function isModule(file: string): boolean {
  if (/\.mjs$/.test(file)) return true;
  if (/\.cjs$/.test(file)) return false;
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    try {
      return /"type"\s*:\s*"module"/.test(readFileSync(join(folder, "package.json"), "utf8"));
    } catch {
      if (dirname(folder) === folder) return false;
    }
  }
}
