// What a view is a view of.
function look(view, n) {
  let s = 0;
  for (let i = 0; i < 500000; i++) s = (s * 31 + view[i % view.length] + n) % 1000003;
  return `${s} ${view.byteOffset} ${view.buffer.byteLength} ${new Uint8Array(view.buffer)[0]}`;
}
const memory = new Uint8Array(32).map((_, i) => i + 1);
for (let k = 0; k < 10; k++) setImmediate(() => console.log(k, look(memory.subarray(8, 16), k)));
function make(n) {
  const all = new Uint8Array(40);
  for (let i = 0; i < 500000; i++) all[i % 40] = (all[i % 40] * 31 + n + i) & 255;
  return all.subarray(8, 12);
}
for (let k = 0; k < 10; k++) {
  setImmediate(() => {
    const part = make(k);
    console.log(k, part.join(), part.byteOffset, part.buffer.byteLength);
  });
}
