'use strict';
// What services get to work on: twenty inputs of each kind, the same in every run.
const WORDS =
  'river stone lamp garden winter letter bridge table forest candle market window harbour summer road paper'.split(' ');

/** A reproducible row of numbers below 2^31 (Lehmer; Park and Miller 1988). */
function numbers(seed) {
  let state = seed + 1;
  return () => (state = (state * 48271) % 2147483647);
}

function sentence(next, length = 12) {
  return Array.from({ length }, () => WORDS[next() % WORDS.length]).join(' ');
}

function markdown(id) {
  const next = numbers(id);
  const part = (number) =>
    `## Part ${number}\n\n${sentence(next)} **${sentence(next, 2)}** and \`${WORDS[next() % 16]}\`, see [here](/p/${number}).\n\n` +
    `- ${sentence(next, 4)}\n- ${sentence(next, 5)}\n  1. ${sentence(next, 3)}\n\n> ${sentence(next)}\n\n` +
    `| a | b |\n|---|---|\n| ${WORDS[next() % 16]} | ${next() % 1000} |\n\n\`\`\`js\nconst n = ${next() % 100};\n\`\`\`\n\n`;
  return `# Page ${id}\n\n${Array.from({ length: 12 }, (_, at) => part(at)).join('')}`;
}

function code(id) {
  const next = numbers(id);
  const piece = (at) => `
// ${sentence(next, 6)}
function ${WORDS[at % 16]}${at}(first, { second = ${next() % 100}, ...rest } = {}) {
  const found = [];
  for (let i = 0; i < first.length; i++) {
    if (first[i] % ${(next() % 7) + 2} === 0) found.push(\`\${first[i]}: \${second}\`);
    else rest.total = (rest.total ?? 0) + first[i] * ${next() % 10};
  }
  return found.map((one) => one.toUpperCase()).filter(Boolean);
}
class Part${at} { #kept = new Map(); get size() { return this.#kept.size; } add(key, value) { this.#kept.set(key, value); return this; } }
`;
  return `'use strict';\n${Array.from({ length: 8 }, (_, at) => piece(at)).join('')}`;
}

function css(id) {
  const next = numbers(id);
  const rule = (at) =>
    `.${WORDS[at % 16]}-${at} { color: #${(next() % 0xffffff).toString(16).padStart(6, '0')}; margin: ${next() % 20}px ${next() % 20}px;\n` +
    `  &:hover > a { display: flex; transform: rotate(${next() % 90}deg); } }\n`;
  return `@media (min-width: ${600 + id}px) { body { margin: 0 } }\n${Array.from({ length: 40 }, (_, at) => rule(at)).join('')}`;
}

function html(id) {
  const next = numbers(id);
  const row = (at) =>
    `<li class="item ${WORDS[next() % 16]}" data-id="${at}"><a href="/p/${at}?x=1&amp;y=2" onclick="go()">${sentence(next, 4)}</a>` +
    `<p>${sentence(next)} <b>${WORDS[next() % 16]}</b><br>&copy; ${next() % 100}</p></li>\n`;
  return `<!doctype html><html><head><title>Page ${id}</title></head><body><ul>${Array.from({ length: 60 }, (_, at) => row(at)).join('')}</ul></body></html>`;
}

function records(id, count = 100) {
  const next = numbers(id);
  return Array.from({ length: count }, (_, at) => ({
    id: at,
    name: `${WORDS[next() % 16]} ${WORDS[next() % 16]}`,
    email: `${WORDS[next() % 16]}${at}@example.org`,
    age: 18 + (next() % 60),
    score: (next() % 10000) / 100,
    tags: [WORDS[next() % 16], WORDS[next() % 16]],
    address: { city: WORDS[next() % 16], zip: String(10000 + (next() % 80000)) },
    joined: new Date(1600000000000 + (next() % 100000) * 100000).toISOString(),
  }));
}

function csv(id, count = 200) {
  const lines = records(id, count).map((r) => `${r.id},"${r.name}",${r.email},${r.age},${r.score},"${r.tags.join(', ')}"`);
  return `id,name,email,age,score,tags\n${lines.join('\n')}\n`;
}

function xml(id) {
  const items = records(id, 60).map(
    (r) => `<item id="${r.id}"><name>${r.name}</name><age>${r.age}</age><tags><tag>${r.tags.join('</tag><tag>')}</tag></tags></item>`,
  );
  return `<?xml version="1.0"?><list page="${id}">${items.join('')}</list>`;
}

/** Pixels of a picture, four bytes each. */
function pixels(id, width, height) {
  const data = Buffer.alloc(width * height * 4, 255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 4;
      data[at] = (x * (id + 1)) & 255;
      data[at + 1] = (y * 3 + id) & 255;
      data[at + 2] = (x ^ y) & 255;
    }
  }
  return data;
}

/** The inputs of one kind, made once. */
function twenty(make) {
  return Array.from({ length: 20 }, (_, id) => make(id));
}

module.exports = { WORDS, code, css, csv, html, markdown, numbers, pixels, records, sentence, twenty, xml };
