// @node >=22
// JSON.rawJSON: an object that JSON.stringify writes as it says.
function text(o, n) {
  let s = n;
  for (let i = 0; i < 400000; i++) s = (s * 31 + i) % 1000003;
  return s + JSON.stringify({ o });
}
const raw = JSON.rawJSON('12345678901234567890');
for (let k = 0; k < 12; k++) setImmediate(() => console.log(k, text(raw, k)));
