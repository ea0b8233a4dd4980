// A lot of output just before the end, through process.exit as well.
function line(n) {
  let s = '';
  for (let i = 0; i < 60; i++) s += String.fromCharCode(97 + ((i * n) % 26));
  return s;
}
for (let i = 0; i < 2000; i++) console.log(line(i));
setImmediate(() => {
  for (let i = 0; i < 500; i++) console.log(line(i * 3));
  process.exitCode = 2;
});
