// A constant buffer is changed through a view of it.
const MEMORY = new ArrayBuffer(64);
const cells = new Uint8Array(MEMORY);
function checksum(n) {
  const bytes = new Uint8Array(MEMORY);
  let s = 0;
  for (let i = 0; i < 500000; i++) s = (s * 31 + bytes[i & 63] + n) % 1000003;
  return s;
}
for (let k = 0; k < 14; k++) {
  setImmediate(() => {
    console.log(k, checksum(k % 3));
    cells[k] = k + 1;
  });
}
