// require: cache, cycles, JSON, module.exports replaced, require.main, filename, children, resolve, extensions.
const a = require('./modules/cycle-a.js');
const data = require('./modules/data.json');
console.log(require('./modules/cycle-a.js') === a, a.name, a.seen, data.list.length, require.main === module);
console.log(module.children.length, require('path').basename(__filename), module.paths.length > 0, this === module.exports, arguments.length);
console.log(require.resolve('./modules/data').endsWith('data.json'), Object.keys(require.cache).length, typeof require.extensions['.js']);
for (let i = 0; i < 4; i++) {
  setImmediate(() => {
    console.log(a.sum(data.list), a.count());
    data.list.push(i);
    if (i === 1) a.sum = (list) => 'replaced ' + list.length;
    if (i === 2) {
      delete require.cache[require.resolve('./modules/cycle-a.js')];
      console.log(require('./modules/cycle-a.js') === a);
    }
  });
}
