// A tool that looks at the text of modules in Module.wrap.
const Module = require('node:module');
const { wrap } = Module;
const seen = [];
Module.wrap = function (text) { seen.push(text.length); return wrap(text); };
const lib = require('./modules/heavy.js');
const size = require('node:fs').readFileSync(require.resolve('./modules/heavy.js'), 'utf8').length;
console.log(lib.work(1), seen.map((n) => n - size).join());
