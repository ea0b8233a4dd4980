// async functions: errors through await, try/finally around await, concurrency of shared state.
let state = 0;
function work(n) {
  let s = state;
  for (let i = 0; i < 15; i++) s = (s * 3 + n * i) % 1009;
  state += 1;
  return s;
}
async function step(name, n) {
  try {
    const a = work(n);
    await new Promise((ok) => setImmediate(ok));
    if (n === 2) throw new Error(name + ' failed at ' + state);
    return [name, a, work(n)];
  } finally {
    console.log('finally', name, state);
  }
}
const arrow = async (n) => work(await n);
Promise.allSettled([step('a', 1), step('b', 2), step('c', 3), arrow(4)]).then((all) => {
  for (const one of all) console.log(one.status, one.value ?? one.reason.message);
});
