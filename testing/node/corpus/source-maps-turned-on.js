// A module that is loaded while node reads source maps has none.
const module_ = require('node:module');
process.setSourceMapsEnabled(true);
const lib = require('./modules/heavy.js');
console.log(module_.findSourceMap(require.resolve('./modules/heavy.js')) === undefined, lib.work(2));
console.log(process.moduleLoadList.filter((x) => /worker_threads|inspector|Internal/.test(x)).length < 500);
