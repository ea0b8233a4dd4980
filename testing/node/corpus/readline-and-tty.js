// Terminal properties when there is none, and writes whose callbacks are ordered.
// @stdin x
console.log(process.stdin.isTTY, process.stdout.isTTY, process.stdout.columns, process.stdout.writableLength);
function bar(n) {
  let s = '';
  for (let i = 0; i < n; i++) s += i % 10;
  return s;
}
for (let i = 0; i < 3; i++) {
  setImmediate(() => {
    process.stdout.write(bar(i * 5) + '\n', () => console.log('written', i));
    process.stderr.write(bar(i) + '\n');
  });
}
