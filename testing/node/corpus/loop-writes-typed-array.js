// Loops that fill a typed array or a buffer that lives outside.
const pixels = new Uint8ClampedArray(64);
const bytes = Buffer.alloc(16);
function shade(offset) {
  for (let i = 0; i < pixels.length; i++) pixels[i] = (i * offset) - 20;
  for (let i = 0; i < bytes.length; i++) bytes.writeUInt8((i * offset) & 255, i);
  return pixels.reduce((a, b) => a + b, 0);
}
function histogram() {
  const bins = new Array(4).fill(0);
  for (const p of pixels) bins[p >> 6]++;
  return bins;
}
for (let i = 1; i < 7; i++) setImmediate(() => console.log(shade(i * 3), histogram().join(), bytes.toString('hex')));
