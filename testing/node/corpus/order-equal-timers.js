// Timers due at the same time run in the order they were made, whatever each of them costs.
function burn(n) {
  let x = n;
  for (let i = 0; i < n * 500; i++) x = (x * 1103515245 + 12345) % 2147483648;
  return x;
}
for (let i = 0; i < 10; i++) {
  setTimeout((k) => {
    console.log('timer', k, burn((k * 7) % 10));
    if (k % 3 === 0) setTimeout(() => console.log('second', k, burn(k)), 5);
  }, 5, i);
}
