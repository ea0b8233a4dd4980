// Loops over undeclared globals and properties of globalThis (sloppy mode).
total = 0;
globalThis.step = 2;
function run(n) {
  for (index = 0; index < n; index++) total += index * step;
  return total;
}
for (let i = 0; i < 5; i++) {
  setImmediate(() => {
    console.log(run(i + 2), index, total, delete globalThis.index);
    if (i === 2) globalThis.step = 5;
  });
}
