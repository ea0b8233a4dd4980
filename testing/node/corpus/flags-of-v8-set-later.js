// The language of this thread is what it was; a thread that starts after V8's flags have changed may have more of it.
const v8 = require("node:v8");
for (const flag of ["--js-upsert", "--js-base-64", "--harmony-set-methods", "--harmony-iterator-helpers", "--js-sum-precise"]) v8.setFlagsFromString(flag);
function look(text) {
  const map = new Map();
  let n = 0;
  for (let i = 0; i < 20000; i++) { map.set(text + i, i); n += typeof map.getOrInsert === "function" ? 1000 : 1; }
  const bytes = new Uint8Array(2);
  return [n, typeof bytes.toHex, typeof bytes.toBase64, typeof map.getOrInsertComputed, typeof new Set().union].join();
}
for (let i = 0; i < 30; i++) setTimeout((k) => console.log(look(`a${k}`)), 1 + i, i);
