'use strict';
// Markdown to HTML, with highlighted code: headings, paragraphs, lists, quotes, tables, rules, fenced code; in the text
// code, emphasis, links and pictures. A small renderer of one's own, as services have that trust their writers.

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const KEYWORDS = new Set(
  (
    'async await break case catch class const continue def default delete do elif else export extends finally for from ' +
    'function if import in instanceof lambda let new nil none null of pass return self static struct super switch this ' +
    'throw true false try typeof undefined var void while with yield'
  ).split(' ')
);

function escapeHtml(text) {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character]);
}

function isWordPart(code) {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95 || code === 36;
}

// Where the string that begins at `start` ends: behind its quote, or at the end of the line.
function endOfString(source, start) {
  const quote = source[start];
  let at = start + 1;
  while (at < source.length && source[at] !== quote && (quote === '`' || source[at] !== '\n')) {
    at += source[at] === '\\' ? 2 : 1;
  }
  return Math.min(at + 1, source.length);
}

function span(kind, text) {
  return `<span class="${kind}">${escapeHtml(text)}</span>`;
}

// Comments, strings, numbers, keywords and calls of most languages that are written with braces, and of Python.
function highlight(source, language) {
  const hashComments = language === 'python' || language === 'sh' || language === 'yaml';
  let html = '';
  let at = 0;
  while (at < source.length) {
    const character = source[at];
    const code = source.charCodeAt(at);
    let end = at + 1;
    if ((hashComments && character === '#') || (!hashComments && source.startsWith('//', at))) {
      end = source.indexOf('\n', at);
      if (end < 0) end = source.length;
      html += span('comment', source.slice(at, end));
    } else if (!hashComments && source.startsWith('/*', at)) {
      end = source.indexOf('*/', at + 2);
      end = end < 0 ? source.length : end + 2;
      html += span('comment', source.slice(at, end));
    } else if (character === '"' || character === "'" || character === '`') {
      end = endOfString(source, at);
      html += span('string', source.slice(at, end));
    } else if (code >= 48 && code <= 57) {
      while (end < source.length && (isWordPart(source.charCodeAt(end)) || source[end] === '.')) end++;
      html += span('number', source.slice(at, end));
    } else if (isWordPart(code)) {
      while (end < source.length && isWordPart(source.charCodeAt(end))) end++;
      const word = source.slice(at, end);
      if (KEYWORDS.has(word)) html += span('keyword', word);
      else if (source[end] === '(') html += span('call', word);
      else html += word;
    } else {
      html += escapeHtml(character);
    }
    at = end;
  }
  return html;
}

function renderInline(text) {
  // Code first, and kept aside: nothing inside it means anything.
  const codes = [];
  return escapeHtml(text)
    .replace(/`([^`]+)`/g, (_, code) => `\u0000${codes.push(code) - 1}\u0000`)
    .replace(/!\[([^\]]*)\]\(([^)\s]+)\)/g, '<img alt="$1" src="$2">')
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, '<a href="$2">$1</a>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/\*([^*]+)\*/g, '<em>$1</em>')
    .replace(/\u0000(\d+)\u0000/g, (_, index) => `<code>${codes[index]}</code>`);
}

function slug(text) {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
}

function renderTable(lines) {
  const rows = lines.map((line) => line.replace(/^\||\|$/g, '').split('|').map((cell) => cell.trim()));
  const head = rows[0].map((cell) => `<th>${renderInline(cell)}</th>`).join('');
  const body = rows.slice(2).map((row) => `<tr>${row.map((cell) => `<td>${renderInline(cell)}</td>`).join('')}</tr>`);
  return `<table><tr>${head}</tr>${body.join('')}</table>\n`;
}

// The HTML of a Markdown text.
function renderMarkdown(text) {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  let html = '';
  let at = 0;
  while (at < lines.length) {
    const line = lines[at];
    const heading = /^(#{1,6})\s+(.*)$/.exec(line);
    const fence = /^```\s*(\w*)/.exec(line);
    const first = at;
    if (line.trim() === '') {
      at++;
    } else if (heading) {
      const level = heading[1].length;
      html += `<h${level} id="${slug(heading[2])}">${renderInline(heading[2])}</h${level}>\n`;
      at++;
    } else if (fence) {
      at++;
      while (at < lines.length && !lines[at].startsWith('```')) at++;
      const source = lines.slice(first + 1, at).join('\n');
      html += `<pre><code class="${fence[1]}">${highlight(source, fence[1])}</code></pre>\n`;
      at++;
    } else if (/^(-{3,}|\*{3,})$/.test(line)) {
      html += '<hr>\n';
      at++;
    } else if (line.startsWith('|')) {
      while (at < lines.length && lines[at].startsWith('|')) at++;
      html += renderTable(lines.slice(first, at));
    } else if (line.startsWith('>')) {
      while (at < lines.length && lines[at].startsWith('>')) at++;
      html += `<blockquote>${renderInline(lines.slice(first, at).map((quoted) => quoted.slice(1)).join(' '))}</blockquote>\n`;
    } else if (/^([-*]|\d+\.)\s+/.test(line)) {
      const tag = /^\d/.test(line) ? 'ol' : 'ul';
      while (at < lines.length && /^([-*]|\d+\.)\s+/.test(lines[at])) at++;
      const items = lines.slice(first, at).map((item) => `<li>${renderInline(item.replace(/^([-*]|\d+\.)\s+/, ''))}</li>`);
      html += `<${tag}>${items.join('')}</${tag}>\n`;
    } else {
      while (at < lines.length && lines[at].trim() !== '' && !/^(#|```|>|\|)/.test(lines[at])) at++;
      html += `<p>${renderInline(lines.slice(first, at).join(' '))}</p>\n`;
    }
  }
  return html;
}

module.exports = { renderMarkdown };
