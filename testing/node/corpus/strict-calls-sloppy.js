// A strict function calls sloppy code, where an assignment to a property of a string is ignored.
function poke(text) { text.extra = 1; return text.length; }
function work(n) {
  'use strict';
  let s = n;
  for (let i = 0; i < 400000; i++) s = (s * 31 + i) % 1000003;
  try {
    s += 1;
    poke('abc');
    s += 10;
  } finally {
    return s;
  }
}
for (let k = 0; k < 12; k++) setImmediate(() => console.log(k, work(k)));
