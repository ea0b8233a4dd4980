// Iterators of the program's own: return() is called on break, throw and destructuring.
const log = [];
function source(n) {
  let i = 0;
  return {
    [Symbol.iterator]() {
      return this;
    },
    next() {
      log.push(`next${i}`);
      return { value: i++, done: i > n };
    },
    return(v) {
      log.push('return');
      return { value: v, done: true };
    },
  };
}
function sum(iterable, stop) {
  let s = 0;
  for (const x of iterable) {
    if (x === stop) break;
    s += x;
  }
  return s;
}
for (let i = 0; i < 4; i++) {
  setImmediate(() => {
    console.log(sum(source(4), i), log.splice(0).join());
    const [a, b] = source(5);
    console.log(a, b, log.splice(0).join());
    try {
      for (const x of source(3)) if (x === 1) throw new Error('stop');
    } catch (e) {
      console.log(e.message, log.splice(0).join());
    }
  });
}
