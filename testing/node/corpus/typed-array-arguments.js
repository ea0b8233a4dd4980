// Typed arrays, buffers, views and DataViews as arguments: shared memory, offsets, changes in between.
const buffer = new ArrayBuffer(32);
const whole = new Uint8Array(buffer);
const part = new Uint8Array(buffer, 8, 8);
const floats = new Float32Array([1.5, -0, NaN, 3e38]);
function sum(a) {
  let s = 0;
  for (let i = 0; i < a.length; i++) s += a[i];
  return [s, a.length, a.byteOffset, a.buffer.byteLength, a.constructor.name].join();
}
function view(v) {
  let s = 0;
  for (let i = 0; i + 4 <= v.byteLength; i += 4) s += v.getUint32(i, i % 8 === 0);
  return s;
}
function bump(a, n) {
  for (let i = 0; i < a.length; i++) a[i] += n;
  return a;
}
for (let i = 0; i < 5; i++) {
  setImmediate(() => {
    console.log(sum(whole), sum(part), sum(floats), sum(Buffer.from('abc')), sum(new BigInt64Array([1n])).length, view(new DataView(buffer, 4)));
    console.log(bump(part, i) === part, whole[8], sum([1, 2]).length > 0);
    if (i === 3) structuredClone(buffer, { transfer: [buffer] });
  });
}
process.on('uncaughtException', (e) => console.log(e.name, e.message));
