// Intrinsics are frozen before the program is loaded, as a hardened program does it.
for (const holder of [Object.prototype, Function.prototype, Array.prototype, String.prototype, Map.prototype, Error]) Object.freeze(holder);
require('./modules/steps.js');
