// Lines from stdin through readline.
// @stdin 3\n5\n\nfour\n7
const readline = require('readline');
function work(n) {
  let s = 1;
  for (let i = 2; i <= n; i++) s *= i;
  return s;
}
let lines = 0;
const rl = readline.createInterface({ input: process.stdin });
rl.on('line', (line) => console.log(++lines, JSON.stringify(line), work(Number(line))));
rl.on('close', () => console.log('closed', lines));
