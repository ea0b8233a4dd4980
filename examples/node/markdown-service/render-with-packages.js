'use strict';
// The same by two packages from npm: marked for Markdown, highlight.js for code.
const hljs = require('highlight.js');
const { Marked } = require('marked');

const marked = new Marked({
  renderer: {
    code({ text, lang }) {
      const language = hljs.getLanguage(lang) ? lang : 'plaintext';
      return `<pre><code class="hljs">${hljs.highlight(text, { language }).value}</code></pre>\n`;
    },
  },
});

module.exports = { renderMarkdown: (text) => marked.parse(text) };
