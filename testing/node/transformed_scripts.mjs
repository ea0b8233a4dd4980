// Takes scripts through heddle-node's transform alone, and runs each text before and after in a context of its own.
//
//   node transformed_scripts.mjs FOLDER...    the .js and .module.js files of the folders
//
// Prints JSON: how many files were read, got insertions, and were run, and a list of what differs. Two runs are the same if
// both do not parse, or both end alike: with the same value, or an error of the same kind and message. Modules are parsed
// only. Loops that do not end are cut off under both.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import vm from 'node:vm';
import { transform } from '../../node/dist/transform/transform.js';

const milliseconds = 200;

function ending(text) {
  let script;
  try {
    script = new vm.Script(text, { filename: 'program.js' });
  } catch (error) {
    return { parsed: false, said: `${error.name}: ${error.message}` };
  }
  const printed = [];
  const context = vm.createContext({ print: (...words) => printed.push(words.map(String).join(' ')), process: { getBuiltinModule: () => ({}) } });
  try {
    const value = script.runInContext(context, { timeout: milliseconds });
    const names = Object.keys(context).filter((name) => !name.startsWith('$h'));
    return { parsed: true, said: `${inspect(value, { depth: 1, showProxy: true })} ${names} ${printed}` };
  } catch (error) {
    return { parsed: true, said: error?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? 'endless' : `${error?.name}: ${error?.message}` };
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

const result = { files: 0, run: 0, instrumented: 0, different: [] };
for (const folder of process.argv.slice(2)) {
  for (const name of readdirSync(folder).sort()) {
    const isModule = /\.module\.js$|\.mjs$/.test(name);
    const text = readFileSync(join(folder, name), 'utf8');
    result.files++;
    let after;
    try {
      const kind = isModule ? 'module' : name.endsWith('.cjs') ? 'commonjs' : 'script';
      after = transform(text, { key: name, kind, file: name });
    } catch (error) {
      result.different.push(`${name}: the transform threw ${error}`);
      continue;
    }
    if (after.text.replace(/\/\*\$h[^]*?\/\*h\$\*\//g, '') !== text) result.different.push(`${name}: the text has changed`);
    if (after.text.split('\n').length !== text.split('\n').length) result.different.push(`${name}: lines have moved`);
    if (after.text === text) continue;
    result.instrumented++;
    if (isModule) {
      if (parses(text) !== parses(after.text)) result.different.push(`${name}: one of the two does not parse`);
      continue;
    }
    const [a, b] = [ending(text), ending(after.text)];
    if (a.parsed) result.run++;
    if (a.parsed !== b.parsed || a.said !== b.said) result.different.push(`${name}: ${a.said} | ${b.said}`);
  }
}
process.stdout.write(JSON.stringify(result));
