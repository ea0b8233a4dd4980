// Who asks for symbols and for modules of node while a library is loaded.
const asked = [];
const original = Symbol.for;
Symbol.for = function (name) { asked.push(name); return original.call(Symbol, name); };
const got = process.getBuiltinModule;
process.getBuiltinModule = function (name) { asked.push('module ' + name); return got.call(process, name); };
const lib = require('./modules/heavy.js');
console.log(lib.work(3), asked.join());
