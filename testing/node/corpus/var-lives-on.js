// A `var` in a loop keeps its value from one turn to the next, where its own value, or another case, reads it first.
function sums(batches, found) {
  for (const batch of batches) {
    found.push(batch);
    let sum = 0;
    for (let k = 0; k < 300_000; k++) {
      var total = ((total || 0) + k + batch) % 1000003;
      sum = (sum * 31 + total) % 1000003;
    }
    found.push(sum);
  }
  return found;
}
function ofTurns(n) {
  let text = '';
  for (let i = 0; i < n; i++) {
    if (i % 3 === 0) var seen = i;
    else text += seen;
    var a = b,
      b = i;
    text += a;
  }
  return text;
}
for (let k = 0; k < 6; k++) setImmediate(() => console.log(k, sums([k, k + 1, k + 2], []).join(), ofTurns(10 + k)));
