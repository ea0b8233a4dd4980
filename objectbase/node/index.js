// Objects that processes share: one changes them, the others see them, without a message. index.d.ts says what there is.
'use strict';

const fs = require('node:fs');
const net = require('node:net');
const library = require('./library.js');

const { ObjectbaseError } = library;
const MOST_SAFE = BigInt(Number.MAX_SAFE_INTEGER);
const TYPES = { integer: 1, double: 2, reference: 3, string: 4, bytes: 5 };

class ObjectId {
  constructor(number) {
    this.number = BigInt(number);
    Object.freeze(this);
  }

  equals(other) {
    return other instanceof ObjectId && other.number === this.number;
  }

  toString() {
    return String(this.number);
  }
}

class Double {
  constructor(value) {
    this.value = value;
  }
}

// What forgets to let go of something of the library is reminded when it is collected. What belongs to a store keeps it.
const forgotten = new FinalizationRegistry((held) => held.letGo());

class Held {
  #pointer;
  #letGo;
  #users = 1;
  #owner;

  constructor(pointer, letGo, owner) {
    this.#pointer = pointer;
    this.#letGo = letGo;
    this.#owner = owner?.share();
  }

  get pointer() {
    return this.#pointer;
  }

  share() {
    this.#users += 1;
    return this;
  }

  letGo() {
    this.#users -= 1;
    if (this.#users !== 0) return;
    this.#letGo(this.#pointer);
    this.#owner?.letGo();
  }
}

// What has a Held, and lets it go once: by close(), by `using`, or when it is collected.
class Closable {
  #held;
  #what;

  constructor(pointer, letGo, owner, what) {
    this.#held = new Held(pointer, letGo, owner);
    this.#what = what;
    forgotten.register(this, this.#held, this);
  }

  _held() {
    if (this.#held === undefined) throw new ObjectbaseError(`objectbase: this ${this.#what} was closed already`);
    return this.#held;
  }

  _pointer() {
    return this._held().pointer;
  }

  get isClosed() {
    return this.#held === undefined;
  }

  close() {
    const held = this.#held;
    if (held === undefined) return;
    this.#held = undefined;
    forgotten.unregister(this);
    held.letGo();
  }
}
if (Symbol.dispose !== undefined) Closable.prototype[Symbol.dispose] = Closable.prototype.close;

class Class {
  #store;

  constructor(store, number) {
    this.#store = store;
    this.number = number;
    this.name = nameBy((room, size) => library.className(store._pointer(), number, room, size));
    this.slots = [];
    this._look();
  }

  // Slots are only added.
  _look() {
    for (;;) {
      const slot = this.slots.length;
      const name = nameBy((room, size) => library.slotName(this.#store._pointer(), this.number, slot, room, size));
      if (name === '') return;
      this.slots.push(name);
    }
  }

  slot(name) {
    if (typeof name === 'number') return name;
    if (!this.slots.includes(name)) this._look();
    const place = this.slots.indexOf(name);
    if (place < 0)
      throw new ObjectbaseError(
        `objectbase: class ${this.name} has no slot ${name}; it has: ${this.slots.join(', ')}`,
      );
    return place;
  }
}

class Version extends Closable {
  constructor(pointer, owner, store) {
    super(pointer, library.release, owner, 'version');
    this.id = new ObjectId(library.versionObject(pointer));
    this.type = store._class(library.versionClass(pointer));
  }

  get commit() {
    return Number(library.versionCommit(this._pointer()));
  }

  #found(slot) {
    const found = {};
    library.get(this._pointer(), this.type.slot(slot), found);
    return found;
  }

  get(slot) {
    return valueOf(this.#found(slot));
  }

  view(slot) {
    const { type, bytes, length } = this.#found(slot);
    return type === TYPES.bytes || type === TYPES.string ? library.view(bytes, Number(length)) : undefined;
  }

  values() {
    const all = {};
    this.type.slots.forEach((name, place) => {
      const value = this.get(place);
      if (value !== undefined) all[name] = value;
    });
    return all;
  }
}

class Snapshot extends Closable {
  #store;

  constructor(store) {
    super(library.takeSnapshot(store._pointer()), library.dropSnapshot, store._held(), 'snapshot');
    this.#store = store;
    this.commit = Number(library.snapshotCommit(this._pointer()));
  }

  #version(pointer) {
    return pointer === null ? undefined : new Version(pointer, this._held(), this.#store);
  }

  read(id) {
    return this.#version(library.snapshotRead(this._pointer(), numberOf(id)));
  }

  // Each version is closed when the next one is asked for.
  *[Symbol.iterator]() {
    const place = [0];
    for (;;) {
      const version = this.#version(library.snapshotNext(this._pointer(), place));
      if (version === undefined) return;
      try {
        yield version;
      } finally {
        version.close();
      }
    }
  }
}

class Transaction {
  #pointer;
  #store;
  #types = new Map(); // of objects that it has named, by their numbers

  constructor(store) {
    this.#store = store;
    this.#pointer = library.begin(store._pointer());
  }

  #here() {
    if (this.#pointer === undefined) throw new ObjectbaseError('objectbase: this transaction has ended already');
    return this.#pointer;
  }

  #slot(id, slot) {
    if (typeof slot === 'number') return slot;
    const number = numberOf(id);
    if (!this.#types.has(number)) {
      const type = this.#store.read(id, (version) => version.type);
      if (type === undefined) throw new ObjectbaseError(`objectbase: there is no object ${number}`);
      this.#types.set(number, type);
    }
    return this.#types.get(number).slot(slot);
  }

  create(type, values = {}) {
    const id = new ObjectId(library.make(this.#here(), type.number));
    this.#types.set(id.number, type);
    for (const [slot, value] of Object.entries(values)) this.set(id, slot, value);
    return id;
  }

  set(id, slot, value) {
    const where = [this.#here(), numberOf(id), this.#slot(id, slot)];
    if (value === undefined || value === null) library.clear(...where);
    else if (typeof value === 'boolean') library.setInteger(...where, Number(value));
    else if (typeof value === 'bigint') library.setInteger(...where, checkedInteger(value));
    else if (typeof value === 'number' && Number.isSafeInteger(value) && !Object.is(value, -0))
      library.setInteger(...where, value);
    else if (typeof value === 'number') library.setDouble(...where, value);
    else if (value instanceof Double) library.setDouble(...where, value.value);
    else if (value instanceof ObjectId) library.setReference(...where, value.number);
    else if (typeof value === 'string') setBytes(library.setString, where, Buffer.from(value, 'utf8'));
    else if (ArrayBuffer.isView(value))
      setBytes(library.setBytes, where, Buffer.from(value.buffer, value.byteOffset, value.byteLength));
    else throw new TypeError('objectbase: a slot holds a number, bigint, string, bytes, ObjectId or nothing');
  }

  get(id, slot) {
    const found = {};
    library.getChanged(this.#here(), numberOf(id), this.#slot(id, slot), found);
    return valueOf(found);
  }

  erase(id) {
    library.erase(this.#here(), numberOf(id));
  }

  _end(call) {
    const pointer = this.#here();
    this.#pointer = undefined;
    return call(pointer);
  }

  get _isOver() {
    return this.#pointer === undefined;
  }
}

class Watch extends Closable {
  #socket;

  constructor(pointer, store, call) {
    super(pointer, library.unwatch, store._held(), 'watch');
    this.take();
    // The pipe once more: the socket closes what it reads from.
    const pipe = fs.openSync(
      `/proc/self/fd/${library.watchDescriptor(pointer)}`,
      fs.constants.O_RDWR | fs.constants.O_NONBLOCK,
    );
    this.#socket = new net.Socket({ fd: pipe, readable: true, writable: false });
    this.#socket.on('data', () => {
      if (this.isClosed) return;
      const changes = this.take();
      if (changes.all || changes.objects.length !== 0) call(changes);
    });
  }

  take() {
    const objects = [null];
    const count = [0];
    const all = library.takeChanges(this._pointer(), objects, count) === 1;
    const numbers = library.numbers(objects[0], Number(count[0]));
    return { all, objects: Array.from(numbers, (number) => new ObjectId(number)) };
  }

  ref() {
    this.#socket.ref();
    return this;
  }

  unref() {
    this.#socket.unref();
    return this;
  }

  close() {
    this.#socket?.destroy();
    super.close();
  }
}
if (Symbol.dispose !== undefined) Watch.prototype[Symbol.dispose] = Watch.prototype.close;

class Store extends Closable {
  #classes = new Map();

  constructor(pointer) {
    super(pointer, library.close, undefined, 'store');
  }

  static create(path, { limit = 2 ** 30, mode = 0o600 } = {}) {
    return new Store(library.create(String(path), limit, mode));
  }

  static open(path, { write = false } = {}) {
    return new Store(library.open(String(path), write ? 1 : 0));
  }

  get commit() {
    return Number(library.newestCommit(this._pointer()));
  }

  // The store stays open as long as somebody waits.
  waitUntilKept(commit, milliseconds) {
    const held = this._held().share();
    return new Promise((resolve, reject) => {
      library.waitUntilKept(held.pointer, commit, milliseconds, (error, kept) => {
        held.letGo();
        if (error) reject(error);
        else resolve(kept === 1);
      });
    });
  }

  _class(number) {
    if (!this.#classes.has(number)) this.#classes.set(number, new Class(this, number));
    return this.#classes.get(number);
  }

  define(name, slots) {
    const type = this._class(library.define(this._pointer(), name, slots, slots.length));
    type._look();
    return type;
  }

  find(name) {
    const number = library.findClass(this._pointer(), name);
    return number === 0 ? undefined : this._class(number);
  }

  get classes() {
    return Array.from({ length: library.classes(this._pointer()) }, (_, i) => this._class(i + 1));
  }

  transaction(call) {
    const change = new Transaction(this);
    try {
      const result = call(change);
      if (typeof result?.then === 'function')
        throw new ObjectbaseError('objectbase: a transaction waits for nothing: others wait for it');
      change._end(library.commit);
      return result;
    } finally {
      if (!change._isOver) change._end(library.abort);
    }
  }

  read(id, call) {
    const pointer = library.read(this._pointer(), numberOf(id));
    if (pointer === null) return undefined;
    const version = new Version(pointer, this._held(), this);
    if (call === undefined) return version;
    try {
      return call(version);
    } finally {
      version.close();
    }
  }

  snapshot() {
    return new Snapshot(this);
  }

  #word(call, id, slot) {
    const value = [0];
    return call(this._pointer(), numberOf(id), slot, value) === 1 ? value[0] : undefined;
  }

  integer(id, slot) {
    return this.#word(library.integer, id, slot);
  }

  number(id, slot) {
    return this.#word(library.double, id, slot);
  }

  reference(id, slot) {
    const number = this.#word(library.reference, id, slot);
    return number === undefined ? undefined : new ObjectId(number);
  }

  watch(what, call = what) {
    const store = this._pointer();
    let pointer;
    if (what === call) pointer = library.watchAll(store);
    else if (what instanceof Class) pointer = library.watchClass(store, what.number);
    else pointer = library.watchObject(store, numberOf(what));
    return new Watch(pointer, this, call);
  }
}

function numberOf(id) {
  if (!(id instanceof ObjectId)) throw new TypeError('objectbase: an object is named by its ObjectId');
  return id.number;
}

function checkedInteger(value) {
  if (BigInt.asIntN(64, value) !== value)
    throw new ObjectbaseError(`objectbase: an integer has 64 bits; ${value} has more`);
  return value;
}

function setBytes(call, where, bytes) {
  call(...where, bytes, bytes.length);
}

// What a function writes that works as snprintf does.
function nameBy(call) {
  const length = Number(call(null, 0));
  const room = Buffer.alloc(length + 1);
  call(room, length + 1);
  return room.toString('utf8', 0, length);
}

// Integers that a number cannot hold exactly are bigints.
function valueOf({ type, integer, number, object, bytes, length }) {
  switch (type) {
    case TYPES.integer: {
      const big = BigInt(integer);
      return big <= MOST_SAFE && big >= -MOST_SAFE ? Number(big) : big;
    }
    case TYPES.double:
      return number;
    case TYPES.reference:
      return new ObjectId(object);
    case TYPES.string:
      return library.text(bytes, Number(length));
    case TYPES.bytes:
      return library.copy(bytes, Number(length));
    default:
      return undefined;
  }
}

module.exports = { Class, Double, ObjectId, ObjectbaseError, Snapshot, Store, Transaction, Version, Watch };
