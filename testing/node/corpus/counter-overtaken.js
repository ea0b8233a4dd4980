// Another event sets, resets or deletes what the counter events add to.
let counter = 0;
globalThis.loose = 0;
function add(n) {
  let s = 0;
  for (let i = 1; i <= n; i++) s += i;
  counter += s;
  loose += s;
}
for (let i = 0; i < 10; i++) {
  setImmediate(() => {
    add(i);
    if (i === 3) counter = 'reset:';
    if (i === 5) counter = 0.5;
    if (i === 6) loose = { valueOf: () => 100, toString: () => 'no' };
    if (i === 8) Object.defineProperty(globalThis, 'loose', { get: () => -1, set: (v) => console.log('set', v) });
    console.log(i, counter, loose);
  });
}
