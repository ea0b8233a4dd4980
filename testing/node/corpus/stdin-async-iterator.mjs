// All of stdin by async iteration, and a pipeline of transforms.
// @stdin alpha\nbeta\ngamma\n
import { pipeline } from 'node:stream/promises';
import { Transform } from 'node:stream';
function rotate(text) {
  let out = '';
  for (let i = 0; i < text.length; i++) out = text[i] + out;
  return out;
}
await pipeline(
  process.stdin.setEncoding('utf8'),
  async function* (source) {
    let rest = '';
    for await (const chunk of source) {
      rest += chunk;
      const lines = rest.split('\n');
      rest = lines.pop();
      for (const line of lines) yield rotate(line) + '\n';
    }
    if (rest) yield rotate(rest);
  },
  new Transform({ transform: (chunk, _, done) => done(null, String(chunk).toUpperCase()) }),
  process.stdout,
  { end: false },
);
console.log('done');
