/** Loads parts of Heddle when they are first needed, at once, and without leaving anything in the program's require.cache. */
import { builtin } from "../builtin.js";

const { createRequire } = builtin("node:module");

const require = createRequire(import.meta.url);

/** True while parts of Heddle are loaded: they, and the packages that they use, are not the program. */
export let loadingParts = false;

/** @param path relative to this file */
export function loadPart<T>(path: string): T {
  const before = new Set(Object.keys(require.cache));
  const outer = loadingParts;
  loadingParts = true;
  let part: T;
  try {
    part = require(path) as T;
  } finally {
    loadingParts = outer;
  }
  for (const file of Object.keys(require.cache)) if (!before.has(file)) delete require.cache[file];
  return part;
}
