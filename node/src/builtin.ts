/**
 * Modules of node's, for the parts that are there at every start. An `import` of one reads all its exports, also those
 * that load half of node when they are read: importing node:crypto or node:http costs ten milliseconds more than this.
 */
export const builtin: typeof process.getBuiltinModule = process.getBuiltinModule;
