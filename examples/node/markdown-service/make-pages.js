'use strict';
// Writes documentation pages to try the server with; the same ones for the same seed.
//
// node make-pages.js FOLDER [COUNT [KILOBYTES [SEED]]]
const fs = require('fs');
const path = require('path');

const [folder, count = '40', kilobytes = '160', seed = '1'] = process.argv.slice(2);
if (!folder) {
  console.error('say where to: node make-pages.js FOLDER [COUNT [KILOBYTES [SEED]]]');
  process.exit(2);
}

// Park and Miller (1988): x' = 16807 x mod 2^31-1.
let state = Number(seed) * 7919 + 1;
function random(below) {
  state = (state * 16807) % 2147483647;
  return state % below;
}

function pick(list) {
  return list[random(list.length)];
}

const WORDS = (
  'the a server event loop handler request answer queue timer socket buffer worker thread file cache page client ' +
  'result value function call returns waits runs before after when every only never while because and with of to'
).split(' ');
const NAMES = 'readFile parseHeader onRequest total items next index buffer options result queue flush retry limit'.split(' ');

function sentence() {
  const words = [];
  for (let left = 6 + random(14); left > 0; left--) {
    const word = pick(WORDS);
    const kind = random(24);
    words.push(kind === 0 ? `**${word}**` : kind === 1 ? `\`${pick(NAMES)}()\`` : kind === 2 ? `[${word}](/pages/${word})` : word);
  }
  return `${words.join(' ')}.`;
}

function paragraph() {
  return Array.from({ length: 3 + random(4) }, sentence).join(' ');
}

function code() {
  const lines = [`// ${sentence()}`, `async function ${pick(NAMES)}(${pick(NAMES)}, ${pick(NAMES)}) {`];
  for (let left = 6 + random(20); left > 0; left--) {
    lines.push(
      pick([
        `  const ${pick(NAMES)} = await ${pick(NAMES)}(${random(1000)}, "${pick(NAMES)}");`,
        `  if (${pick(NAMES)}.length > ${random(100)}) return ${pick(NAMES)}; // ${pick(NAMES)}`,
        `  for (let i = 0; i < ${pick(NAMES)}.length; i++) { ${pick(NAMES)} += ${pick(NAMES)}[i] * 0.${random(100)}; }`,
        `  ${pick(NAMES)}.push(\`\${${pick(NAMES)}}-${random(100)}\`);`,
      ])
    );
  }
  return ['```js', ...lines, '}', '```'].join('\n');
}

function table() {
  const rows = Array.from({ length: 3 + random(6) }, () => `| \`${pick(NAMES)}\` | ${random(1000)} | ${sentence()} |`);
  return ['| option | default | meaning |', '|---|---|---|', ...rows].join('\n');
}

function list() {
  return Array.from({ length: 3 + random(5) }, () => `- ${sentence()}`).join('\n');
}

fs.mkdirSync(folder, { recursive: true });
for (let number = 1; number <= Number(count); number++) {
  const parts = [`# Page ${number}`];
  let length = 0;
  while (length < Number(kilobytes) * 1024) {
    parts.push(pick([paragraph, paragraph, code, code, list, table, () => `## ${sentence()}`, () => `> ${sentence()}`])());
    length += parts[parts.length - 1].length + 2;
  }
  fs.writeFileSync(path.join(folder, `page-${String(number).padStart(3, '0')}.md`), `${parts.join('\n\n')}\n`);
}
