// RegExp.prototype.exec and String.prototype methods replaced by the program.
function clean(text) {
  let s = text;
  for (let i = 0; i < 2; i++) s = s.replace(/a/g, 'b').trim();
  return /b/.test(s) + s.split('b').length + s;
}
const exec = RegExp.prototype.exec;
const trim = String.prototype.trim;
const changes = [
  () => (RegExp.prototype.exec = function (s) { return s === 'patched' ? exec.call(this, s) : null; }),
  () => (RegExp.prototype.exec = exec),
  () => (String.prototype.trim = function () { return `[${this}]`; }),
  () => (String.prototype.trim = trim),
  () => (RegExp.prototype[Symbol.replace] = () => 'x'),
];
for (const change of changes) {
  setImmediate(() => {
    const before = clean(' banana ');
    change();
    console.log(before, clean(' banana '));
  });
}
