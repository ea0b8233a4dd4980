// Plain assignments to outer variables: their order is that of the events.
let last = 'none';
let best = -1;
let history = [];
function evaluate(n) {
  let score = 0;
  for (let i = 0; i < 20; i++) score = (score * 7 + n * i) % 101;
  last = n;
  if (score > best) best = score;
  return score;
}
for (let i = 0; i < 10; i++) {
  setImmediate(() => {
    history.push(evaluate(i));
    console.log(last, best, history.join());
  });
}
