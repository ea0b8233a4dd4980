/**
 * Modules of node's. What is taken out of them when a part of Heddle is loaded stays as it is if the program replaces
 * it (fake clocks and file systems of test frameworks do), and nothing but what is asked for gets loaded.
 */
export const builtin: typeof process.getBuiltinModule = process.getBuiltinModule;
