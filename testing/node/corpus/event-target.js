// EventTarget, custom events, once, abort signals as listener options, handleEvent objects.
const target = new EventTarget();
function work(n) {
  let s = 0;
  for (let i = 0; i <= n; i++) s += i * i;
  return s;
}
const stop = new AbortController();
target.addEventListener('go', (e) => console.log('a', e.type, work(e.detail), e.target === target), { signal: stop.signal });
target.addEventListener('go', { handleEvent: (e) => (console.log('b', work(e.detail + 1)), e.preventDefault()) });
target.addEventListener('go', () => console.log('once'), { once: true });
for (let i = 0; i < 4; i++) {
  setImmediate(() => {
    console.log(target.dispatchEvent(new CustomEvent('go', { detail: i, cancelable: true })));
    if (i === 1) stop.abort();
    if (i === 2) target.addEventListener('go', (e) => e.stopImmediatePropagation());
  });
}
