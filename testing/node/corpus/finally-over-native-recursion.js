// Deep data: JSON.stringify needs a stack, and what `finally` returns hides that there was none.
function deep(n) {
  let text = 'too deep';
  let at = {};
  for (let i = 0; i < n; i++) at = { at };
  let s = 0;
  for (let i = 0; i < 400000; i++) s = (s * 31 + i + n) % 1000003;
  try {
    text = String(JSON.stringify(at).length);
  } finally {
    return s + ' ' + text;
  }
}
for (let k = 0; k < 12; k++) setImmediate(() => console.log(k, deep(2800 + k)));
