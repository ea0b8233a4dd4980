// libobjectbase.so as Node calls it: what objectbase.h declares, with errors as exceptions.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const koffi = require('koffi');

for (const name of ['ob_store', 'ob_transaction', 'ob_snapshot', 'ob_version', 'ob_watch']) koffi.opaque(name);
koffi.struct('ob_value', {
  type: 'int',
  integer: 'int64_t',
  number: 'double',
  object: 'uint64_t',
  bytes: 'void *',
  length: 'size_t',
});

// A package brings the library; an installation has it where the system finds it.
const beside = path.join(__dirname, 'libobjectbase.so');
const library = koffi.load(
  process.env.OBJECTBASE_LIBRARY ?? (fs.existsSync(beside) ? beside : 'libobjectbase.so.0'),
);
const error = library.func('const char *ob_error()');

class ObjectbaseError extends Error {}
ObjectbaseError.prototype.name = 'ObjectbaseError';

// The function that a declaration declares. If it returns `failed` and there is an error, that is thrown.
function declared(declaration, failed) {
  const call = library.func(declaration);
  if (failed === undefined) return call;
  return (...words) => {
    const result = call(...words);
    // A null pointer may also mean that there is no such object: then there is no error.
    if (result === failed) {
      const why = error();
      if (why !== '') throw new ObjectbaseError(why);
    }
    return result;
  };
}

const set = (type, value) =>
  declared(`int ob_set_${type}(ob_transaction *change, uint64_t object, unsigned int slot, ${value})`, -1);

module.exports = {
  ObjectbaseError,
  create: declared('ob_store *ob_create(const char *path, uint64_t limit, unsigned int mode)', null),
  open: declared('ob_store *ob_open(const char *path, int write)', null),
  close: declared('void ob_close(ob_store *store)'),
  newestCommit: declared('uint64_t ob_newest_commit(ob_store *store)'),

  waitUntilKept: declared('int ob_wait_until_kept(ob_store *store, uint64_t commit, unsigned int milliseconds)').async,

  define: declared('uint32_t ob_define(ob_store *store, const char *name, const char **slots, size_t count)', 0),
  findClass: declared('uint32_t ob_find_class(ob_store *store, const char *name)'),
  classes: declared('uint32_t ob_classes(ob_store *store)'),
  className: declared('size_t ob_class_name(ob_store *store, uint32_t type, void *name, size_t size)'),
  slotName: declared('size_t ob_slot_name(ob_store *store, uint32_t type, unsigned int slot, void *name, size_t size)'),

  begin: declared('ob_transaction *ob_begin(ob_store *store)', null),
  make: declared('uint64_t ob_new(ob_transaction *change, uint32_t type)', 0),
  clear: declared('int ob_clear(ob_transaction *change, uint64_t object, unsigned int slot)', -1),
  setInteger: set('integer', 'int64_t value'),
  setDouble: set('double', 'double value'),
  setReference: set('reference', 'uint64_t value'),
  setString: set('string', 'const void *text, size_t length'),
  setBytes: set('bytes', 'const void *bytes, size_t length'),
  erase: declared('int ob_erase(ob_transaction *change, uint64_t object)', -1),
  getChanged: declared(
    'int ob_get_changed(ob_transaction *change, uint64_t object, unsigned int slot, _Out_ ob_value *value)',
    -1,
  ),
  commit: declared('uint64_t ob_commit(ob_transaction *change)', 0),
  abort: declared('void ob_abort(ob_transaction *change)'),

  integer: declared('int ob_integer(ob_store *store, uint64_t object, unsigned int slot, _Out_ int64_t *value)'),
  double: declared('int ob_double(ob_store *store, uint64_t object, unsigned int slot, _Out_ double *value)'),
  reference: declared('int ob_reference(ob_store *store, uint64_t object, unsigned int slot, _Out_ uint64_t *value)'),
  read: declared('ob_version *ob_read(ob_store *store, uint64_t object)', null),
  release: declared('void ob_release(ob_version *version)'),
  versionObject: declared('uint64_t ob_version_object(ob_version *version)'),
  versionClass: declared('uint32_t ob_version_class(ob_version *version)'),
  versionCommit: declared('uint64_t ob_version_commit(ob_version *version)'),
  get: declared('void ob_get(ob_version *version, unsigned int slot, _Out_ ob_value *value)'),

  takeSnapshot: declared('ob_snapshot *ob_take_snapshot(ob_store *store)', null),
  dropSnapshot: declared('void ob_drop_snapshot(ob_snapshot *snapshot)'),
  snapshotCommit: declared('uint64_t ob_snapshot_commit(ob_snapshot *snapshot)'),
  snapshotRead: declared('ob_version *ob_snapshot_read(ob_snapshot *snapshot, uint64_t object)', null),
  snapshotNext: declared('ob_version *ob_snapshot_next(ob_snapshot *snapshot, _Inout_ uint32_t *place)', null),

  watchAll: declared('ob_watch *ob_watch_all(ob_store *store)', null),
  watchClass: declared('ob_watch *ob_watch_class(ob_store *store, uint32_t type)', null),
  watchObject: declared('ob_watch *ob_watch_object(ob_store *store, uint64_t object)', null),
  watchDescriptor: declared('int ob_watch_descriptor(ob_watch *watch)'),
  takeChanges: declared('int ob_take_changes(ob_watch *watch, _Out_ void **objects, _Out_ size_t *count)', -1),
  unwatch: declared('void ob_unwatch(ob_watch *watch)'),

  // Of memory that the library has: text, a copy of bytes, a view of them, an array.
  text: (place, length) => (length === 0 ? '' : koffi.decode.string(place, length)),
  copy: (place, length) => (length === 0 ? Buffer.alloc(0) : Buffer.from(koffi.view(place, length).slice(0))),
  view: (place, length) => new Uint8Array(length === 0 ? new ArrayBuffer(0) : koffi.view(place, length)),
  numbers: (place, count) => (count === 0 ? [] : koffi.decode(place, 'uint64_t', count)),
};
