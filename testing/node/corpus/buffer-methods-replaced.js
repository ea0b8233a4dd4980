// A method of Buffers that a region calls is replaced while others compute without any Buffer.
function read(buffer, n) {
  let s = n;
  for (let i = 0; i < 100000; i++) s = (s * 31 + buffer[i % buffer.length]) % 1000003;
  return `${s} ${buffer.readUInt8(0)}`;
}
function plain(list, n) {
  let s = n;
  for (let i = 0; i < 100000; i++) s = (s * 31 + list[i % list.length]) % 1000003;
  return [s, n];
}
const buffer = Buffer.from('some text');
const { readUInt8 } = Buffer.prototype;
for (let k = 0; k < 16; k++) {
  setImmediate(() => {
    console.log(k, plain([k, 2], k), read(buffer, k));
    if (k === 5) Buffer.prototype.readUInt8 = () => -1;
    if (k === 10) Buffer.prototype.readUInt8 = readUInt8;
    if (k === 12) Object.defineProperty(Buffer.prototype, 'readUInt8', { get: () => () => -2 });
  });
}
