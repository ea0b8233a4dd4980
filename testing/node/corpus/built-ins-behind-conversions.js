// Conversions call methods that no text names.
function describe(n) {
  let s = 0;
  for (let i = 0; i < 400000; i++) s = (s * 31 + n + i) % 1000003;
  return `${s} ${new Error('e' + n)} ${/x+/} ` + new RangeError('r');
}
const shown = Error.prototype.toString;
for (let k = 0; k < 14; k++) {
  setImmediate(() => {
    console.log(k, describe(k));
    if (k === 5) Error.prototype.toString = function () { return '<' + shown.call(this) + '>'; };
    if (k === 9) Error.prototype.toString = shown;
    if (k === 10) RegExp.prototype.toString = function () { return 'a pattern'; };
  });
}
