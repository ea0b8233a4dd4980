/**
 * Which parts of the language's library a region may use. All lists allow; what is on none is refused.
 *
 * The rule that makes calls inside a region safe: no function value that could have an effect outside of the region can
 * be obtained in it. Globals are allowed by path. Members of values are judged by name alone, for the text does not
 * tell what the value will be: a name is harmless if no prototype of the language or of Node's Buffer has it (then only
 * the program's own data has), or if all that have it are on the lists below.
 */

/** Functions that may be called by their global name or path. */
const pureFunctions = new Set([
  ...["parseInt", "parseFloat", "isNaN", "isFinite", "Number", "String", "Boolean", "BigInt", "Array"],
  ...["encodeURIComponent", "decodeURIComponent", "encodeURI", "decodeURI", "escape", "unescape"],
  ...Object.getOwnPropertyNames(Math)
    .filter((name) => name !== "random" && typeof Math[name as keyof Math] === "function")
    .map((name) => `Math.${name}`),
  ...["JSON.parse", "JSON.stringify", "Date.UTC", "ArrayBuffer.isView", "BigInt.asIntN", "BigInt.asUintN"],
  ...["isInteger", "isSafeInteger", "isFinite", "isNaN", "parseInt", "parseFloat"].map((name) => `Number.${name}`),
  ...["fromCharCode", "fromCodePoint", "raw"].map((name) => `String.${name}`),
  ...["isArray", "of", "from"].map((name) => `Array.${name}`),
  ...["keys", "values", "entries", "fromEntries", "is", "hasOwn", "groupBy"].map((name) => `Object.${name}`),
  ...["Map.groupBy"],
]);

const typedArrays = [
  ...["Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array", "Int32Array", "Uint32Array"],
  ...["Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array"],
];
for (const name of typedArrays) for (const method of ["from", "of"]) pureFunctions.add(`${name}.${method}`);

const pureConstructors = new Set([
  ...["Array", "Map", "Set", "WeakMap", "WeakSet", "ArrayBuffer", "DataView", ...typedArrays],
  ...["Error", "TypeError", "RangeError", "SyntaxError", "EvalError", "URIError"],
]);

/** Constants of the language; they cannot be changed by a program. */
const constants = new Set([
  ...["undefined", "NaN", "Infinity"],
  ...["E", "LN10", "LN2", "LOG10E", "LOG2E", "PI", "SQRT1_2", "SQRT2"].map((name) => `Math.${name}`),
  ...["MAX_SAFE_INTEGER", "MIN_SAFE_INTEGER", "MAX_VALUE", "MIN_VALUE", "EPSILON", "NaN"].map(
    (name) => `Number.${name}`,
  ),
  ...["POSITIVE_INFINITY", "NEGATIVE_INFINITY"].map((name) => `Number.${name}`),
  ...typedArrays.map((name) => `${name}.BYTES_PER_ELEMENT`),
  ...["Symbol.iterator", "Symbol.toPrimitive"],
]);

/** Methods that change the object they are called on, and nothing else. */
const mutating = new Set([
  ...["push", "pop", "shift", "unshift", "splice", "sort", "reverse", "fill", "copyWithin"],
  ...["set", "add", "delete", "clear", "exec", "test", "next", "return", "throw"],
  ...["setInt8", "setUint8", "setInt16", "setUint16", "setInt32", "setUint32", "setFloat32", "setFloat64"],
  ...["setBigInt64", "setBigUint64"],
]);

/** Those of them that change an array, a map or a set of plain data: never in regular expressions or iterators. */
const mutatingData = new Set(
  [...mutating].filter((name) => !["exec", "test", "next", "return", "throw"].includes(name)),
);

const reading = new Set([
  // String
  ...["at", "charAt", "charCodeAt", "codePointAt", "concat", "endsWith", "includes", "indexOf", "lastIndexOf", "match"],
  ...[
    "localeCompare",
    "matchAll",
    "normalize",
    "padEnd",
    "padStart",
    "repeat",
    "replace",
    "replaceAll",
    "search",
    "slice",
  ],
  ...["split", "startsWith", "substring", "substr", "toLowerCase", "toUpperCase", "toString", "trim", "trimStart"],
  ...["trimEnd", "trimLeft", "trimRight", "valueOf", "isWellFormed", "toWellFormed", "anchor", "big", "blink", "bold"],
  ...["fixed", "fontcolor", "fontsize", "italics", "link", "small", "strike", "sub", "sup"],
  // Array, typed arrays, iterators
  ...[
    "every",
    "filter",
    "find",
    "findIndex",
    "findLast",
    "findLastIndex",
    "flat",
    "flatMap",
    "forEach",
    "join",
    "keys",
  ],
  ...["values", "entries", "map", "reduce", "reduceRight", "some", "toReversed", "toSorted", "toSpliced", "with"],
  ...["subarray", "take", "drop", "toArray"],
  // Number, Object, Function
  ...["toFixed", "toExponential", "toPrecision", "hasOwnProperty", "propertyIsEnumerable", "isPrototypeOf"],
  ...["call", "apply", "bind"],
  // Map, Set
  ...["get", "has", "union", "intersection", "difference", "symmetricDifference", "isSubsetOf", "isSupersetOf"],
  ...["isDisjointFrom"],
  // DataView, Buffer
  ...["getInt8", "getUint8", "getInt16", "getUint16", "getInt32", "getUint32", "getFloat32", "getFloat64"],
  ...["getBigInt64", "getBigUint64", "equals", "compare"],
  ...Object.getOwnPropertyNames(Buffer.prototype).filter((name) => /^read(U?Int|Big|Float|Double)/.test(name)),
  // Getters and data properties
  ...[
    "length",
    "size",
    "byteLength",
    "byteOffset",
    "buffer",
    "name",
    "message",
    "cause",
    "lastIndex",
    "index",
    "input",
  ],
  ...["groups", "source", "flags", "global", "ignoreCase", "multiline", "sticky", "unicode", "dotAll", "hasIndices"],
  ...["unicodeSets", "description", "offset", "parent"],
]);

/** Names that lead out of a region wherever they are found. */
const leadingOut = new Set([
  ...["constructor", "prototype", "__proto__", "caller", "callee", "arguments", "stack"],
  ...["__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__"],
]);

function everyPrototype(): Map<string, object> {
  const named = new Map<string, object>();
  for (const name of [
    ...["Object", "Function", "Array", "String", "Number", "Boolean", "BigInt", "Symbol", "RegExp", "Map", "Set"],
    ...["WeakMap", "WeakSet", "WeakRef", "ArrayBuffer", "SharedArrayBuffer", "DataView", "Promise", "Date", "Buffer"],
    ...["Error", "AggregateError", "Iterator", "URL", "FinalizationRegistry"],
    ...[...typedArrays, ...pureConstructors],
  ]) {
    const constructor: unknown = (globalThis as Record<string, unknown>)[name];
    if (typeof constructor === "function") named.set(`${name}.prototype`, constructor.prototype as object);
  }
  const extend = (name: string, value: unknown): void => void named.set(name, Object.getPrototypeOf(value) as object);
  extend("%TypedArray%.prototype", Uint8Array.prototype);
  extend("%ArrayIteratorPrototype%", [][Symbol.iterator]());
  extend("%StringIteratorPrototype%", ""[Symbol.iterator]());
  extend("%MapIteratorPrototype%", new Map()[Symbol.iterator]());
  extend("%SetIteratorPrototype%", new Set()[Symbol.iterator]());
  extend("%RegExpStringIteratorPrototype%", "".matchAll(/x/g));
  extend("%IteratorPrototype%", named.get("%ArrayIteratorPrototype%"));
  extend("%GeneratorFunction%.prototype", function* () {});
  extend("%Generator%.prototype", function* () {}.prototype);
  extend("%AsyncFunction%.prototype", async () => {});
  return named;
}

const prototypes = everyPrototype();
const holdersOfName = new Map<string, string[]>();
for (const [path, prototype] of prototypes) {
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const holders = holdersOfName.get(name);
    if (holders) holders.push(path);
    else holdersOfName.set(name, [path]);
  }
}

/** Whether a member of this name may be, on some value, more than data or a harmless function. */
export function dangerousName(name: string): boolean {
  if (leadingOut.has(name)) return true;
  return holdersOfName.has(name) && !reading.has(name) && !mutating.has(name);
}

/** Whether the global function of this path may be called in a region. */
export const isPureFunction = (path: string): boolean => pureFunctions.has(path);
/**
 * V8 ends the process, or speaks of a wrong syntax, where the stack is too short to compile a regular expression, and
 * a worker's is shorter than home's. So regions have patterns that stand in the text, and are no longer than this.
 * What fails on such a stack, of 24 shapes of nests and rows with Node.js 20, 22 and 24, has more than 4,800
 * characters.
 */
const longestPattern = 1000;

export const isLargePattern = (pattern: string): boolean => pattern.length > longestPattern;

/** Methods that make a regular expression of a text that they are given (ECMA-262, 22.1.3). */
export const makesPattern: ReadonlySet<string> = new Set(["match", "matchAll", "search"]);

/** Whether `new` of this global is allowed; what it makes belongs to the region. */
export const isPureConstructor = (path: string): boolean => pureConstructors.has(path);
export const isConstant = (path: string): boolean => constants.has(path);
/** Whether a call of this name may change the array, map, set or typed array that it is called on. */
export const changesReceiver = (name: string): boolean => mutatingData.has(name);
/** Whether a call of this name leaves what it is called on as it is, whatever that is. */
export const leavesReceiver = (name: string): boolean => reading.has(name) && !mutating.has(name);

/** Methods that call their argument, often many times. */
const calling = new Set([
  ...["every", "filter", "find", "findIndex", "findLast", "findLastIndex", "flatMap", "forEach", "map", "reduce"],
  ...["reduceRight", "some", "sort", "toSorted"],
]);
export const callsItsArgument = (name: string): boolean => calling.has(name);
/** Whether a method of this name may be handed a function. */
export const takesFunctions = (name: string): boolean =>
  calling.has(name) || name === "replace" || name === "replaceAll";

/** The prototypes of the language that have a member of this name, as dotted paths; intrinsics without a global name
 * are left out, for they are always checked. */
export function builtinPaths(name: string): string[] {
  return (holdersOfName.get(name) ?? []).filter((path) => !path.startsWith("%")).map((path) => `${path}.${name}`);
}

const takesRegExp = /^(?:RegExp\.prototype\.|String\.prototype\.(?:match|matchAll|replace|replaceAll|search|split)$)/;
const ofRegExps = Reflect.ownKeys(RegExp.prototype)
  .filter((key) => key !== "constructor")
  .map((key) => `RegExp.prototype.${typeof key === "symbol" ? `[${key.description ?? ""}]` : key}`);
const ofIterations = ["String", "Map", "Set"].map((name) => `${name}.prototype.[Symbol.iterator]`);

/** The paths, with what these functions and the syntax of the language look up behind them. */
export function withImplied(paths: Iterable<string>): string[] {
  const all = new Set([...paths, ...ofIterations, "Array.[Symbol.species]"]);
  if ([...all].some((path) => takesRegExp.test(path)))
    for (const path of [...ofRegExps, "RegExp.[Symbol.species]"]) all.add(path);
  return [...all].sort();
}
