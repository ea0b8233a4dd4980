// A binding that is assigned again is a different function from then on.
function work(n) {
  let s = 0;
  for (let i = 0; i < n; i++) s += i;
  return s;
}
let other = function (n) {
  let s = 1;
  for (let i = 1; i <= n; i++) s *= i;
  return s;
};
const table = { run: work };
function event(i) {
  console.log(i, work(i), other(i), table.run(i));
  if (i === 2) work = (n) => `new ${n}`;
  if (i === 3) other = work;
  if (i === 4) table.run = (n) => -n;
}
for (let i = 0; i < 7; i++) setImmediate(event, i);
