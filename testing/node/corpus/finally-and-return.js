// try, catch and finally inside regions: overriding returns, rethrows, nested handlers.
let trail = '';
function f(n) {
  for (let i = 0; i < 3; i++) {
    try {
      trail += 't';
      if (n === i) throw new Error('n' + n);
      if (n === i + 10) return 'early';
    } catch (e) {
      trail += 'c';
      if (n === 1) throw e;
      if (n === 2) return e.message;
    } finally {
      trail += 'f';
      if (n === 12) return 'finally wins';
      if (n === 13) continue;
    }
  }
  return 'end';
}
for (const n of [0, 1, 2, 5, 10, 11, 12, 13]) {
  setImmediate(() => {
    trail = '';
    let result;
    try {
      result = f(n);
    } catch (e) {
      result = 'threw ' + e.message;
    }
    console.log(n, result, trail);
  });
}
