/** Functions of Math as they were when node started: programs replace them. Loaded before the program, by start.ts. */
export const { abs, cbrt, ceil, floor, log2, max, min, round, sqrt } = Math;
