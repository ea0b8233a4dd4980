// Classes of the module in regions: a lexer, a parser and its errors, a heap; used before and after somebody changes them.
let made = 0;
let radix = 10;
class Failure extends Error {
  constructor(at, what) {
    super(`${what} at ${at}`);
    this.at = at;
  }
}
class Lexer {
  #at = 0;
  static SPACE = ' ';
  static of(text) {
    made++;
    return new Lexer(text);
  }
  constructor(text) {
    this.text = text;
  }
  get at() {
    return this.#at;
  }
  next() {
    while (this.text[this.#at] === Lexer.SPACE) this.#at++;
    const found = /^(?:\w+|[-+*/()])/.exec(this.text.slice(this.#at));
    if (found === null && this.#at < this.text.length) throw new Failure(this.#at, 'odd');
    this.#at += found ? found[0].length : 0;
    return found ? found[0] : null;
  }
}
const Calculator = class Inner extends class {} {
  constructor(text) {
    super();
    this.text = text;
  }
};
class Parser {
  constructor(text) {
    this.lexer = Lexer.of(text);
    this.token = this.lexer.next();
  }
  take(wanted = this.token) {
    const { token } = this;
    if (token !== wanted) throw new Failure(this.lexer.at, `no ${wanted}`);
    this.token = this.lexer.next();
    return token;
  }
}
class Sums extends Parser {
  sum() {
    let value = this.product();
    while (this.token === '+' || this.token === '-') {
      value = this.take() === '+' ? value + this.product() : value - this.product();
    }
    return value;
  }
  product() {
    let value = this.atom();
    while (this.token === '*' || this.token === '/') {
      value = this.take() === '*' ? value * this.atom() : value / this.atom();
    }
    return value;
  }
  atom() {
    if (this.token !== '(') return parseInt(this.take(), radix);
    this.take();
    const value = this.sum();
    this.take(')');
    return value;
  }
}
function calculate(text) {
  const all = [];
  for (const part of text.split(';')) {
    try {
      all.push(new Sums(part).sum());
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      all.push(`${error.message} (${error instanceof Error})`);
    }
  }
  return all;
}
class Heap {
  items = [];
  push(item) {
    const { items } = this;
    let at = items.push(item) - 1;
    for (let up = (at - 1) >> 1; at > 0 && items[up][0] > items[at][0]; up = (at - 1) >> 1) {
      [items[up], items[at]] = [items[at], items[up]];
      at = up;
    }
    return this;
  }
  pop() {
    this.items.sort((a, b) => a[0] - b[0]);
    return this.items.shift();
  }
}
function distances(graph, from) {
  const heap = new Heap().push([0, from]);
  const found = {};
  while (heap.items.length > 0) {
    const [far, name] = heap.pop();
    if (name in found) continue;
    found[name] = far;
    for (const [next, more] of Object.entries(graph[name] ?? {})) heap.push([far + more, next]);
  }
  return found;
}
const odd = (text) => {
  let n = 0;
  for (const part of text.split(';')) n += new Calculator(part).text.length;
  return n;
};
const texts = ['1 + 2 * (3 - 4); 7 / 2', '2 *; (1', '1 ? 2; a1', ' 12; (((5)))'];
const graph = { a: { b: 2, c: 9 }, b: { c: 3, d: 1 }, c: { a: 1 } };
const round = (name) => {
  for (const text of texts) setImmediate(() => console.log(name, calculate(text).join(' | '), made, odd(text)));
  for (const from of ['a', 'b', 'x']) setImmediate(() => console.log(name, distances(graph, from)));
};
round('plain');
setImmediate(() => {
  radix = 16;
  round('hex');
  setImmediate(() => {
    const heap = Object.getPrototypeOf(new Heap());
    heap.pop = function () {
      return this.items.pop();
    };
    round('heap');
    setImmediate(() => {
      Reflect.set(Lexer, 'SPACE', '_');
      round('lexer');
    });
  });
});
