// Line and column of every frame, in functions that are regions and in those that are not.
function thrower(n) { let s = 0; for (let i = 0; i < 3; i++) { s += i; if (s > n) throw new Error('s' + s); } return s; }
const arrow = (n) => { for (let i = 0; i < 2; i++) thrower(n + i); };
class K { static m(n) { for (let i = 0; i < 2; i++) arrow(n); return 1; } get g() { return K.m(0); } }
const expr = (n) => [1, 2].map((x) => thrower(n - x));
function event(f) {
  try { f(); } catch (e) {
    console.log(e.stack.split('\n').filter((l) => !l.includes('node:')).join('\n').replaceAll(__dirname, ''));
  }
}
setImmediate(event, () => thrower(0));
setImmediate(event, () => K.m(1));
setImmediate(event, () => new K().g);
setImmediate(event, () => expr(2)); setImmediate(event, () => { let o; for (let i = 0; i < 2; i++) o.x = i; });
setImmediate(event, () => { null.f(); });
setImmediate(event, async () => 1);
