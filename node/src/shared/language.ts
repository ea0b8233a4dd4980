/** The global names of the language itself; all others are Node's. */
export const language: ReadonlySet<string> = new Set([
  ...["globalThis", "undefined", "NaN", "Infinity", "parseInt", "parseFloat", "isNaN", "isFinite"],
  ...["encodeURIComponent", "decodeURIComponent", "encodeURI", "decodeURI", "escape", "unescape"],
  ...["Object", "Function", "Array", "Number", "Boolean", "String", "Symbol", "BigInt", "Math", "JSON", "Reflect"],
  ...["Date", "RegExp", "Promise", "Proxy", "Map", "Set", "WeakMap", "WeakSet", "WeakRef", "Iterator", "Intl"],
  ...["Error", "AggregateError", "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError", "URIError"],
  ...["ArrayBuffer", "DataView", "Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array"],
  ...["Int32Array", "Uint32Array", "Float16Array", "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array"],
]);
