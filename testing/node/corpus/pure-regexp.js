// Regular expression literals inside a region: lastIndex is fresh for every call.
function tokens(text) {
  const pattern = /([a-z]+)|(\d+)|(\s+)/g;
  const out = [];
  let match;
  while ((match = pattern.exec(text)) !== null) {
    out.push(match[1] ? `w${match[1].length}` : match[2] ? Number(match[2]) : '_');
  }
  return out;
}
function slug(text) {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
}
const shared = /x/g;
function countShared(text) {
  let n = 0;
  for (let i = 0; i < 3; i++) if (shared.test(text)) n++;
  return n;
}
for (const text of ['abc 12', '', 'x1y2 z3', 'Hello, World!', 'xxx']) {
  setImmediate(() => console.log(tokens(text), slug(text), countShared(text), shared.lastIndex));
}
