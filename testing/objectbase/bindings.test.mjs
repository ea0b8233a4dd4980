// The package for Node: what is written is read, by this process and others; what cannot be done is told. FOLDER is an
// empty folder for the stores; PACKAGE is the package's folder.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once, EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

const require = createRequire(import.meta.url);
const { Double, ObjectId, ObjectbaseError, Store } = require(process.env.PACKAGE);
let stores = 0;
const place = () => path.join(process.env.FOLDER, `store${(stores += 1)}`);
const told = (text) => (error) => error instanceof ObjectbaseError && error.message.includes(text);

test('every kind of value comes back', () => {
  const store = Store.create(place());
  const any = store.define('Any', ['value', 'other']);
  const values = [
    ...[0, -1, Number.MAX_SAFE_INTEGER, 2n ** 63n - 1n, -(2n ** 63n), 1.5, -0, Infinity, NaN],
    ...['', 'short', 'z\0ero', 'günstig 世界 and longer than a word', Buffer.alloc(0), Buffer.from([0, 255])],
    Buffer.alloc(10_000, 'x'),
  ];
  const [ids, link] = store.transaction((change) => {
    const made = values.map((value) => change.create(any, { value }));
    assert.deepEqual(change.get(made[3], 'value'), values[3]);
    return [made, change.create(any, { value: made[3] })];
  });
  values.forEach((value, i) => assert.deepEqual(store.read(ids[i], (version) => version.get('value')), value));
  assert.ok(store.read(link, (version) => version.values()).value.equals(ids[3]));
  assert.equal(store.integer(ids[2], 0), Number.MAX_SAFE_INTEGER);
  assert.equal(store.integer(ids[3], 0), 2n ** 63n - 1n);
  assert.equal(store.number(ids[5], 0), 1.5);
  assert.ok(store.reference(link, 0).equals(ids[3]));
  assert.equal(store.integer(ids[5], 0), undefined);
  store.transaction((change) => change.set(ids[0], 'value', new Double(3)));
  assert.equal(store.number(ids[0], 0), 3);
  store.transaction((change) => change.set(ids[0], 'value', undefined));
  assert.deepEqual(store.read(ids[0], (version) => version.values()), {});
  store.transaction((change) => change.set(ids[0], 'value', new Uint16Array([1, 2]).subarray(1)));
  assert.deepEqual(store.read(ids[0], (version) => version.get(0)), Buffer.from([2, 0]));
});

test('a view is of the shared memory', () => {
  const store = Store.create(place());
  const note = store.define('Note', ['data']);
  const made = store.transaction((change) => change.create(note, { data: Buffer.from('first'.repeat(100)) }));
  const version = store.read(made);
  const view = version.view('data');
  store.transaction((change) => change.set(made, 'data', Buffer.from('other'.repeat(100))));
  assert.equal(Buffer.from(view).toString(), 'first'.repeat(100));
  version.close();
  version.close();
  assert.throws(() => version.get('data'), told('version was closed already'));
  store.close();
  assert.throws(() => store.read(made), told('store was closed already'));
});

test('a transaction is all or nothing', () => {
  const store = Store.create(place());
  const note = store.define('Note', ['text']);
  const made = store.transaction((change) => change.create(note, { text: 'before' }));
  assert.equal(store.commit, 1);
  let kept;
  assert.throws(
    () =>
      store.transaction((change) => {
        kept = change;
        change.set(made, 'text', 'after');
        throw new RangeError('stop');
      }),
    RangeError,
  );
  assert.throws(() => kept.set(made, 'text', 'late'), told('has ended already'));
  assert.throws(() => store.transaction(async () => {}), told('waits for nothing'));
  assert.equal(store.commit, 1);
  assert.equal(store.read(made, (version) => version.get('text')), 'before');
  store.transaction((change) => change.erase(made));
  assert.equal(store.read(made), undefined);
});

test('what cannot be done is told', () => {
  const where = place();
  assert.throws(() => Store.open(where), told('cannot be opened: No such file'));
  const store = Store.create(where, { limit: 2 ** 20 });
  assert.throws(() => Store.create(where), told('exists already'));
  const note = store.define('Note', ['text']);
  const made = store.transaction((change) => {
    const id = change.create(note);
    assert.throws(() => change.set(id, 'size', 1), told('class Note has no slot size; it has: text'));
    assert.throws(() => change.set(id, 'text', 2n ** 63n), told('64 bits'));
    assert.throws(() => change.set(id, 'text', []), TypeError);
    assert.throws(() => change.set(7, 'text', 1), TypeError);
    assert.throws(() => change.set(new ObjectId(99), 0, 1), told('there is no object 99'));
    assert.throws(() => change.set(new ObjectId(99), 'text', 1), told('there is no object 99'));
    assert.throws(() => change.set(id, 'text', 'x'.repeat(2 ** 21)), told('is full'));
    assert.throws(() => store.transaction(() => {}), told('has a transaction already'));
    return id;
  });
  const reader = Store.open(where);
  assert.throws(() => reader.transaction(() => {}), told('opened to read'));
  const versions = Array.from({ length: 64 }, () => reader.read(made));
  assert.throws(() => reader.read(made), told('64 pins and snapshots already'));
  versions.forEach((version) => version.close());
  assert.ok(reader.read(made));
});

test('snapshots stay, classes grow', () => {
  const where = place();
  const store = Store.create(where);
  const note = store.define('Note', ['number']);
  const ids = store.transaction((change) => [0, 1, 2, 3].map((number) => change.create(note, { number })));
  const before = store.snapshot();
  store.define('Note', ['number', 'more']);
  store.transaction((change) => {
    change.erase(ids[0]);
    change.set(ids[1], 'more', 'x');
  });
  assert.deepEqual([...before].length, 4);
  assert.deepEqual(
    Array.from(before, (version) => version.get('number')),
    [0, 1, 2, 3],
  );
  before.close();
  assert.deepEqual(
    Array.from(Store.open(where).snapshot(), (version) => version.values()),
    [{ number: 1, more: 'x' }, { number: 2 }, { number: 3 }],
  );
  assert.deepEqual(Store.open(where).classes[0].slots, ['number', 'more']);
});

test('changes of others are told', { timeout: 30_000 }, async () => {
  const where = place();
  const store = Store.create(where);
  const note = store.define('Note', ['text']);
  const [made, other] = store.transaction((change) => [change.create(note), change.create(note)]);
  const events = new EventEmitter();
  const watch = store.watch((changes) => events.emit('changes', changes));
  const ofOther = store.watch(other, () => events.emit('other'));
  let others = 0;
  events.on('other', () => (others += 1));
  const code = `
    const { ObjectId, Store } = require(process.env.PACKAGE);
    const store = Store.open(process.argv[1], { write: true });
    store.transaction((change) => change.set(new ObjectId(process.argv[2]), 'text', 'from there'));`;
  const heard = once(events, 'changes');
  execFileSync(process.execPath, ['-e', code, where, String(made)]);
  const [changes] = await heard;
  assert.ok(changes.objects[0].equals(made));
  assert.equal(store.read(made, (version) => version.get('text')), 'from there');
  for (let i = 0; i < 100; i += 1) store.transaction((change) => change.set(made, 'text', String(i)));
  let count = 0;
  events.on('changes', () => (count += 1));
  await sleep(50);
  assert.ok(count >= 1 && count < 10, `${count} notifications of 100 transactions that nobody waited for`);
  assert.equal(others, 0);
  watch.close();
  ofOther.close();
});

test('a watch that nobody holds open lets the process end', () => {
  const code = `
    const { Store } = require(process.env.PACKAGE);
    Store.create(process.argv[1]).watch(() => {}).unref();`;
  execFileSync(process.execPath, ['-e', code, place()], { timeout: 20_000 });
});

test('nobody keeps a store', async () => {
  const store = Store.create(place());
  assert.equal(await store.waitUntilKept(1, 5), false);
});
