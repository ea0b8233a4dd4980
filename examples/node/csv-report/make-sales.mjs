// Writes sales of some shops to try the report with; the same ones for the same seed.
//
// node make-sales.mjs FOLDER [FILES [ROWS [SEED]]]
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const [folder, files = '6', rows = '20000', seed = '1'] = process.argv.slice(2);
if (!folder) {
  console.error('say where to: node make-sales.mjs FOLDER [FILES [ROWS [SEED]]]');
  process.exit(2);
}

let state = Number(seed) * 7919 + 1;
function random(below) {
  state = (state * 16807) % 2147483647;
  return state % below;
}

const SHOPS = ['Harbour', 'Old Town', 'Station, north side', 'The "Arcade"'];
const THINGS = ['kettle', 'lamp', 'chair', 'rug', 'clock', 'mirror', 'shelf', 'vase'];
const KINDS = ['plain', 'small', 'large', 'blue', 'antique'];

function quote(field) {
  return /[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

mkdirSync(folder, { recursive: true });
for (let file = 1; file <= Number(files); file++) {
  const lines = ['date,shop,product,units,price'];
  for (let row = 0; row < Number(rows); row++) {
    const date = `2024-${String(((file - 1) % 12) + 1).padStart(2, '0')}-${String(random(28) + 1).padStart(2, '0')}`;
    const product = `${THINGS[random(THINGS.length)]}, ${KINDS[random(KINDS.length)]}`;
    lines.push([date, SHOPS[random(SHOPS.length)], product, 1 + random(9), (1 + random(20000) / 100).toFixed(2)].map(String).map(quote).join(','));
  }
  writeFileSync(path.join(folder, `sales-${String(file).padStart(2, '0')}.csv`), `${lines.join('\r\n')}\r\n`);
}
