// The arguments object: aliasing in sloppy functions, callee, length.
function alias(a, b) {
  for (let i = 0; i < arguments.length; i++) arguments[i] = arguments[i] * 2;
  return [a, b, arguments.length];
}
function strict(a) {
  'use strict';
  for (let i = 0; i < 2; i++) arguments[0] = i;
  return [a, arguments[0]];
}
function callee(n) {
  return n <= 1 ? 1 : n * arguments.callee(n - 1);
}
function viaArrow() {
  const pick = (i) => arguments[i];
  let text = '';
  for (let i = 0; i < 3; i++) text += pick(i);
  return text;
}
for (let i = 0; i < 4; i++) setImmediate(() => console.log(alias(i, 5), alias(i), strict(i), callee(i), viaArrow(i, 'x')));
