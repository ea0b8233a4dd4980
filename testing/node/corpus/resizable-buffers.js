// A view of a buffer that can grow.
function make(n) {
  const memory = new ArrayBuffer(8, { maxByteLength: 16 });
  const view = new Uint8Array(memory);
  for (let i = 0; i < 500000; i++) view[i & 7] = (view[i & 7] * 31 + n + i) & 255;
  return view;
}
for (let k = 0; k < 10; k++) {
  setImmediate(() => {
    const view = make(k);
    let grown = 'fixed';
    try { view.buffer.resize(12); grown = view.length; } catch (error) { grown = error.message; }
    console.log(k, view[3], view.buffer.resizable, grown);
  });
}
