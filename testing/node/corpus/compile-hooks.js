// Tools that put themselves between a module's text and node see the text as it was written.
const fs = require('fs');
const Module = require('module');
const path = require('path');
const folder = fs.mkdtempSync(path.join(require('os').tmpdir(), 'compile-hooks-'));
const text = 'exports.sum = function sum(n) { let s = 0; for (let i = 0; i < n; i++) s += i; return s; };';
function use(name) {
  fs.writeFileSync(path.join(folder, name), text);
  const { sum } = require(path.join(folder, name));
  return `${sum(1000)} ${sum}`;
}
console.log(use('first.js'));
const compile = Module.prototype._compile;
Module.prototype._compile = function (given, file, ...rest) {
  console.log('compiles', path.basename(file), given === text);
  return compile.call(this, given, file, ...rest);
};
console.log(use('second.js'));
Module.prototype._compile = compile;
const load = require.extensions['.js'];
require.extensions['.js'] = function (module, file) {
  const own = module._compile;
  module._compile = function (given, ...rest) {
    console.log('loads', path.basename(file), given === text);
    return own.call(this, given, ...rest);
  };
  return load(module, file);
};
console.log(use('third.js'));
require.extensions['.js'] = load;
if (Module.registerHooks) {
  Module.registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (url.endsWith('fourth.js')) console.log('hooked', String(loaded.source) === text);
      return loaded;
    },
  });
  console.log(use('fourth.js'));
}
console.log(Module.register?.name, Module.register?.length, Module.registerHooks?.name, Module.registerHooks?.length);
fs.rmSync(folder, { recursive: true });
