// `var total = (total || 0) + k`: its value lives on from one run of the loop to the next.
function handle(batches, log) {
  for (const batch of batches) {
    log.push(batch);
    let sum = 0;
    for (let k = 0; k < 400000; k++) {
      var total = ((total || 0) + k + batch) % 1000003;
      sum = (sum * 31 + total) % 1000003;
    }
    log.push(sum);
  }
  return log;
}
const out = [];
for (let k = 0; k < 6; k++) setImmediate(() => console.log(k, handle([k, k + 1, k + 2], []).join()));
