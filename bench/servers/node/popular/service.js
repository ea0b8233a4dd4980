'use strict';
// Usage: node service.js PACKAGE: a small service on a popular package, as its README shows how to use it. A GET of
// /0 to /19 gives the answer for one of twenty inputs, /light gives two letters. `node service.js list` has the packages.
const http = require('node:http');
const { WORDS, code, css, csv, html, markdown, pixels, records, sentence, numbers, twenty, xml } = require('./inputs');

/** By package: what it needs once, and then the answer for an input. */
const services = {
  // Documents
  marked() {
    const { marked } = require('marked');
    const pages = twenty(markdown);
    return (id) => marked(pages[id]);
  },
  'markdown-it'() {
    const md = require('markdown-it')({ html: true, linkify: true });
    const pages = twenty(markdown);
    return (id) => md.render(pages[id]);
  },
  turndown() {
    const service = new (require('turndown'))();
    const pages = twenty(html);
    return (id) => service.turndown(pages[id]);
  },
  'highlight.js'() {
    const hljs = require('highlight.js');
    const files = twenty(code);
    return (id) => hljs.highlight(files[id], { language: 'javascript' }).value;
  },
  prismjs() {
    const Prism = require('prismjs');
    const files = twenty(code);
    return (id) => Prism.highlight(files[id], Prism.languages.javascript, 'javascript');
  },
  cheerio() {
    const cheerio = require('cheerio');
    const pages = twenty(html);
    return (id) => {
      const $ = cheerio.load(pages[id]);
      return $('li > a')
        .map((_, link) => `${$(link).attr('href')} ${$(link).text()}`)
        .get()
        .join('\n');
    };
  },
  'sanitize-html'() {
    const sanitize = require('sanitize-html');
    const pages = twenty(html);
    return (id) => sanitize(pages[id]);
  },
  // Templates
  handlebars() {
    const render = require('handlebars').compile('<ul>{{#each rows}}<li>{{id}}: {{name}} {{#if tags}}{{tags.[0]}}{{/if}}</li>{{/each}}</ul>');
    const rows = twenty(records);
    return (id) => render({ rows: rows[id] });
  },
  ejs() {
    const render = require('ejs').compile('<ul><% for (const row of rows) { %><li><%= row.id %>: <%= row.name %></li><% } %></ul>');
    const rows = twenty(records);
    return (id) => render({ rows: rows[id] });
  },
  pug() {
    const render = require('pug').compile('ul\n  each row in rows\n    li(class=row.tags[0])= row.name\n');
    const rows = twenty(records);
    return (id) => render({ rows: rows[id] });
  },
  mustache() {
    const mustache = require('mustache');
    const rows = twenty(records);
    return (id) => mustache.render('{{#rows}}<li>{{id}}: {{name}}</li>{{/rows}}', { rows: rows[id] });
  },
  nunjucks() {
    const nunjucks = require('nunjucks');
    const rows = twenty(records);
    return (id) => nunjucks.renderString('{% for row in rows %}<li>{{ row.id }}: {{ row.name | upper }}</li>{% endfor %}', { rows: rows[id] });
  },
  // Data
  lodash() {
    const _ = require('lodash');
    const rows = twenty((id) => records(id, 400));
    return (id) => _(_.cloneDeep(rows[id])).groupBy('address.city').mapValues((group) => _.sumBy(group, 'score')).value();
  },
  ramda() {
    const R = require('ramda');
    const rows = twenty((id) => records(id, 400));
    const report = R.pipe(R.filter(R.propSatisfies((age) => age > 30, 'age')), R.groupBy(R.path(['address', 'city'])), R.map(R.length));
    return (id) => report(rows[id]);
  },
  immutable() {
    const { fromJS } = require('immutable');
    const rows = twenty(records);
    return (id) => fromJS(rows[id]).sortBy((row) => row.get('score')).map((row) => row.set('seen', true)).toJS();
  },
  immer() {
    const { produce } = require('immer');
    const rows = twenty((id) => records(id, 400));
    return (id) => produce(rows[id], (draft) => draft.forEach((row) => row.age > 40 && row.tags.push('old'))).length;
  },
  rxjs() {
    const { from, filter, map, reduce } = require('rxjs');
    const rows = twenty((id) => records(id, 400));
    return (id) => {
      let sum;
      from(rows[id])
        .pipe(filter((row) => row.age > 30), map((row) => row.score), reduce((a, b) => a + b, 0))
        .subscribe((value) => (sum = value));
      return String(sum);
    };
  },
  ajv() {
    const Ajv = require('ajv');
    const strings = { type: 'array', items: { type: 'string' } };
    const row = { type: 'object', properties: { id: { type: 'integer' }, age: { type: 'number', maximum: 70 }, tags: strings }, required: ['id', 'email'] };
    const validate = new Ajv({ allErrors: true }).compile({ type: 'array', items: row });
    const rows = twenty(records);
    return (id) => (validate(rows[id]) ? 'fine' : validate.errors.map((error) => `${error.instancePath} ${error.message}`));
  },
  zod() {
    const { z } = require('zod');
    const schema = z.array(z.object({ id: z.number(), email: z.string().email(), age: z.number().max(120), tags: z.array(z.string()) }));
    const rows = twenty(records);
    return (id) => schema.safeParse(rows[id]).success;
  },
  joi() {
    const Joi = require('joi');
    const schema = Joi.array().items(Joi.object({ id: Joi.number().integer(), email: Joi.string().email(), age: Joi.number().max(120) }).unknown());
    const rows = twenty(records);
    return (id) => String(schema.validate(rows[id]).error);
  },
  validator() {
    const validator = require('validator');
    const rows = twenty(records);
    return (id) => rows[id].filter((row) => validator.isEmail(row.email) && validator.isISO8601(row.joined)).length;
  },
  // Formats
  'js-yaml'() {
    const yaml = require('js-yaml');
    const texts = twenty((id) => yaml.dump(records(id, 30)));
    return (id) => yaml.load(texts[id]);
  },
  yaml() {
    const YAML = require('yaml');
    const texts = twenty((id) => YAML.stringify(records(id, 30)));
    return (id) => YAML.parse(texts[id]);
  },
  'fast-xml-parser'() {
    const { XMLParser } = require('fast-xml-parser');
    const parser = new XMLParser({ ignoreAttributes: false });
    const texts = twenty(xml);
    return (id) => parser.parse(texts[id]);
  },
  xml2js() {
    const { parseStringPromise } = require('xml2js');
    const texts = twenty(xml);
    return (id) => parseStringPromise(texts[id]);
  },
  papaparse() {
    const Papa = require('papaparse');
    const texts = twenty(csv);
    return (id) => Papa.parse(texts[id], { header: true, dynamicTyping: true }).data;
  },
  'csv-parse'() {
    const { parse } = require('csv-parse/sync');
    const texts = twenty(csv);
    return (id) => parse(texts[id], { columns: true });
  },
  qs() {
    const qs = require('qs');
    const texts = twenty((id) => qs.stringify({ rows: records(id, 20) }));
    return (id) => qs.parse(texts[id], { depth: 5, parameterLimit: 5000, arrayLimit: 100 });
  },
  'iconv-lite'() {
    const iconv = require('iconv-lite');
    const texts = twenty((id) => iconv.encode(`${sentence(numbers(id), 2000)} é ü ñ`, 'win1252'));
    return (id) => iconv.encode(iconv.decode(texts[id], 'win1252'), 'utf16').length;
  },
  '@msgpack/msgpack'() {
    const { decode, encode } = require('@msgpack/msgpack');
    const rows = twenty(records);
    return (id) => decode(encode(rows[id]));
  },
  protobufjs() {
    const { root } = require('protobufjs').parse('syntax = "proto3"; message Row { int32 id = 1; string name = 2; repeated string tags = 3; double score = 4; } message Rows { repeated Row rows = 1; }');
    const Rows = root.lookupType('Rows');
    const rows = twenty((id) => Rows.encode(Rows.fromObject({ rows: records(id) })).finish());
    return (id) => Rows.toObject(Rows.decode(rows[id]));
  },
  // Bytes and pictures
  pngjs() {
    const { PNG } = require('pngjs');
    const files = twenty((id) => PNG.sync.write({ width: 96, height: 96, data: pixels(id, 96, 96) }));
    return (id) => {
      const png = PNG.sync.read(files[id]);
      for (let at = 0; at < png.data.length; at += 4) png.data[at] = 255 - png.data[at];
      return PNG.sync.write(png).toString('base64');
    };
  },
  'jpeg-js'() {
    const jpeg = require('jpeg-js');
    const files = twenty((id) => jpeg.encode({ width: 96, height: 96, data: pixels(id, 96, 96) }, 80).data);
    return (id) => jpeg.encode(jpeg.decode(files[id]), 50).data.toString('base64');
  },
  pako() {
    const pako = require('pako');
    const texts = twenty(markdown);
    return (id) => Buffer.from(pako.deflate(texts[id])).toString('base64');
  },
  qrcode() {
    const { create } = require('qrcode');
    return (id) => Buffer.from(create(`https://example.org/orders/${id}?${WORDS[id % 16]}`).modules.data).toString('base64');
  },
  // Secrets
  bcryptjs() {
    const bcrypt = require('bcryptjs');
    return (id) => bcrypt.hashSync(`secret ${id}`, '$2a$04$abcdefghijklmnopqrstuu');
  },
  jsonwebtoken() {
    const jwt = require('jsonwebtoken');
    return (id) => jwt.verify(jwt.sign({ sub: id, iat: 1700000000 }, 'secret'), 'secret', { ignoreExpiration: true });
  },
  'node-forge'() {
    const forge = require('node-forge');
    const texts = twenty(markdown);
    return (id) => forge.md.sha256.create().update(texts[id]).digest().toHex();
  },
  'crypto-js'() {
    const CryptoJS = require('crypto-js');
    const texts = twenty(markdown);
    return (id) => CryptoJS.SHA256(texts[id]).toString();
  },
  // Dates, versions, patterns, searching
  dayjs() {
    const dayjs = require('dayjs');
    const rows = twenty(records);
    return (id) => rows[id].map((row) => dayjs(row.joined).add(row.age, 'day').format('YYYY-MM-DD'));
  },
  luxon() {
    const { DateTime } = require('luxon');
    const rows = twenty(records);
    return (id) => rows[id].map((row) => DateTime.fromISO(row.joined, { zone: 'utc' }).plus({ days: row.age }).toISODate());
  },
  moment() {
    const moment = require('moment');
    const rows = twenty(records);
    return (id) => rows[id].map((row) => moment.utc(row.joined).add(row.age, 'days').format('YYYY-MM-DD'));
  },
  'date-fns'() {
    const { addDays, formatISO, parseISO } = require('date-fns');
    const rows = twenty(records);
    return (id) => rows[id].map((row) => formatISO(addDays(parseISO(row.joined), row.age)));
  },
  semver() {
    const semver = require('semver');
    const versions = twenty((id) => Array.from({ length: 200 }, (_, at) => `${at % 7}.${(at * id) % 13}.${at}`));
    return (id) => semver.maxSatisfying(versions[id], '>=2.1.0 <6') + semver.sort([...versions[id]])[7];
  },
  micromatch() {
    const micromatch = require('micromatch');
    const paths = twenty((id) => Array.from({ length: 200 }, (_, at) => `src/${WORDS[at % 16]}/${WORDS[(at * id) % 16]}-${at}.ts`));
    return (id) => micromatch(paths[id], ['src/{river,lamp,road}/**/*.ts', '!**/*-1?.ts']);
  },
  uuid() {
    const { v5 } = require('uuid');
    return (id) => Array.from({ length: 50 }, (_, at) => v5(`${id}/${at}`, v5.URL));
  },
  'fuse.js'() {
    const Fuse = require('fuse.js');
    const search = new Fuse(records(1, 300), { keys: ['name', 'email', 'address.city'] });
    return (id) => search.search(WORDS[id % 16]).length;
  },
  diff() {
    const { createPatch } = require('diff');
    const files = twenty(code);
    return (id) => createPatch('file.js', files[id], files[(id + 1) % 20]);
  },
  // Mathematics, maps
  '@turf/turf'() {
    const turf = require('@turf/turf');
    const points = twenty((id) => turf.points(records(id).map((row) => [row.age / 10, row.score / 10])));
    return (id) => turf.area(turf.buffer(turf.convex(points[id]), 5, { units: 'kilometers' })).toFixed(3);
  },
  mathjs() {
    const math = require('mathjs');
    return (id) => String(math.evaluate(`det([${id + 1}, 2, 3; 4, 5 + ${id}, 6; 7, 8, 10]) + sqrt(3^2 + 4^2) * sin(${id} rad)`));
  },
  // Tools that run in services
  acorn() {
    const acorn = require('acorn');
    const files = twenty(code);
    return (id) => acorn.parse(files[id], { ecmaVersion: 'latest' }).body.length;
  },
  '@babel/parser'() {
    const { parse } = require('@babel/parser');
    const files = twenty(code);
    return (id) => parse(files[id]).program.body.length;
  },
  terser() {
    const { minify } = require('terser');
    const files = twenty(code);
    return (id) => minify(files[id]).then(({ code: text }) => text);
  },
  prettier() {
    const prettier = require('prettier');
    const files = twenty(code);
    return (id) => prettier.format(files[id], { parser: 'babel' });
  },
  postcss() {
    const postcss = require('postcss');
    const sheets = twenty(css);
    return (id) => {
      const root = postcss.parse(sheets[id]);
      root.walkDecls('margin', (declaration) => void (declaration.value += ' !important'));
      return root.toString();
    };
  },
  graphql() {
    const { buildSchema, graphql } = require('graphql');
    const schema = buildSchema('type Row { id: Int name: String tags: [String] } type Query { rows(city: String): [Row] }');
    const rows = twenty(records);
    return (id) => graphql({ schema, source: '{ rows { id name tags } }', rootValue: { rows: () => rows[id] } }).then(({ data }) => data);
  },
};

const name = process.argv[2];
if (name === 'list') {
  console.log(Object.keys(services).join('\n'));
  process.exit();
}
const answer = services[name]?.();
if (answer === undefined) {
  console.error('usage: node service.js PACKAGE; node service.js list');
  process.exit(2);
}
const server = http.createServer(async (request, response) => {
  if (request.url === '/light') return response.end('ok');
  try {
    const value = await answer(Number(request.url.slice(1)));
    response.end(typeof value === 'string' ? value : JSON.stringify(value));
  } catch (error) {
    response.statusCode = 500;
    response.end(String(error));
  }
});
server.listen(0, '127.0.0.1', () => console.log(`listening on 127.0.0.1:${server.address().port}`));
process.on('SIGTERM', () => process.exit(0));
