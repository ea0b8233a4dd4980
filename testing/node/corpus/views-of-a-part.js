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
// Where the bytes of a Buffer lie is not the same in a copy of it.
function place(buffer, n) {
  let s = n;
  for (let i = 0; i < 100000; i++) s = (s * 31 + buffer[i % buffer.length]) % 1000003;
  return `${s} ${buffer.byteOffset} ${buffer.buffer.byteLength} ${buffer.toString('latin1')}`;
}
const pool = Buffer.from(new Uint8Array(64).fill(65).buffer);
for (let k = 0; k < 12; k++) setImmediate(() => console.log(k, place(pool.subarray(k, 20), k)));
// A memory that was taken away, beside one that is empty.
function taken(view, n) {
  let s = n;
  for (let i = 0; i < 100000; i++) s = (s * 31 + i) % 1000003;
  try {
    return `${s} ${view.length} ${view.fill(0).length}`;
  } catch (error) {
    return `${s} ${error.name}`;
  }
}
const gone = new Uint8Array(8);
structuredClone(gone.buffer, { transfer: [gone.buffer] });
for (let k = 0; k < 8; k++) setImmediate(() => console.log(k, taken(k % 2 ? gone : new Uint8Array(0), k)));
