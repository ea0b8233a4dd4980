'use strict';
// A region that asks for one piece of memory larger than a worker is meant to need: V8 ends the whole process where a
// heap has no room for a piece. Under node the first call gets its piece, and no other call asks for that much.

// As many elements as characters, eight bytes each, in one piece.
function pieces(length) {
  const list = 'abcdefgh'.repeat(length / 8).split('');
  let sum = 0;
  for (let at = 0; at < list.length; at += 1000) sum += list[at].charCodeAt(0);
  return `${list.length} ${sum}`;
}

let length = 36_000_000;
for (let turn = 0; turn < 3; turn++) {
  setImmediate(() => {
    console.log(pieces(length));
    // Time for a worker to try what is foretold of the next turn, and then is not so.
    for (const end = performance.now() + 500; performance.now() < end; );
    length = 8 * turn + 8;
  });
}
