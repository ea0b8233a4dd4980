// A declaration of another script of the realm hides a global without a change of the global object.
const vm = require('node:vm');
function half(text) {
  let s = 0;
  for (let i = 0; i < 300000; i++) s = (s * 31 + parseInt(text, 10) + Math.floor(i / 3)) % 1000003;
  return s;
}
for (let k = 0; k < 14; k++) {
  setImmediate(() => {
    console.log(k, half('12'));
    if (k === 5) vm.runInThisContext('let parseInt = () => 5;');
    if (k === 9) vm.runInThisContext('const Math = { floor: (x) => x > 1 ? 1 : 0 };');
  });
}
