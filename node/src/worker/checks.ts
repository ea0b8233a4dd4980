/**
 * What a worker makes sure of before it gives away a result. Each function is one check, and each is needed:
 * testing/node/test_node_effects.py has a region for each whose result must be kept back.
 */
import type { RegionGuards } from "../contract.js";
import type { Encoder } from "../shared/values.js";

/** Whether the region did what only home may judge, even if it caught the exception. */
export function wasAborted(guards: RegionGuards): boolean {
  return guards.aborted;
}

/** Whether the region changed its arguments or what it read. @param text what they were decoded from */
export function changedItsValues(encoder: Encoder, values: readonly unknown[], text: string): boolean {
  return encoder.encode(values) !== text;
}

/**
 * The text of the results; undefined if they are not plain data.
 * @param taken objects of the arguments and reads: a result that shares one of them has no text
 */
export function freshText(
  encoder: Encoder,
  results: readonly unknown[],
  taken: readonly object[] | undefined,
): string | undefined {
  return encoder.encode(results, taken ?? []);
}
