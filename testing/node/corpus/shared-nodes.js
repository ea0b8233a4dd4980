// Arguments and results in which one object is reached by two ways, or by itself.
function same(pair) {
  let n = 0;
  for (let i = 0; i < 2; i++) n += pair[0] === pair[1] ? 1 : 10;
  return n;
}
function twins(n) {
  const part = { n: 0 };
  for (let i = 0; i < n; i++) part.n += i;
  return [part, part];
}
function ring(n) {
  const o = { n };
  for (let i = 0; i < n; i++) o.self = o;
  return o;
}
function depth(o) {
  const seen = new Set();
  for (let at = o; at; at = at.next) {
    if (seen.has(at)) return 'ring ' + seen.size;
    seen.add(at);
  }
  return seen.size;
}
const one = { a: 1 };
const loop = { next: { next: null } };
for (let i = 0; i < 4; i++) {
  setImmediate(() => {
    console.log(same([one, one]), same([{ a: 1 }, { a: 1 }]), twins(i)[0] === twins(i)[1], twins(i)[0].n);
    const [x, y] = twins(i);
    x.n = 'changed';
    console.log(x === y, y.n, ring(i).self === ring(i), depth(loop));
    if (i === 1) loop.next.next = loop;
    const r = ring(i);
    console.log(r.self === (i ? r : undefined));
  });
}
