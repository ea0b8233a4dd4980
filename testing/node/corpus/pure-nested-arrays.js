// Nested arrays as arguments and as a fresh result.
function multiply(a, b) {
  const out = [];
  for (let i = 0; i < a.length; i++) {
    const row = [];
    for (let j = 0; j < b[0].length; j++) {
      let sum = 0;
      for (let k = 0; k < b.length; k++) sum += a[i][k] * b[k][j];
      row.push(sum);
    }
    out.push(row);
  }
  return out;
}
let m = [[1, 1], [1, 0]];
let acc = [[1, 0], [0, 1]];
function event(i) {
  acc = multiply(acc, m);
  acc[0].push(i);
  console.log(JSON.stringify(acc), acc.length);
  acc[0].length = 2;
}
for (let i = 0; i < 15; i++) setImmediate(event, i);
