// undefined, null, booleans, -0, NaN, infinities and empty strings come back as themselves.
function odd(n) {
  for (let i = 0; i < 3; i++) {
    if (n === 0) return -0;
    if (n === 1) return NaN;
    if (n === 2) return undefined;
    if (n === 3) return null;
    if (n === 4) return -Infinity;
    if (n === 5) return '';
    if (n === 6) return false;
    if (n === 7) return 2 ** 53;
    if (n === 8) return 5e-324;
    if (n === 9) return 12345678901234567890n;
    if (n === 10) return '\u2028\ud83d';
  }
}
for (let n = 0; n < 12; n++) {
  setImmediate((k) => {
    const value = odd(k);
    console.log(k, typeof value, Object.is(value, -0), Object.is(value, NaN), value, JSON.stringify(String(value)));
  }, n);
}
