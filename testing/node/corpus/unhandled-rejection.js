// A rejection nobody handles ends the process with code 1, after what ran before.
function work(n) {
  let s = 0;
  for (let i = 0; i < n; i++) s += i;
  return s;
}
process.on('exit', (code) => console.log('exit', code, work(5)));
setImmediate(() => {
  console.log('before', work(4));
  Promise.reject(new TypeError('nobody cares'));
  process.nextTick(() => console.log('tick'));
});
setImmediate(() => setImmediate(() => console.log('never')));
