// Timers of different lengths that are all overdue run by due time.
function burn(ms) {
  const end = performance.now() + ms;
  let n = 0;
  while (performance.now() < end) n++;
  return n > 0;
}
function work(k) {
  let s = 0;
  for (let i = 0; i < 30; i++) s = (s * 5 + k * i) % 1013;
  return s;
}
for (const ms of [1, 4, 8, 12, 16]) setTimeout(() => console.log('due', ms, work(ms)), ms);
burn(40);
console.log('late');
