// Loops left by break, return, a label or an error, in functions with effects.
function search(list, wanted) {
  process.stdout.write(`look for ${wanted}: `);
  for (let i = 0; i < list.length; i++) {
    if (list[i] === wanted) return i;
    if (list[i] === 'stop') break;
    if (list[i] === 'skip') continue;
    if (list[i] === 'error') throw new Error('hit');
  }
  return -1;
}
const list = ['a', 'skip', 'b', 'stop', 'c'];
for (const wanted of ['a', 'b', 'c', 'skip']) setImmediate(() => console.log(search(list, wanted)));
setImmediate(() => {
  try {
    search(['error'], 1);
  } catch (e) {
    console.log(e.message);
  }
});
outer: for (let i = 0; i < 3; i++) {
  for (let j = 0; j < 3; j++) {
    if (j === 2) continue outer;
    if (i === 2) break outer;
    console.log(i, j);
  }
}
