// Takes scripts through heddle-node's transform alone, and runs each text before and after in a context of its own.
//
//   node transformed_scripts.mjs [--harness FOLDER] [--part K/N] FOLDER...
//
// Reads the .js and .mjs files below the folders. Modules are files named .module.js or .mjs, and those whose first line
// says so in the way that SpiderMonkey's runner reads. With --harness, every shell.js from that folder down to a
// script's own runs before the script, and each script runs once more with a loop in all of its blocks. With --part,
// only every N-th file is read, beginning with the K-th.
//
// Prints JSON: how many texts were read, got insertions, were run, ended without an exception, and had a region
// replaced; and a list of what differs. Two runs are the same if both do not parse, or both end alike: with the same
// value and output, also of what promises do afterwards, or an error of the same kind and message. There are three:
// plain, with the guards off, and with regions replaced by their programs. Modules are parsed only. Loops that do not
// end are cut off.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { inspect, parseArgs } from 'node:util';
import vm from 'node:vm';
import * as acorn from '../../node/node_modules/acorn/dist/acorn.mjs';
import { ReferenceHome } from '../../node/dist/testing/reference-home.js';
import { transform } from '../../node/dist/transform/transform.js';

const milliseconds = 200;
const patience = 10_000; // where only one of two was cut off: the machine may be busy
const endless = 'endless';
const key = 'script';
const { values: options, positionals: folders } = parseArgs({
  options: { harness: { type: 'string' }, part: { type: 'string', default: '0/1' } },
  allowPositionals: true,
});

// Scripts reject promises that nobody waits for.
process.on('unhandledRejection', () => {});

const preludes = new Map();

/** What runs before the scripts of a folder: outermost first. */
function prelude(folder) {
  if (!preludes.has(folder)) {
    const outer = relative(options.harness, folder) === '' ? [] : prelude(dirname(folder));
    const file = join(folder, 'shell.js');
    const own =
      existsSync(file) && statSync(file).size > 0
        ? [new vm.Script(readFileSync(file, 'utf8'), { filename: file })]
        : [];
    preludes.set(folder, [...outer, ...own]);
  }
  return preludes.get(folder);
}

/** The text as node compiles a module of that kind. */
function wrapped(text, kind) {
  return kind === 'commonjs' ? `(function (exports, require, module) {${text}\n}).call({}, {}, undefined, {})` : text;
}

const failed = 'failed: ';

/** A text without what was inserted. */
const without = (text) => text.replace(/\/\*\$h[^]*?\/\*h\$\*\//g, '');

/** Home shows functions as they were written; there is none here. */
const showAsWritten = new vm.Script(`(without) => {
  const shown = Reflect.apply.bind(undefined, Function.prototype.toString);
  const { toString } = { toString() { return without(shown(this, [])); } };
  Object.defineProperty(Function.prototype, 'toString', { value: toString, writable: true, configurable: true });
}`);

/** A realm with what SpiderMonkey's shell has and the harness asks for. */
function newContext(print) {
  const shell = {
    print,
    reportCompare: (...values) => print('reported', ...values),
    reportFailure: (what) => print(`${failed}${what}`),
    createIsHTMLDDA: () => null,
    evaluate: (text) => vm.runInContext(text, context),
    newGlobal: () => vm.runInContext('globalThis', newContext(print)),
  };
  const context = vm.createContext(shell, { microtaskMode: 'afterEvaluate' });
  showAsWritten.runInContext(context)(without);
  return context;
}

const builtins = new vm.Script(
  '[Object, Function, Array, String, Number, Boolean, Symbol, RegExp, Promise].map((one) => one.prototype)' +
    ".concat(Object.getPrototypeOf([][Symbol.iterator]()), Object.getPrototypeOf(''[Symbol.iterator]()))",
);

/** Says later whether what all code goes through is still what it was: home gives no results where it is not. */
function pristine(context) {
  const prototypes = builtins.runInContext(context);
  const values = () =>
    prototypes.flatMap((one) =>
      Reflect.ownKeys(one).flatMap((key) => {
        const { value, get } = Object.getOwnPropertyDescriptor(one, key);
        return [key, value, get];
      }),
    );
  const before = values();
  return () => {
    const now = values();
    return now.length === before.length && now.every((value, at) => value === before[at]);
  };
}

/** How a text ends; with `transformed`, which is its transform, every region that can be is replaced by its program. */
function ending(text, kind, before, transformed, timeout = milliseconds) {
  let script;
  try {
    script = new vm.Script(wrapped(text, kind), { filename: 'program.js' });
  } catch (error) {
    return { parsed: false, said: `${error.name}: ${error.message}` };
  }
  const printed = [];
  const taken = () => home.entered.filter((one) => one.how === 'taken').length;
  const context = newContext((...words) => printed.push(words.map(String).join(' ')));
  const home = new ReferenceHome('take', (program) => vm.runInContext(program, context), pristine(context), context);
  try {
    for (const one of before) one.runInContext(context);
    if (transformed) home.add(key, transformed);
    const value = script.runInContext(context, { timeout });
    const names = Object.keys(context).filter((name) => !name.startsWith('$h') && name !== 'heddleHome');
    const completed = !printed.some((line) => line.startsWith(failed));
    return {
      parsed: true,
      completed,
      taken: taken(),
      said: `${inspect(value, { depth: 1, showProxy: true })} ${names} ${printed}`,
    };
  } catch (error) {
    // How deep the stack is differs, too.
    const cut = error?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' || error?.message === 'Maximum call stack size exceeded';
    if (cut) return { parsed: true, taken: taken(), said: endless };
    return { parsed: true, taken: taken(), said: `${error?.name}: ${error?.message} ${printed}` };
  }
}

function parses(text) {
  try {
    new vm.SourceTextModule(text);
    return true;
  } catch {
    return false;
  }
}

function* scripts(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* scripts(path);
    else if (/\.m?js$/.test(entry.name) && !/^(shell|browser)\.js$/.test(entry.name)) yield path;
  }
}

const result = { files: 0, run: 0, completed: 0, instrumented: 0, taken: 0, different: [] };

/** Says of one text whether it comes through the same. */
function compare(text, name, kind, before) {
  const say = (what) => result.different.push(`${name}: ${what}`);
  result.files++;
  let after;
  try {
    after = transform(text, { key, kind, file: name });
  } catch (error) {
    return say(`the transform threw ${error}`);
  }
  if (without(after.text) !== text) say('the text has changed');
  if (after.text.split('\n').length !== text.split('\n').length) say('lines have moved');
  if (after.text === text) return;
  result.instrumented++;
  if (kind === 'module') {
    if (parses(text) !== parses(after.text)) say('one of the two does not parse');
    return;
  }
  let plain = ending(text, kind, before);
  if (plain.parsed) result.run++;
  if (plain.completed) result.completed++;
  const ends = (home) => {
    let other = ending(after.text, kind, before, home);
    if ((plain.said === endless) !== (other.said === endless)) {
      plain = ending(text, kind, before, undefined, patience);
      other = ending(after.text, kind, before, home, patience);
    }
    return other;
  };
  const guarded = ends(undefined);
  if (plain.parsed !== guarded.parsed || plain.said !== guarded.said) say(`${plain.said} | ${guarded.said}`);
  if (after.sites.length === 0) return;
  const replaced = ends(after);
  if (replaced.taken > 0) result.taken++;
  if (plain.said !== replaced.said) say(`regions replaced: ${plain.said} | ${replaced.said}`);
}

const loop = '{let $sum=0;for(let $at=0;$at<3;$at++)$sum+=$at;}';

/** The same program with a loop at its beginning and at that of each block; null if it does not parse. */
function withLoops(text, kind) {
  const places = [];
  const begin = (statements, start) => {
    const directives = statements.filter((one) => one.directive !== undefined);
    places.push(directives.length > 0 ? [directives.at(-1).end, ';'] : [start, '']);
  };
  const walk = (node) => {
    if (node.type === 'Program') begin(node.body, text.startsWith('#!') ? text.indexOf('\n') : 0);
    else if (node.type === 'BlockStatement') begin(node.body, node.start + 1);
    else if (node.type === 'StaticBlock') begin([], text.indexOf('{', node.start) + 1);
    else if (node.type === 'SwitchCase' && node.consequent.length > 0) begin([], node.consequent[0].start);
    for (const value of Object.values(node)) {
      for (const one of Array.isArray(value) ? value : [value]) if (typeof one?.type === 'string') walk(one);
    }
  };
  try {
    const sourceType = kind === 'module' ? 'module' : 'script';
    walk(
      acorn.parse(text, { ecmaVersion: 'latest', sourceType, allowReturnOutsideFunction: true, allowHashBang: true }),
    );
  } catch {
    return null;
  }
  places.sort(([a], [b]) => b - a);
  return places.reduce((made, [at, separator]) => made.slice(0, at) + separator + loop + made.slice(at), text);
}

function compareFile(path, name) {
  const text = readFileSync(path, 'utf8');
  if (options.harness === undefined) {
    const kind = /\.module\.js$|\.mjs$/.test(name) ? 'module' : name.endsWith('.cjs') ? 'commonjs' : 'script';
    return compare(text, name, kind, []);
  }
  const kind = /^\/\/ \|reftest\|[^\n]*\bmodule\b/.test(text) ? 'module' : 'commonjs';
  const before = prelude(dirname(path));
  compare(text, name, kind, before);
  const more = withLoops(text, kind);
  if (more !== null) compare(more, `${name}, with loops`, kind, before);
}

const [first, step] = options.part.split('/').map(Number);
let number = 0;
for (const folder of folders) {
  for (const path of scripts(folder)) {
    if (number++ % step === first) compareFile(path, relative(folder, path));
  }
}
process.stdout.write(JSON.stringify(result));
