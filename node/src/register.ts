/**
 * `node --import heddle/register app.js`: the same as heddle-node for whom another tool starts node. With any --import
 * node itself loads the program as a promise job, which `heddle-node` avoids: a CommonJS program then runs its first
 * microtasks before its first ticks, as under `node --import ANYTHING app.js`.
 */
import "./preload.cjs";
