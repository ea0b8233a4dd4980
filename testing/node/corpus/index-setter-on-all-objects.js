// A setter for "0" on Object.prototype sees whoever appends to an array that begins empty.
function work(n) { let s = n; for (let i = 0; i < 400000; i++) s = (s * 31 + i) % 1000003; return s; }
let seen = 0;
const write = process.stdout.write.bind(process.stdout);
let text = '';
for (let k = 0; k < 6; k++) setImmediate(() => { text += `${k} ${work(k)}\n`; });
setImmediate(() => {
  Object.defineProperty(Object.prototype, '0', { set() { seen++; }, get() { return undefined; }, configurable: true });
  for (let k = 0; k < 10; k++) text += work(k) + '\n';
  const counted = seen;
  delete Object.prototype['0'];
  write(text + counted + '\n');
});
