/**
 * Takes everything out of a worker's realm by which code could have an effect or learn something that is not the same
 * at home: regions were proven not to reach for it, this is the second lock. What stays is the language.
 */
import type { RegionGuards } from "../contract.js";
import { language } from "../shared/language.js";

class Blocked extends Error {
  override name = "Blocked";
}

export function lockDown(guards: RegionGuards): void {
  const blocked = (what: string) =>
    function () {
      guards.aborted = true;
      throw new Blocked(`${what} in a region`);
    };
  for (const name of Reflect.ownKeys(globalThis)) {
    if (typeof name === "string" && language.has(name)) continue;
    Reflect.deleteProperty(globalThis, name);
  }
  Math.random = blocked("Math.random") as unknown as () => number;
  const { UTC } = Date;
  const NoDate = blocked("Date") as unknown as DateConstructor;
  NoDate.UTC = UTC;
  globalThis.Date = NoDate;
  // What is compiled from text at run time could not have been judged.
  const NoFunction = blocked("Function");
  for (const sample of [() => {}, async () => {}, function* () {}, async function* () {}]) {
    Object.defineProperty(Object.getPrototypeOf(sample), "constructor", { value: NoFunction });
  }
  globalThis.Function = NoFunction as unknown as FunctionConstructor;
}
