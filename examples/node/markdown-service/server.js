'use strict';
// A documentation server: pages are Markdown files, read at the start and rendered when somebody asks for them.
//
// node server.js FOLDER [PORT]; RENDERER=packages takes marked and highlight.js instead of the renderer beside it.
const fs = require('fs');
const path = require('path');
const express = require('express');
const { renderMarkdown } = require(process.env.RENDERER === 'packages' ? './render-with-packages' : './render');

const folder = process.argv[2];
if (!folder) {
  console.error('say where the pages are: node server.js FOLDER [PORT]');
  process.exit(2);
}

const pages = new Map();
for (const file of fs.readdirSync(folder).sort()) {
  if (file.endsWith('.md')) pages.set(path.basename(file, '.md'), fs.readFileSync(path.join(folder, file), 'utf8'));
}

const served = { pages: 0, previews: 0 };

function layout(title, body) {
  return `<!doctype html>\n<meta charset="utf-8">\n<title>${title}</title>\n<main>\n${body}</main>\n`;
}

const app = express();

app.get('/', (request, response) => {
  const links = [...pages.keys()].map((name) => `<li><a href="/pages/${name}">${name}</a></li>\n`);
  response.send(layout('Pages', `<ul>\n${links.join('')}</ul>\n`));
});

app.get('/pages/:name', (request, response) => {
  const text = pages.get(request.params.name);
  if (text === undefined) return response.status(404).send('no such page\n');
  served.pages++;
  response.send(layout(request.params.name, renderMarkdown(text)));
});

// A preview for editors: Markdown in, HTML out.
app.post('/render', express.text({ type: '*/*', limit: '1mb' }), (request, response) => {
  served.previews++;
  response.send(renderMarkdown(request.body));
});

app.get('/health', (request, response) => {
  response.json({ ok: true });
});

app.get('/stats', (request, response) => {
  response.json(served);
});

const server = app.listen(Number(process.argv[3] || 8080), '127.0.0.1', () => {
  console.log(`listening on 127.0.0.1:${server.address().port}`);
});

process.on('SIGTERM', () => {
  server.close();
  server.closeIdleConnections();
});
