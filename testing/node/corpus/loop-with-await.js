// Loops that wait: other events run between iterations.
let shared = 0;
async function slow(name, n) {
  let s = 0;
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < 30; k++) s = (s * 3 + k + shared) % 1000;
    await null;
    shared++;
    console.log(name, i, s, shared);
  }
  for await (const x of [Promise.resolve(1), 2]) s += x;
  return s;
}
Promise.all([slow('a', 3), slow('b', 4), slow('c', 0)]).then((all) => console.log(all, shared));
