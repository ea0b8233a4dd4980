// process.exit inside a loop of a region-like function, in a timer, with events pending.
function search(limit) {
  let s = 0;
  for (let i = 0; i < limit; i++) {
    s += i;
    if (s > 30) {
      console.log('enough', i, s);
      process.exit(3);
    }
  }
  return s;
}
process.on('exit', (code) => {
  console.log('exit', code, process.exitCode);
  setImmediate(() => console.log('never'));
});
setImmediate(() => console.log(search(4)));
setImmediate(() => console.log(search(5)));
setImmediate(() => console.log(search(50)));
setImmediate(() => console.log('never'));
