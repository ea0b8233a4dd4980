// Events are looked at ahead while a constant of theirs has no value yet: looking must not run them.
let calls = 0;
function work(n) {
  calls++;
  let s = 0;
  for (let i = 0; i < n; i++) s += (i * TABLE[i % 3]) % 11;
  return s;
}
for (let n = 0; n < 5; n++) setImmediate(() => console.log(work(100 + n), calls));
console.log(calls);
const TABLE = [3, 4, 5];
setImmediate(() => {
  class Late {
    constructor(n) {
      calls++;
      this.n = n;
    }
  }
  const make = (n) => {
    let s = 0;
    for (let i = 0; i < n; i++) s += new Late(i).n;
    return s;
  };
  Reflect.set(Late, 'more', 1);
  for (let n = 0; n < 3; n++) setImmediate(() => console.log(make(n), calls));
});
