// Short sites lose their guards for the next start: with a bracket in a text that a preview has. Runs for some five seconds.
function work(n, text) { let s = n; for (let i = 0; i < 3; i++) s = (s * 31 + text.charCodeAt(i % text.length)) % 1000003; return s; }
let seen = 0;
function all(list, log) {
  log.push(list.length);
  for (let r = 0; r < 2; r++) {
    const put = (box) => { box.n = work(r, ')'); };
    const box = { n: 0 };
    put(box);
    seen += box.n;
  }
  return seen;
}
let turn = 0;
const timer = setInterval(() => {
  all([1, 2], []); all([3], []); all([4, 5], []); all([6], []);
  if (++turn === 55) { clearInterval(timer); console.log(seen, all.toString().length); }
}, 100);
