'use strict';
// What handlers do before they compute could be done ahead, were it not for code of the program's in odd places: elements
// that are getters, methods and classes of its own where those of the language are expected, values that are converted.
let calls = 0;
const note = (value) => (calls++, value);

function heavy(n) {
  let sum = 0;
  for (let i = 0; i < 3000; i++) sum = (sum * 31 + i * n) % 10007;
  return sum;
}

const list = [1, 2, 3];
Object.defineProperty(list, 1, { get: () => note(2), configurable: true });
class Mine extends Array {
  constructor(...items) {
    super(...items);
    calls++;
  }
}
const mine = Mine.from([4, 5, 6]);
const odd = [7, 8];
odd.constructor = { [Symbol.species]: Mine };
const index = /b+/;
index.lastIndex = { valueOf: () => note(0) };
const replaced = /c/;
replaced[Symbol.replace] = () => note('x');
const tested = /d/;
tested.exec = () => note(null);
const bytes = Buffer.from('bytes');
bytes.utf8Slice = () => note('own');
const params = new Proxy(new URLSearchParams('a=1'), { getPrototypeOf: (target) => note(Reflect.getPrototypeOf(target)) });
const { trim } = String.prototype;

const handlers = [
  (what) => console.log(what, heavy(list.indexOf(3)), calls),
  (what) => console.log(what, heavy(list.slice(0, 2).length), calls),
  (what) => console.log(what, heavy(list.at(1)), calls),
  (what) => console.log(what, heavy(mine.slice(1).length), calls),
  (what) => console.log(what, heavy(odd.slice(1).length), calls),
  (what) => console.log(what, heavy(index.test('abb') ? 1 : 2), calls),
  (what) => console.log(what, heavy('abc'.replace(replaced, 'y').length), calls),
  (what) => console.log(what, heavy(tested.test('d') ? 1 : 2), calls),
  (what) => console.log(what, heavy(bytes.toString().length), calls),
  (what) => console.log(what, heavy(params instanceof URLSearchParams ? 1 : 2), calls),
  (what) => console.log(what, heavy(' a '.trim().length), calls),
  (what) => console.log(what, heavy(new URL('http://a/b').pathname.length), calls),
];

function round(what, next) {
  for (let turn = 0; turn < 3; turn++) for (const handler of handlers) setImmediate(handler, what);
  setImmediate(() => setTimeout(next, 20));
}

round('before', () => {
  String.prototype.trim = function () {
    calls++;
    return trim.call(this);
  };
  const RealURL = URL;
  globalThis.URL = class extends RealURL {
    constructor(text) {
      super(text);
      calls++;
    }
  };
  round('patched', () => console.log('calls', calls));
});
