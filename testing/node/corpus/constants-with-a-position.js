// A regular expression made by its constructor keeps a position; the memory of a buffer is changed through a view.
const WORD = new RegExp('[a-z]+', 'g');
const MEMORY = new ArrayBuffer(64);
const cells = new Uint8Array(MEMORY);
function words(text, n) {
  let s = 0;
  for (let i = 0; i < n; i++) {
    const found = WORD.exec(text);
    s = (s * 31 + (found ? found.index + found[0].length : 1)) % 1000003;
  }
  return s;
}
function checksum(n) {
  const bytes = new Uint8Array(MEMORY);
  let s = 0;
  for (let i = 0; i < 300_000; i++) s = (s * 31 + bytes[i & 63] + n) % 1000003;
  return s;
}
for (let k = 0; k < 14; k++) {
  setImmediate(() => {
    console.log(k, words('one two three four', 60_001 + k), checksum(k % 3));
    cells[k] = k + 1;
  });
}
process.on('exit', () => console.log(WORD.exec('aa bb cc dd')?.index));
