// Texts of functions, and stacks, stay the same however often they are asked for, and those of different ones apart.
function loop(n) { let s = 0; for (let i = 0; i < n; i++) s += i; return s; }
const arrow = (list) => list.map((one) => { let s = one; for (const x of list) s += x; return s; });
const price = (n) => `costs $${n} for ${[n].map((one) => { for (let i = 0; i < 3; i++) one += i; return one; })}`;
const plain = (n) => n + 1;
const marked = new Function('n', ['/*', 'h site x*/let s = 0; for (let i = 0; i < n; i++) s += i; return s;/*h', '*/'].join('$'));
class Shape { static #sides = 4; area(n) { let s = 0; for (let i = 0; i < n; i++) s += Shape.#sides; return s; } get sides() { return Shape.#sides; } }
const functions = { loop, arrow, price, plain, marked, Shape, area: Shape.prototype.area, setTimeout, bound: loop.bind(null), max: Math.max, toString: Function.prototype.toString, proxy: new Proxy(loop, {}) };
for (const [name, one] of Object.entries(functions)) {
  const texts = Array.from({ length: 40 }, (_, at) => (at % 2 ? String(one) : Function.prototype.toString.call(one)));
  console.log(name, new Set(texts).size, texts[39]);
}
const fresh = Array.from({ length: 40 }, (_, k) => String((0, eval)(`(n) => { let s = ${k}; for (let i = 0; i < n; i++) s += i; return s; }`)));
console.log(new Set(fresh).size, fresh[39]);
for (const odd of [undefined, 1, {}, Object.create(loop)]) {
  try { Function.prototype.toString.call(odd); } catch (error) { console.log(error instanceof TypeError, error.message); }
}
// Two places in one line, stacks of one length; and messages that look like frames.
function thrown(message, second) { let s = 0; for (let i = 0; i < 3; i++) s += i; return second && s ? new Error(message) : new TypeError(message).stack && new Error(message); }
const place = (k) => { let s = 0; for (let i = 0; i < 3; i++) s += i; return [() => new Error('k'), () => new Error('k'), () => new Error('k')][k + s - 3](); };
const tail = (error) => error.stack.split('\n').filter((line) => /asked-again|fake|^\S/.test(line)).map((line) => line.replace(/\(.*[\\/]/, '(')).join('|');
const messages = ['x', 'y\n    at fake (a.js:1:1)', '', 'z\n    at fake (a.js:1:1)\n    at fake (a.js:2:1)'];
const seen = new Map();
for (let round = 0; round < 10; round++) {
  for (const message of messages) for (const second of [true, false]) {
    const found = tail(thrown(message, second));
    const key = `${JSON.stringify(message)} ${second}`;
    seen.set(key, (seen.get(key) ?? new Set()).add(found));
  }
}
for (const [key, found] of seen) console.log(key, [...found]);
for (let k = 0; k < 12; k++) console.log(tail(place(k % 3)));
const deep = (n) => { let s = 0; for (let i = 0; i < 3; i++) s += i; return n > 0 ? deep(n - 1) : new Error('deep'); };
for (let n = 0; n < 4; n++) console.log(n, tail(deep(n)), tail(deep(n)) === tail(deep(n)));
Error.stackTraceLimit = 1;
console.log(tail(thrown('short', true)));
