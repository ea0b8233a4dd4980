// A function whose source text is sent to a child or compiled again works there.
const vm = require('vm');
const { execFileSync } = require('child_process');
function prime(n) {
  for (let i = 2; i * i <= n; i++) if (n % i === 0) return false;
  return n > 1;
}
setImmediate(() => console.log(prime(97)));
setImmediate(() => {
  console.log(vm.runInNewContext(`(${prime})(91)`), vm.runInThisContext(`(${prime})`)(89));
  console.log(execFileSync(process.execPath, ['-p', `(${prime})(101)`], { encoding: 'utf8' }).trim());
});
