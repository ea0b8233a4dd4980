// A site whose default parameter writes module state: previews call the site, and defaults run before its guard.
let next = 100;
function work(n, id = next++) {
  let s = id;
  for (let i = 0; i < 600000; i++) s = (s * 31 + n + i) % 1000003;
  return s + ':' + id;
}
let turn = 0;
function step() {
  console.log(turn, work(turn), next);
  if (++turn < 14) setImmediate(step);
}
for (let k = 0; k < 6; k++) setImmediate(() => console.log('k', k, work(k), next));
setImmediate(step);
process.on('exit', () => console.log('next is', next));
