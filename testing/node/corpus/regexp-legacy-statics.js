// RegExp.$1 and its like are left behind by whatever matched last, also inside regions.
function words(text) {
  const out = [];
  for (const part of text.split(' ')) {
    const match = /(\w)(\w*)/.exec(part);
    if (match) out.push(match[2] + match[1]);
  }
  return out.join(' ');
}
/(first)/.test('first');
for (let i = 0; i < 5; i++) {
  setImmediate((k) => {
    console.log(words(`alpha beta${k}`), RegExp.$1, RegExp.$2, RegExp.lastMatch, RegExp['$`']);
  }, i);
}
