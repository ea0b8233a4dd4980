// Objects that convert themselves: valueOf, toString and toPrimitive are called as often as the program would.
let calls = 0;
const money = { valueOf: () => ++calls, toString: () => 'money' };
function add(a, n) {
  let s = 0;
  for (let i = 0; i < n; i++) s += a * 1;
  return s;
}
function compare(a, b) {
  let s = '';
  for (let i = 0; i < 2; i++) s += (a < b) + ',' + (a == b) + ',' + `${a}`;
  return s;
}
for (let i = 0; i < 4; i++) setImmediate(() => console.log(add(money, 2), compare(money, i), calls, add('3', 2), add([4], 2), add(new Date(5), 1)));
