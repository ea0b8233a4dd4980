/**
 * Gives node the instrumented text of every JavaScript module that the program loads, whichever way it does.
 *
 * From 22.15 and 23.5 on node has hooks for that which run in this thread and leave no frame in any stack. Node 20 has
 * hooks in a thread of their own for `import`, and for `require` only what everybody uses there: `_compile` replaced.
 */
import { builtin, started, types, viewOf } from "../builtin.js";
import type { SourceKind } from "../contract.js";
import type * as LegacyPart from "./legacy.js";
import { textOf, type Source } from "./cache.js";
import { pathOf } from "./file-urls.js";
import { loadPart } from "./parts.js";
import type { ModuleRecords } from "./records.js";
import { makers, objectThere } from "../realm.js";
import { standIn } from "./stand-ins.js";

const Module = builtin("node:module");
const { apply } = Reflect;
const { defineProperty, getOwnPropertyDescriptor, getOwnPropertySymbols } = Object;
const { isProxy, isUint8Array } = types;

export interface Loaded {
  format?: string | null | undefined;
  shortCircuit?: boolean;
  source?: string | ArrayBuffer | NodeJS.TypedArray | null | undefined;
}

interface SynchronousHooks {
  registerHooks?(hooks: object): void;
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

const { stripTypeScriptTypes } = Module as unknown as SynchronousHooks;
/** Then node writes the whole text anew, with all that was inserted, and without the comments that say what was. */
const transforms = started.options.some((one) => one.replaceAll("_", "-") === "--experimental-transform-types");

/** What node says of `stripTypeScriptTypes`, once: kept for the program's first call of it. */
let warning: ArrayLike<unknown> | undefined;

/** Before the program. */
function warnsAtFirstCall(): void {
  standIn(Module, "stripTypeScriptTypes", {
    before() {
      const words = warning;
      warning = undefined;
      if (words !== undefined) apply(process.emitWarning, process, words);
    },
  });
}

/** The text without its types, which leave blanks behind; what node says about that it says itself. */
function stripped(content: Source): string | undefined {
  const warns = getOwnPropertyDescriptor(process, "emitWarning");
  if (stripTypeScriptTypes === undefined || transforms || warns?.configurable !== true) return undefined;
  const kept = makers.method((_, words) => void (warning = words));
  Object.defineProperty(process, "emitWarning", { ...warns, value: kept });
  try {
    return stripTypeScriptTypes(textOf(content));
  } catch {
    return undefined; // enums and the like: node's to say
  } finally {
    Object.defineProperty(process, "emitWarning", warns);
  }
}

/**
 * Who sees the texts of modules, by the page on node:module: the functions that compile CommonJS, the text that is put
 * around it, and hooks.
 */
const seers: readonly (readonly [holder: object, names: readonly string[]])[] = [
  [Module.prototype, ["_compile"]],
  [(Module as unknown as { _extensions: object })._extensions, [".js", ".ts", ".cts", ".mts"]],
  [Module, ["wrap", "wrapper", "_extensions"]],
];

/**
 * What a property holds, if it holds something, or by which functions it does. The program's getters are not called.
 */
function held(holder: object, name: string): readonly unknown[] {
  const { value, get, set } = getOwnPropertyDescriptor(holder, name) ?? {};
  return [value, get, set];
}

/**
 * Whether nobody but node sees what we give it. A tool that has put itself in between would see, count and cache our
 * text, so from then on modules are loaded as they are.
 */
export function onlyNodeLooks(): () => boolean {
  const before = seers.flatMap(([holder, names]) => names.map((name) => ({ holder, name, was: held(holder, name) })));
  // Node gives these by getters, and tells by setters of its own that they were replaced.
  const { get: wrap } = getOwnPropertyDescriptor(Module, "wrap") ?? {};
  const { get: wrapper } = getOwnPropertyDescriptor(Module, "wrapper") ?? {};
  const around = (): unknown[] => {
    const pair = wrapper && (apply(wrapper, Module, []) as unknown[]);
    return [wrap && apply(wrap, Module, []), pair, pair?.[0], pair?.[1]];
  };
  const given = around();
  let hooked = false;
  for (const name of ["register", "registerHooks"]) {
    standIn(Module, name, { before: () => void (hooked = true) });
  }
  const same = (a: readonly unknown[], b: readonly unknown[]): boolean => a.every((one, at) => one === b[at]);
  return () =>
    !hooked && before.every(({ holder, name, was }) => same(held(holder, name), was)) && same(around(), given);
}

/**
 * Where there are hooks, node notes on each CommonJS module by which URL it has asked them, under a symbol that shows
 * when a module is printed. That is taken back, unless somebody else has hooks.
 */
function forgetsUrls(): (url: string, file: string | undefined) => void {
  const moduleAt = (file: string): object | undefined => {
    const { value: cache } = getOwnPropertyDescriptor(Module, "_cache") ?? {};
    const plain = (value: unknown): value is object => typeof value === "object" && value !== null && !isProxy(value);
    const found: unknown = plain(cache) ? getOwnPropertyDescriptor(cache, file)?.value : undefined;
    return plain(found) ? found : undefined;
  };
  const symbolOf = (module: object): symbol | undefined =>
    getOwnPropertySymbols(module).find((one) => one.description === "kURL");
  const { _cache: loaded } = Module as unknown as { _cache: object };
  let alone = Object.keys(loaded).every((file) => {
    const module = moduleAt(file);
    const symbol = module && symbolOf(module);
    return symbol === undefined || getOwnPropertyDescriptor(module as object, symbol)?.value === undefined;
  });
  standIn(Module, "registerHooks", { before: () => void (alone = false) });
  return (url, file) => {
    const module = alone && file !== undefined ? moduleAt(file) : undefined;
    const symbol = module && symbolOf(module);
    if (symbol === undefined) return;
    const noted = getOwnPropertyDescriptor(module as object, symbol) as PropertyDescriptor;
    if (noted.value === url) defineProperty(module as object, symbol, { ...noted, value: undefined });
  };
}

const byteOrderMark = [0xef, 0xbb, 0xbf];

/** What node makes a text of. Before a module it drops the mark that UTF-8 may begin with. */
export function contentOf(source: NonNullable<Loaded["source"]>, format: Loaded["format"]): Source {
  if (typeof source === "string") return source;
  const bytes = isUint8Array(source) ? viewOf(source) : new Uint8Array(source as ArrayBuffer);
  const isMarked = byteOrderMark.every((byte, at) => bytes[at] === byte);
  return isMarked && format?.startsWith("module") === true ? bytes.subarray(byteOrderMark.length) : bytes;
}

export function installHooks(records: ModuleRecords): void {
  const { registerHooks } = Module as unknown as SynchronousHooks;
  if (registerHooks === undefined) {
    const legacy = loadPart<typeof LegacyPart>("loader/legacy.js");
    let unseen = (): boolean => true;
    legacy.installLegacyHooks(records, () => unseen());
    legacy.installLegacyImport(records, started.program);
    unseen = onlyNodeLooks();
    return;
  }
  const unseen = onlyNodeLooks();
  const forget = forgetsUrls();
  warnsAtFirstCall();
  const load = makers.load((given, url) => {
    const loaded: Loaded = given;
    const { format, source } = loaded;
    const file = pathOf(url);
    forget(url, file);
    if (!unseen() || source === null || source === undefined) return loaded;
    const kind = file === undefined ? undefined : kindOf(format, file);
    if (file === undefined || kind === undefined) return loaded;
    const content = contentOf(source, format);
    const plain = format?.endsWith("-typescript") === true ? stripped(content) : content;
    const instrumented = plain === undefined ? undefined : records.instrument(plain, file, kind, url);
    return instrumented === undefined ? loaded : objectThere({ ...loaded, source: instrumented });
  });
  apply(registerHooks, Module, [{ load }]);
}
