// Throwing values that are no errors.
function thrower(n) {
  for (let i = 0; i < 7; i++) {
    if (i === n) throw [1, 'text', null, undefined, Symbol('s'), { toString: () => 'obj' }, 7n][i];
  }
}
for (let i = 0; i < 7; i++) {
  setImmediate(() => {
    try {
      thrower(i);
    } catch (e) {
      console.log(typeof e, e === null, typeof e === 'object' && e ? `${e}` : e);
    }
  });
}
setImmediate(() => setImmediate(() => thrower(1)));
