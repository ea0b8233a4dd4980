// AbortSignal.timeout, any, reasons, abort listeners, throwIfAborted inside loops.
function work(signal, n) {
  let s = 0;
  for (let i = 0; i < n; i++) {
    signal.throwIfAborted();
    s += i;
  }
  return s;
}
const a = new AbortController();
const any = AbortSignal.any([a.signal, AbortSignal.timeout(100000)]);
any.onabort = () => console.log('any', any.reason.message);
a.signal.addEventListener('abort', () => console.log('listener', a.signal.aborted));
for (let i = 0; i < 5; i++) {
  setImmediate(() => {
    try {
      console.log(i, work(any, i + 3));
    } catch (e) {
      console.log(i, e.message);
    }
    if (i === 2) a.abort(new Error('reason ' + i));
  });
}
setImmediate(() => {
  AbortSignal.timeout(20).addEventListener('abort', (e) => {
    console.log(e.target.reason.name);
    process.exit();
  });
});
setInterval(() => {}, 1000);
