// The same code in several instances of its scope: what one instance read does not hold for another.
function make(k) {
  function region(n) {
    let s = 0;
    for (let i = 0; i < n; i++) s += k;
    return s;
  }
  return region;
}
const regions = [make(1), make(2), make('x'), make(1)];
for (let i = 0; i < 8; i++) setImmediate(() => console.log(regions[i % 4](3)));
console.log(regions[0] === regions[3]);
