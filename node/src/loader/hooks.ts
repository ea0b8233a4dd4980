/**
 * Gives node the instrumented text of every JavaScript module that the program loads, whichever way it does.
 *
 * From 22.15 and 23.5 on node has hooks for that which run in this thread and leave no frame in any stack. Node 20 has
 * hooks in a thread of their own for `import`, and for `require` only what everybody uses there: `_compile` replaced.
 */
import { builtin } from "../builtin.js";
import type { SourceKind } from "../contract.js";
import { installLegacyHooks } from "./legacy.js";
import type { ModuleRecords } from "./records.js";

const { fileURLToPath } = builtin("node:url");
const Module = builtin("node:module");

interface Loaded {
  format?: string | null | undefined;
  shortCircuit?: boolean;
  source?: string | ArrayBuffer | NodeJS.TypedArray | null | undefined;
}
type Load = (
  url: string,
  context: { format?: string | null },
  next: (url: string, context: object) => Loaded,
) => Loaded;

interface SynchronousHooks {
  registerHooks?(hooks: { load: Load }): void;
  stripTypeScriptTypes?(text: string): string;
}

/** How the text of a loaded file is to be read; undefined: not ours to touch. */
function kindOf(format: string | null | undefined, file: string): SourceKind | undefined {
  if (format === "module") return "module";
  if (format === "commonjs") return "commonjs";
  // What `require` loads has no format yet where package.json does not say one: node tries CommonJS first.
  if ((format === undefined || format === null) && !/\.(json|node|wasm|[cm]?ts)$/.test(file)) return "commonjs";
  return undefined;
}

export function installHooks(records: ModuleRecords): void {
  const { registerHooks } = Module as unknown as SynchronousHooks;
  if (registerHooks === undefined) {
    installLegacyHooks(records);
    return;
  }
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.startsWith("file:") || loaded.source === null || loaded.source === undefined) return loaded;
      const file = fileURLToPath(url);
      const kind = kindOf(loaded.format, file);
      if (kind === undefined) return loaded;
      const text =
        typeof loaded.source === "string" ? loaded.source : Buffer.from(loaded.source as ArrayBuffer).toString("utf8");
      const instrumented = records.instrument(text, file, kind);
      return instrumented === text ? loaded : { ...loaded, source: instrumented };
    },
  });
}
