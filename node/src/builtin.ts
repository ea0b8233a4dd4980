/**
 * Gives the modules of node that Heddle uses; each is loaded when it is first asked for. A part of Heddle takes the
 * functions that it needs when it is loaded itself, so it keeps node's own where the program replaces them later, as
 * test frameworks do with clocks and files.
 */
export const builtin: typeof process.getBuiltinModule = process.getBuiltinModule;

/**
 * Heddle's own timers. They are taken before home/look-ahead/upcoming.ts replaces those that the program finds: what
 * Heddle schedules is no event of the program.
 */
export const ownTimers = { setImmediate, setInterval };

/**
 * Gives one of node's bindings to C++ that programs, too, can ask for; undefined where node gives none, or would say
 * something about it. Taken before the program runs, as all that is here.
 */
export function binding<Binding>(name: string): Binding | undefined {
  const warns = [...process.execArgv, process.env["NODE_OPTIONS"] ?? ""].some((word) => word.includes("pending-dep"));
  if (warns || process.env["NODE_PENDING_DEPRECATION"] === "1" || given === undefined) return undefined;
  try {
    return given(name) as Binding;
  } catch {
    return undefined;
  }
}

const { binding: given } = process as unknown as { binding?: (name: string) => unknown };
