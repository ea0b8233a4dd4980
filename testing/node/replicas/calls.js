'use strict';
// Usage: node calls.js INPUTS PACKAGE SEED: calls functions that the package exports, with random arguments, from
// timers; now and then changes what it exports, or its settings. INPUTS is a module that makes texts. Prints all results.
const path = require('node:path');
const [inputs, name, seed] = process.argv.slice(2);
const { code, csv, markdown, records, sentence, numbers } = require(path.resolve(inputs));
const next = numbers(Number(seed));
const pick = (list) => list[next() % list.length];
const any = () => pick([undefined, null, 0, -0, '', 'a', '{"a":[1,2]}', [], {}, { a: [1, null] }, [3, 'x'], true, 'é\u{1f600}', /x/g, () => 1]);

/** By package: functions to call, what they get, and what somebody might change. */
const packages = {
  acorn: () => {
    const acorn = require('acorn');
    const handle = (text) => print(acorn.parse(text, { ecmaVersion: 'latest' }).body.length);
    return [handle, () => [code(next() % 9)], () => (acorn.defaultOptions.ecmaVersion = 2020)];
  },
  bcryptjs: () => {
    const bcrypt = require('bcryptjs');
    const handle = (text) => print(bcrypt.hashSync(text, '$2a$04$abcdefghijklmnopqrstuu'));
    return [handle, () => [`secret ${next() % 99}`], () => bcrypt.setRandomFallback(null)];
  },
  'csv-parse': () => {
    const { parse } = require('csv-parse/sync');
    const handle = (text) => print(parse(text, { columns: true }));
    return [handle, () => [csv(next() % 9)], () => (Array.prototype.more = 1) && delete Array.prototype.more];
  },
  diff: () => {
    const diff = require('diff');
    const handle = (a, b) => print(diff.createPatch('x', a, b));
    return [handle, () => [code(next() % 9), code(next() % 9)], () => (diff.lineDiff.equals = (a, b) => a.length === b.length)];
  },
  'highlight.js': () => {
    const hljs = require('highlight.js');
    const handle = (text) => print(hljs.highlight(text, { language: 'javascript' }).value);
    return [handle, () => [code(next() % 9)], () => hljs.configure({ classPrefix: `x${next() % 3}-` })];
  },
  'js-yaml': () => {
    const yaml = require('js-yaml');
    const handle = (text) => print(yaml.load(text));
    return [handle, () => [yaml.dump(records(next() % 9, 20))], () => (yaml.CORE_SCHEMA.more = 1)];
  },
  lodash: () => {
    const _ = require('lodash');
    const handle = (list, key) => print(_.groupBy(list, key));
    return [handle, () => [records(next() % 9, 50), 'age'], () => (_.templateSettings.variable = 'x')];
  },
  marked: () => {
    const { marked } = require('marked');
    const handle = (text) => print(marked(text));
    return [handle, () => [markdown(next() % 9)], () => marked.setOptions({ breaks: next() % 2 === 0 })];
  },
  micromatch: () => {
    const micromatch = require('micromatch');
    const handle = (list, pattern) => print(micromatch(list, pattern));
    const files = () => Array.from({ length: 60 }, () => `src/${pick(['a', 'b'])}/${next() % 50}.ts`);
    return [handle, () => [files(), pick(['src/**/1*.ts', '!**/*3.ts', 'src/{a,b}/?.ts'])], () => (micromatch.match = null)];
  },
  mustache: () => {
    const mustache = require('mustache');
    const handle = (view) => print(mustache.render('{{#rows}}<li>{{id}}: {{name}}</li>{{/rows}}', view));
    return [handle, () => [{ rows: records(next() % 9, 40) }], () => (mustache.escape = (text) => `[${text}]`)];
  },
  papaparse: () => {
    const Papa = require('papaparse');
    const handle = (text) => print(Papa.parse(text, { header: true, dynamicTyping: true }).data);
    return [handle, () => [csv(next() % 9)], () => (Papa.DefaultDelimiter = ';')];
  },
  prismjs: () => {
    const Prism = require('prismjs');
    const handle = (text) => print(Prism.highlight(text, Prism.languages.javascript, 'javascript'));
    return [handle, () => [code(next() % 9)], () => (Prism.languages.javascript.more = /\bconst\b/g)];
  },
  qs: () => {
    const qs = require('qs');
    const handle = (text) => print(qs.parse(text, { depth: 5 }));
    return [handle, () => [qs.stringify({ rows: records(next() % 9, 10) })], () => (qs.formats.default = 'RFC1738')];
  },
  semver: () => {
    const semver = require('semver');
    const handle = (list, range) => print(semver.maxSatisfying(list, range));
    const versions = () => Array.from({ length: 60 }, () => `${next() % 7}.${next() % 9}.${next() % 99}`);
    return [handle, () => [versions(), pick(['>=2.1.0 <6', '^3', '1 || 4.x'])], () => (semver.SEMVER_SPEC_VERSION = '3')];
  },
  validator: () => {
    const validator = require('validator');
    const handle = (text) => print(validator.isEmail(text));
    return [handle, () => [`${sentence(next, 1)}@example.org`], () => (validator.version = 'x')];
  },
  yaml: () => {
    const YAML = require('yaml');
    const handle = (text) => print(YAML.parse(text));
    return [handle, () => [YAML.stringify(records(next() % 9, 10))], () => (YAML.Document.prototype.more = 1)];
  },
};

function print(value) {
  console.log(JSON.stringify(value)?.slice(0, 3000) ?? String(value));
}

const [handle, args, change] = packages[name]();
function safely(...given) {
  try {
    handle(...given);
  } catch (error) {
    console.log(`${error?.name}: ${error?.message}`);
  }
}
for (let turn = 0; turn < 40; turn++) {
  const what = next() % 12;
  const given = args();
  if (what === 0) given[next() % given.length] = any();
  const at = 250 + turn * 2;
  if (turn > 25 && what === 1) setTimeout(change, at);
  else if (what === 2) setTimeout(safely, at, ...given);
  else setTimeout(handle, at, ...given);
}
process.on('uncaughtException', (error) => console.log(`uncaught ${error?.name}: ${error?.message}`));
