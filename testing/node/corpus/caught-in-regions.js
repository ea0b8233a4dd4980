// Regions that catch what they throw: their own errors, those of the language, too deep a recursion.
class Stop extends RangeError {}
const own = (list) => {
  let n = 0;
  for (const x of list) {
    try {
      if (x < 0) throw new Error(`minus ${-x}`);
      if (x > 9) throw { code: x };
      n += x;
    } catch (error) {
      n += error instanceof Error ? error.message.length : error.code;
    }
  }
  return n;
};
const parsed = (texts) =>
  texts.map((text) => {
    try {
      return JSON.parse(text);
    } catch (error) {
      return error.name;
    }
  });
const depth = (n) => {
  try {
    return n === 0 ? 0 : 1 + depth(n - 1);
  } catch {
    return -1e9;
  }
};
function typed(list) {
  const said = [];
  for (const x of list) {
    try {
      said.push(x.a.b);
    } catch (e) {
      said.push(e.message);
    }
  }
  return said;
}
function stopping(n) {
  let i = 0;
  try {
    for (; ; i++) if (i === n) throw new Stop('here');
  } catch ({ message, constructor: { name } }) {
    return `${name} ${message} ${i}`;
  } finally {
    i = 0;
  }
}
function stop(n) {
  let s = 0;
  for (let i = 0; i < n; i++) {
    try {
      if (i === 3) throw new Stop('three');
      s += i;
    } catch (error) {
      if (error instanceof Stop) s += 100;
    }
  }
  return s;
}
for (let n = 0; n < 6; n++) {
  setImmediate(() => console.log(own([n, -n, n + 7]), parsed([`${n}`, '{', `[${n}]`])));
  setImmediate(() => console.log(depth(n * 10), depth(n === 3 ? 1e6 : 5) < 0, stopping(n), stop(n)));
  setImmediate(() => console.log(typed([{ a: { b: n } }, n % 2 ? {} : { a: 1 }, n === 4 ? null : { a: '' }])));
}
