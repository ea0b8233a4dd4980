// Proxies as arguments and as state: every trap is seen, in order.
const log = [];
const handler = {
  get(t, k, r) {
    if (typeof k === 'string') log.push(`get ${k}`);
    return Reflect.get(t, k, r);
  },
  has(t, k) {
    log.push(`has ${String(k)}`);
    return k in t;
  },
  ownKeys(t) {
    log.push('keys');
    return Reflect.ownKeys(t);
  },
  set(t, k, v) {
    log.push(`set ${String(k)}`);
    t[k] = v;
    return true;
  },
};
const list = new Proxy([1, 2, 3], handler);
const state = new Proxy({ n: 1 }, handler);
function sum(values) {
  let s = 0;
  for (let i = 0; i < values.length; i++) s += values[i];
  return s;
}
function readState(k) {
  let s = 0;
  for (let i = 0; i < k; i++) s += state.n;
  return 'n' in state ? s : -s;
}
for (let i = 0; i < 4; i++) {
  setImmediate(() => {
    console.log(sum(list), log.splice(0).join());
    console.log(readState(2), Object.keys(state).length, log.splice(0).join());
    state.n = i;
    list.push(i);
    console.log(log.splice(0).join());
  });
}
