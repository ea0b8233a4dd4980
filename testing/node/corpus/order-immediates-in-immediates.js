// Immediates made by immediates belong to the next round.
function work(n) {
  let s = n;
  for (let i = 1; i < 25; i++) s = (s * i + 7) % 509;
  return s;
}
function spawn(depth, name) {
  console.log(depth, name, work(depth * 10 + name.length));
  if (depth === 0) return;
  setImmediate(spawn, depth - 1, name + 'l');
  setImmediate(spawn, depth - 1, name + 'r');
}
spawn(3, '');
