// An exception in a timer ends the process: stack on stderr, code 1, nothing after.
function deep(n) {
  for (let i = 0; i < 3; i++) {
    if (n === 0) throw new Error('from the depth');
    n--;
  }
  return deep(n);
}
console.log('start');
setTimeout(function later() {
  console.log('in timer');
  deep(7);
  console.log('never');
}, 2);
setTimeout(() => console.log('never'), 20);
process.on('exit', (code) => console.log('exit', code));
