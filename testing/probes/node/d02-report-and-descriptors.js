const fs = require('node:fs');
function work(n) { let s = n; for (let i = 0; i < 500000; i++) s = (s * 31 + i) % 1000003; return s; }
for (let k = 0; k < 8; k++) setImmediate(() => console.log(k, work(k)));
setTimeout(() => {
  const fd = fs.openSync(__filename);
  const again = fs.openSync(__filename);
  console.log('descriptors', fd, again);
  console.log('workers in a report', process.report.getReport().workers.length, process.report.getReport().header.commandLine.length);
  console.log(process.getActiveResourcesInfo().join(), process._getActiveHandles().length);
}, 50);
