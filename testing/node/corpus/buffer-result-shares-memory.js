// A part of a Buffer is a view of the same memory.
function field(buffer, n) {
  let s = 0;
  for (let i = 0; i < 500000; i++) s = (s * 31 + buffer[i % buffer.length] + n) % 1000003;
  return buffer.subarray(s % 4, 8);
}
for (let k = 0; k < 12; k++) {
  const packet = Buffer.from('packet number ' + k);
  setImmediate(() => {
    const part = field(packet, k);
    packet.fill('x');
    console.log(k, part.toString());
  });
}
