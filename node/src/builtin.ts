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
