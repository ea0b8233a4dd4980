// Frozen and sealed arguments: writing is silent in sloppy mode and an error in strict mode.
function sloppy(o) {
  for (let i = 0; i < 2; i++) o.n = i;
  return [o.n, Object.isFrozen(o), Object.isSealed(o), Object.isExtensible(o)].join();
}
function strict(o) {
  'use strict';
  for (let i = 0; i < 2; i++) o.n = i;
  return o.n;
}
function reads(list) {
  let s = 0;
  for (const x of list) s += x;
  return [s, Object.isFrozen(list)].join();
}
const objects = [{ n: 9 }, Object.freeze({ n: 9 }), Object.seal({ n: 9 }), Object.preventExtensions({}), Object.freeze([1, 2])];
for (const o of objects) {
  setImmediate(() => {
    console.log(sloppy(o));
    try {
      console.log(strict(o));
    } catch (e) {
      console.log(e.name, e.message);
    }
    console.log(reads(Object.freeze([1, 2])), reads([1, 2]));
  });
}
