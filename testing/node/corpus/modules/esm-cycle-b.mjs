import { heavy } from './esm-cycle-a.mjs';
export const callA = (n) => heavy(n);
// Runs before the module that declares it: a hoisted function of a module that has not started.
export const early = heavy(5);
