// Intervals: cleared from inside, from another timer, arguments, and an interval that clears the next one.
function work(n) {
  let s = 0;
  for (let i = 0; i < 15; i++) s += (i * n) % 11;
  return s;
}
let n = 0;
const first = setInterval((word) => {
  n++;
  console.log(word, n, work(n));
  if (n === 4) {
    clearInterval(first);
    setTimeout(again, 5);
  }
}, 3, 'tick');
let m = 0;
function again() {
  m++;
  console.log('again', work(m));
  if (m < 3) setTimeout(again, 5);
  else {
    const never = setInterval(() => console.log('never'), 5);
    clearTimeout(never);
  }
}
