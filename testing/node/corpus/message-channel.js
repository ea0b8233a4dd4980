// MessageChannel and structuredClone on the main thread; BroadcastChannel is left out, its order is free.
const { port1, port2 } = new MessageChannel();
function work(list) {
  let s = 0;
  for (const x of list) s += x;
  return s;
}
port2.on('message', (m) => {
  console.log(work(m.list), m.map.get('k'), m.date.getTime(), m.ring.self === m.ring, m.bytes.length);
  if (m.list.length === 3) port2.close();
});
port2.on('close', () => console.log('closed'));
const ring = {};
ring.self = ring;
for (let i = 1; i < 4; i++) {
  port1.postMessage({ list: Array(i).fill(i), map: new Map([['k', i]]), date: new Date(i), ring, bytes: new Uint8Array(i) });
}
const moved = new ArrayBuffer(4);
console.log(structuredClone({ moved }, { transfer: [moved] }).moved.byteLength, moved.byteLength);
try {
  structuredClone({ f: () => 1 });
} catch (e) {
  console.log(e.name, e.message);
}
