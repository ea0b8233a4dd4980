'use strict';
// Reads a log of JSON lines and says how often each status came and how slow it was.
const fs = require('node:fs');
const readline = require('node:readline');

const lines = readline.createInterface({ input: fs.createReadStream(process.argv[2]) });
const byStatus = new Map();
lines.on('line', (line) => {
  const { status, ms } = JSON.parse(line);
  const entry = byStatus.get(status) ?? { count: 0, ms: 0 };
  entry.count++;
  entry.ms += ms;
  byStatus.set(status, entry);
});
lines.on('close', () => {
  for (const [status, { count, ms }] of [...byStatus].sort()) console.log(`${status}: ${count}, ${(ms / count).toFixed(2)} ms`);
});
