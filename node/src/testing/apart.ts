/**
 * For tests: parts of Heddle in a realm of their own, as preload.cts starts them; the test's realm is the program's.
 */
import { dirname, join } from "node:path";
import vm from "node:vm";
import { openPacks } from "../loader/packs.js";

const dist = dirname(__dirname);
const { process, Buffer, URL, URLSearchParams, setImmediate, setInterval, clearInterval } = globalThis;
const { Event, EventTarget } = globalThis;
const timers = { setImmediate, setInterval, clearInterval };
const hosted = { process, Buffer, URL, URLSearchParams, Event, EventTarget, ...timers };
const packs = openPacks(dist, vm.createContext(hosted, { name: join(dist, "testing") }));

/** @param part a path below dist/ */
export function apart<T>(part: string): T {
  return packs.find(part) as T;
}
