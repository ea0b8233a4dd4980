/**
 * Gives node the instrumented text of every JavaScript module that the program loads, whichever way it does.
 *
 * From 22.15 and 23.5 on node has hooks for that which run in this thread and leave no frame in any stack. Node 20 has
 * hooks in a thread of their own for `import`, and for `require` only what everybody uses there: `_compile` replaced.
 */
import { builtin } from "../builtin.js";
import type { SourceKind } from "../contract.js";
import type * as LegacyPart from "./legacy.js";
import { loadPart } from "./parts.js";
import type { ModuleRecords } from "./records.js";

const { fileURLToPath } = builtin("node:url");
const Module = builtin("node:module");

export interface Loaded {
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
export function kindOf(format: string | null | undefined, file: string): SourceKind | undefined {
  if (format === "module" || format === "module-typescript") return "module";
  if (format === "commonjs" || format === "commonjs-typescript") return "commonjs";
  // What `require` loads has no format yet where package.json does not say one: node tries CommonJS first.
  if ((format === undefined || format === null) && !/\.(json|node|wasm|[cm]?ts)$/.test(file)) return "commonjs";
  return undefined;
}

/** The text without its types, which leave blanks behind; what node says about that it says itself. */
function stripped(text: string): string | undefined {
  const { stripTypeScriptTypes } = Module as unknown as SynchronousHooks;
  if (stripTypeScriptTypes === undefined) return undefined;
  // eslint-disable-next-line @typescript-eslint/unbound-method
  const warn = process.emitWarning;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(text);
  } catch {
    return undefined; // enums and the like: node's to say
  } finally {
    process.emitWarning = warn;
  }
}

/** What compiles a CommonJS module. Tools put functions of their own in their places: coverage, tracing, compilers. */
interface Compilers {
  readonly prototype: { _compile?: unknown };
  readonly _extensions: Record<string, unknown>;
}

/**
 * Whether nobody but node sees what we give it. A tool that has put itself in between would see, count and cache our
 * text, so from then on modules are loaded as they are.
 */
export function onlyNodeLooks(): () => boolean {
  const { prototype, _extensions: endings } = Module as unknown as Compilers;
  const { _compile: compile } = prototype;
  const { ".js": plain, ".ts": typed } = endings;
  let hooked = false;
  for (const name of ["register", "registerHooks"]) {
    const table = Module as unknown as Record<string, unknown>;
    const original = table[name];
    if (typeof original !== "function") continue;
    const { [name]: replaced } = {
      [name](this: unknown, ...given: unknown[]): unknown {
        hooked = true;
        return Reflect.apply(original, this, given);
      },
    };
    Object.defineProperties(replaced, Object.getOwnPropertyDescriptors(original));
    table[name] = replaced;
  }
  Module.syncBuiltinESMExports();
  return () => !hooked && prototype._compile === compile && endings[".js"] === plain && endings[".ts"] === typed;
}

export function installHooks(records: ModuleRecords): void {
  const { registerHooks } = Module as unknown as SynchronousHooks;
  if (registerHooks === undefined) {
    const legacy = loadPart<typeof LegacyPart>("./legacy.js");
    let unseen = (): boolean => true;
    legacy.installLegacyHooks(records, () => unseen());
    legacy.installLegacyImport(records, process.argv[1]);
    unseen = onlyNodeLooks();
    return;
  }
  const unseen = onlyNodeLooks();
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!unseen() || !url.startsWith("file:") || loaded.source === null || loaded.source === undefined) return loaded;
      const file = fileURLToPath(url);
      const kind = kindOf(loaded.format, file);
      if (kind === undefined) return loaded;
      const text =
        typeof loaded.source === "string" ? loaded.source : Buffer.from(loaded.source as ArrayBuffer).toString("utf8");
      const typed = loaded.format?.endsWith("-typescript") === true;
      const plain = typed ? stripped(text) : text;
      if (plain === undefined) return loaded;
      const instrumented = records.instrument(plain, file, kind);
      if (typed && instrumented === plain) return loaded;
      return instrumented === text ? loaded : { ...loaded, source: instrumented };
    },
  });
}
