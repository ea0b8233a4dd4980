// toJSON, revivers and replacers: program code called by built-ins.
const log = [];
class Temp {
  constructor(n) {
    this.n = n;
  }
  toJSON(key) {
    log.push(key);
    return this.n * 2;
  }
}
function dump(o, n) {
  let s = '';
  for (let i = 0; i < n; i++) s += JSON.stringify(o);
  return s;
}
for (let i = 0; i < 4; i++) {
  setImmediate(() => {
    console.log(dump({ t: new Temp(i), list: [new Temp(1)] }, 2), log.splice(0).join());
    console.log(JSON.parse('[1,{"a":2}]', (k, v) => (log.push(k), typeof v === 'number' ? v + i : v)), log.splice(0).join());
    if (i === 1) Object.prototype.toJSON = function () { return 'grown'; };
    if (i === 2) delete Object.prototype.toJSON;
  });
}
