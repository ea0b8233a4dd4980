// Causes, aggregate errors, extended errors, and how console prints them.
class Failure extends Error {
  name = 'Failure';
  constructor(message, options) {
    super(message, options);
    this.code = 42;
  }
}
function fail(n) {
  for (let i = 0; i < n; i++) {
    if (i === 2) throw new Failure('third', { cause: new TypeError('root') });
  }
  throw new AggregateError([new Error('a'), 'b'], 'many');
}
for (let i = 2; i < 4; i++) {
  setImmediate(() => {
    try {
      fail(i);
    } catch (e) {
      delete e.stack;
      console.log(e.name, e.message, e.code, e.cause?.message, e.errors?.length, e instanceof Failure, Object.keys(e));
    }
  });
}
