// console.trace and console.error go to stderr with the program's own frames.
function work(n) {
  let s = 0;
  for (let i = 0; i < n; i++) s += i;
  if (s === 3) console.trace('here %d', s);
  console.assert(s < 4, 'too much', s);
  return s;
}
for (let i = 0; i < 5; i++) setImmediate(() => console.error('work', work(i)));
console.group('g');
console.log('indented');
console.table([{ a: 1, b: work(2) }]);
console.groupEnd();
console.count();
console.dir({ deep: { deep: { deep: { deep: 1 } } } }, { depth: 1 });
