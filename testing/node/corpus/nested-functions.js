// Pure functions inside functions, inside blocks, shadowing outer names.
function outer(n) {
  function helper(k) {
    let s = 0;
    for (let i = 0; i < k; i++) s += inner(i);
    return s;
  }
  const inner = (i) => i * n;
  if (n > 2) {
    const helper = (k) => 'shadow' + k;
    return helper(n);
  }
  return helper(n + 3);
}
function helper() {
  return 'never';
}
for (let n = 0; n < 5; n++) setImmediate(() => console.log(outer(n), helper()));
