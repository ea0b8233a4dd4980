// Constants of the module inside pure functions: primitives, and values that exist only at run time.
const LIMIT = 5;
const START = Date.now() > 0 ? 'yes' : 'no';
const STEP = Number(process.argv.length > 0);
const TABLE = [3, 1, 2];
function walk(n) {
  let text = START;
  for (let i = 0; i < LIMIT; i += STEP) text += (n * i) % 7;
  return text;
}
function lookUp(i) {
  let sum = 0;
  for (let k = 0; k <= i; k++) sum += TABLE[k % TABLE.length];
  return sum;
}
for (let i = 0; i < 5; i++) {
  setImmediate(() => {
    console.log(walk(i), lookUp(i));
    TABLE[0] += 10;
    if (i === 3) TABLE.push(100);
  });
}
