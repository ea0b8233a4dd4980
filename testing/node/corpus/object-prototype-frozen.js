// Object.freeze(Object.prototype): what a program may assign on its own objects changes.
function tally(text) {
  const counts = {};
  const words = text.split(' ');
  let s = 0;
  for (let i = 0; i < 200000; i++) {
    const word = words[i % words.length];
    counts[word] = Object.hasOwn(counts, word) ? counts[word] + 1 : 1;
    s = (s * 31 + word.length) % 1000003;
  }
  return s + ' ' + JSON.stringify(counts);
}
for (let k = 0; k < 16; k++) {
  setImmediate(() => {
    console.log(k, tally('a toString b valueOf ' + k));
    if (k === 5) Object.freeze(Object.prototype);
  });
}
