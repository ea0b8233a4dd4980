// Clock, randomness and process state differ from call to call, so nothing may be computed ahead.
let now = 1000;
const realNow = Date.now;
Date.now = () => now;
let seed = 7;
Math.random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
function stamp(n) {
  let t = 0;
  for (let i = 0; i < n; i++) t += Date.now();
  return t;
}
function dice(n) {
  let t = '';
  for (let i = 0; i < n; i++) t += Math.floor(Math.random() * 6);
  return t;
}
function env(n) {
  let t = '';
  for (let i = 0; i < n; i++) t += process.env.HEDDLE_CORPUS_VALUE;
  return t;
}
for (let i = 1; i < 6; i++) {
  setImmediate(() => {
    console.log(stamp(3), dice(5), env(2));
    now += i;
    process.env.HEDDLE_CORPUS_VALUE = i;
  });
}
setImmediate(() => console.log(realNow() > 0));
