function work(n) {
  let s = n;
  for (let i = 0; i < 400000; i++) s = (s * 31 + i) % 1000003;
  return s;
}
let left = 12;
const next = () => { process.stdout.write(left + ' ' + work(left) + '\n'); if (--left > 0) setImmediate(next); };
next();
