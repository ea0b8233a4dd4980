/**
 * What home makes sure of before it takes a worker's result. Each function is one check, and each check is needed:
 * testing/node/mutations has programs that print something else than under node once the check is weakened.
 */
import type { Classes } from "../../shared/classes.js";

/** Gives the text of a call's arguments and of what it reads; undefined if one of the values has no text. */
type Encode = (args: readonly unknown[], reads: readonly unknown[]) => string | undefined;

/**
 * The job that was shipped with these very arguments and reads. Undefined: there is none. Null: these values have no
 * text, so there cannot be one.
 */
export function jobWith<Job>(
  jobs: ReadonlyMap<string, Job>,
  encode: Encode,
  args: readonly unknown[],
  reads: readonly unknown[],
): Job | undefined | null {
  const key = encode(args, reads);
  return key === undefined ? null : jobs.get(key);
}

/**
 * Whether built-ins are as workers have them.
 * @param primitives the region and all its values are such that prototypes make no difference
 * @param roots whether the prototypes that all data goes through are node's own
 * @param named whether what the region uses by name is node's own
 */
export function builtinsAgree(primitives: boolean, roots: () => boolean, named: () => boolean): boolean {
  return (primitives || roots()) && named();
}

/**
 * What a binding that is only added to holds after the region; undefined if somebody could tell this sum from adding
 * step by step.
 */
export function sumOf(before: unknown, amount: unknown): number | undefined {
  // An object is not added: it would be asked for its value here, and once more by the program.
  const whole = Number.isSafeInteger(before) && Number.isSafeInteger(amount) && !Object.is(before, -0);
  const sum = (): number => (before as number) + (amount as number);
  return whole && Number.isSafeInteger(sum()) ? sum() : undefined;
}

/** Throws unless the class of the program is as it was when it was made. */
export function classUnchanged(classes: Classes, value: unknown): void {
  classes.same(value);
}
