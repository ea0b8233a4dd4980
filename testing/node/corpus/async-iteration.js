// Async generators, for await, return() on break, errors from a source.
function work(n) {
  let s = 0;
  for (let i = 0; i < 9; i++) s += (n * i) % 5;
  return s;
}
async function* source(n) {
  try {
    for (let i = 0; i < n; i++) {
      await null;
      if (i === 4) throw new Error('dry');
      yield work(i);
    }
  } finally {
    console.log('closed', n);
  }
}
(async () => {
  for await (const x of source(3)) console.log(x);
  for await (const x of source(3)) if (x >= 0) break;
  try {
    for await (const x of source(9)) console.log('x', x);
  } catch (e) {
    console.log(e.message);
  }
  const g = source(2);
  console.log(await Promise.all([g.next(), g.next(), g.next(), g.return(5)]));
})();
