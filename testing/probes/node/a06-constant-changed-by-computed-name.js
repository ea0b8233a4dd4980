// A constant table is changed by a method whose name is computed.
const ORDER = [3, 1, 2, 9, 4];
function mix(n) {
  let s = 0;
  for (let i = 0; i < 400000; i++) s = (s * 31 + ORDER[i % ORDER.length] * n) % 1000003;
  return s;
}
const admin = (op, value) => ORDER[op](value);
for (let k = 1; k < 16; k++) {
  setImmediate(() => {
    console.log(k, mix(k));
    if (k === 8) admin('push', 7);
    if (k === 12) admin('reverse');
  });
}
