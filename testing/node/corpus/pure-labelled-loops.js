// Labels, continue, break, do-while, for-in, for-of over strings and entries.
function triples(limit) {
  const out = [];
  outer: for (let a = 1; a < limit; a++) {
    for (let b = a; b < limit; b++) {
      let c = b;
      do {
        c++;
        if (a * a + b * b === c * c) {
          out.push([a, b, c]);
          continue outer;
        }
        if (c > 2 * limit) break;
      } while (true);
      if (out.length > 5) break outer;
    }
  }
  let text = '';
  for (const key in out) text += key;
  for (const [i, t] of out.entries()) text += `${i}${t}`;
  for (const ch of 'é𝒳') text += ch.length;
  block: {
    if (limit > 10) break block;
    text += '!';
  }
  return text;
}
for (let n = 5; n < 30; n += 5) setTimeout((k) => console.log(triples(k)), 1, n);
