// Functions declared twice, in blocks, and used before their declaration runs.
console.log(typeof inBlock, twice(3));
function twice(n) {
  let s = 0;
  for (let i = 0; i < n; i++) s += 1;
  return s;
}
function twice(n) {
  let s = 0;
  for (let i = 0; i < n; i++) s += 2;
  return s;
}
if (twice(1) === 2) {
  function inBlock(n) {
    let s = '';
    for (let i = 0; i < n; i++) s += 'b';
    return s;
  }
} else {
  function inBlock() {
    return 'else';
  }
}
for (let i = 0; i < 4; i++) {
  setImmediate(() => {
    console.log(twice(i), inBlock(i));
    {
      function local(n) {
        let s = '';
        for (let i = 0; i < n; i++) s += 'local';
        return s;
      }
      console.log(local(i));
    }
  });
}
