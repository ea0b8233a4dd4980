// No input at all.
let n = 0;
process.stdin.on('data', (chunk) => (n += chunk.length));
process.stdin.on('end', () => console.log('end', n));
