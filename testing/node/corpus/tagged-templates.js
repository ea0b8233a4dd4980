// Tagged templates: the strings object is the same at every evaluation of one place.
const seen = new Set();
function tag(strings, ...values) {
  seen.add(strings);
  let s = '';
  for (let i = 0; i < strings.length; i++) s += strings.raw[i] + (values[i] ?? '');
  return s;
}
function build(n) {
  let s = '';
  for (let i = 0; i < n; i++) s += tag`<${i}\n>`;
  return s;
}
for (let i = 0; i < 4; i++) setImmediate(() => console.log(build(i), seen.size, String.raw`\u${i}`));
