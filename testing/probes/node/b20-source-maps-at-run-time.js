const module_ = require('node:module');
process.setSourceMapsEnabled(true);
const lib = require('./lib/heavy.js');
console.log(module_.findSourceMap(require.resolve('./lib/heavy.js')) === undefined, lib.work(2));
console.log(process.moduleLoadList.filter((x) => /worker_threads|inspector|Internal/.test(x)).length < 500);
