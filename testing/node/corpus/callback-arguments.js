// Functions as arguments: never shipped, and their effects happen at the right time.
const log = [];
function each(list, visit) {
  let n = 0;
  for (const x of list) n += visit(x);
  return n;
}
function compose(...functions) {
  return (x) => functions.reduce((value, f) => f(value), x);
}
let calls = 0;
for (let i = 0; i < 5; i++) {
  setImmediate(() => {
    console.log(each([1, 2, 3], (x) => (log.push(x * i), ++calls)), log.splice(0), calls);
    console.log(compose((x) => x + i, (x) => x * 2, String)(i).length);
  });
}
