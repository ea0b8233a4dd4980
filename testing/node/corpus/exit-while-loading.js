// process.exit in the module body.
function f(n) {
  for (let i = 0; i < n; i++) if (i === 2) process.exit(i);
}
setImmediate(() => console.log('never'));
process.on('exit', () => console.log('bye'));
console.log('before');
f(3);
console.log('never');
