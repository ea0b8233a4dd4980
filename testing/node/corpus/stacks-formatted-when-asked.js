// Who formats stacks is asked when the program looks at one: not when it is handed to a region, or might be.
const log = [];
Error['prepare' + 'StackTrace'] = (error) => { log.push('formatted ' + (error.id ?? error.message)); return 'stack of ' + (error.id ?? error.message) + log.length; };
function work(o, n) { let s = n; for (let i = 0; i < 300000; i++) s = (s * 31 + o.id + i) % 1000003; return s; }
function count(n) { let s = n; for (let i = 0; i < 300000; i++) s = (s * 31 + i) % 1000003; return s; }
const captured = [0, 1, 2, 3, 4, 5].map((id) => { const o = { id }; Error.captureStackTrace(o); return o; });
const failed = [0, 1, 2, 3, 4, 5].map((k) => new Error('e' + k));
function step(k) {
  log.push('step ' + k + ' ' + work(captured[k], k));
  if (k === 3) log.push(captured[2].stack);
}
function ask(k) {
  const { stack } = failed[k];
  log.push('ask ' + k + ' ' + count(stack.length) + stack);
  failed[(k + 1) % 6].message += '+';
  if (k === 5) console.log(log.join('\n'));
}
for (let k = 0; k < 6; k++) { setImmediate(step, k); setImmediate(ask, k); }
