// A regular expression made by its constructor keeps a position between calls.
const WORD = new RegExp('[a-z]+', 'g');
function firstWords(text, n) {
  let s = 0;
  for (let i = 0; i < n; i++) {
    const found = WORD.exec(text);
    s = (s * 31 + (found ? found.index + found[0].length : 1)) % 1000003;
  }
  return s;
}
for (let k = 0; k < 14; k++) setImmediate(() => console.log(k, firstWords('one two three four', 60001 + k)));
process.on('exit', () => console.log(WORD.exec('aa bb cc dd')?.index));
