/* objectbase for programs in C, and for languages that call C: objectbase.hpp says what holds; this is the same store.
 *
 *   ob_store *store = ob_create("/dev/shm/board", 64 << 20, 0600);
 *   const char *slots[] = {"text", "stars"};
 *   const uint32_t note = ob_define(store, "Note", slots, 2);
 *   ob_transaction *change = ob_begin(store);
 *   const uint64_t first = ob_new(change, note);
 *   ob_set_string(change, first, 0, "buy milk", 8);
 *   ob_set_integer(change, first, 1, 3);
 *   if (ob_commit(change) == 0) fprintf(stderr, "%s\n", ob_error());
 *
 * What can fail returns NULL, 0 or -1, as it says, and then ob_error() of the same thread says why. Everything may be
 * called by any thread, but what belongs to one ob_transaction, ob_snapshot, ob_version or ob_watch by one at a time.
 * Let all of them go before their store is closed. A store is not to be used in a child of fork(): open it again there.
 */
#ifndef OBJECTBASE_H
#define OBJECTBASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ob_store ob_store;
typedef struct ob_transaction ob_transaction; /* changes that are made together or not at all */
typedef struct ob_snapshot ob_snapshot;       /* all objects as one commit left them */
typedef struct ob_version ob_version;         /* one object as one commit left it */
typedef struct ob_watch ob_watch;             /* tells of changes */

enum ob_type { OB_NONE, OB_INTEGER, OB_DOUBLE, OB_REFERENCE, OB_STRING, OB_BYTES };

typedef struct ob_value {
  int type;          /* an ob_type */
  int64_t integer;   /* OB_INTEGER */
  double number;     /* OB_DOUBLE */
  uint64_t object;   /* OB_REFERENCE */
  const char* bytes; /* OB_STRING, OB_BYTES: not ended by a 0; never NULL for these */
  size_t length;
} ob_value;

/* Why the last call of this thread that can fail did so, in one line; "" if it did not. */
const char* ob_error(void);

/* --- The store --- */

/* `limit`: of the file, in bytes; 0: 1 GB. `mode`: permissions of the files; 0: 0600. NULL: ob_error(). */
ob_store* ob_create(const char* path, uint64_t limit, unsigned mode);
/* `write`: 0 to read only. NULL: ob_error(). */
ob_store* ob_open(const char* path, int write);
void ob_close(ob_store* store);
uint64_t ob_newest_commit(const ob_store* store);
/* Waits until a commit is on the disk, as a keeper says (heddle objectbase keep). 1: it is, 0: not in so long. */
int ob_wait_until_kept(const ob_store* store, uint64_t commit, unsigned milliseconds);

/* --- Classes: numbers are 1 and up --- */

/* Makes the class, or adds the slots that it lacks behind those that it has. 0: ob_error(). */
uint32_t ob_define(ob_store* store, const char* name, const char* const* slots, size_t count);
uint32_t ob_find_class(const ob_store* store, const char* name); /* 0: there is none */
uint32_t ob_classes(const ob_store* store);                      /* how many there are */
/* The place of a slot in its class; -1: ob_error(), with the names that there are. */
int ob_slot(const ob_store* store, uint32_t type, const char* name);
/* The name of a class, and of a slot: as snprintf, writes at most `size` bytes with the 0, and returns the length; 0:
 * there is none. */
size_t ob_class_name(const ob_store* store, uint32_t type, char* name, size_t size);
size_t ob_slot_name(const ob_store* store, uint32_t type, unsigned slot, char* name, size_t size);

/* --- Changes --- */

/* Waits until no other process or thread has a transaction. NULL: ob_error(). */
ob_transaction* ob_begin(ob_store* store);
uint64_t ob_new(ob_transaction* change, uint32_t type); /* the object; 0: ob_error() */
/* 0: done, -1: ob_error(). */
int ob_clear(ob_transaction* change, uint64_t object, unsigned slot);
int ob_set_integer(ob_transaction* change, uint64_t object, unsigned slot, int64_t value);
int ob_set_double(ob_transaction* change, uint64_t object, unsigned slot, double value);
int ob_set_reference(ob_transaction* change, uint64_t object, unsigned slot, uint64_t value);
int ob_set_string(ob_transaction* change, uint64_t object, unsigned slot, const char* text, size_t length);
int ob_set_bytes(ob_transaction* change, uint64_t object, unsigned slot, const void* bytes, size_t length);
int ob_erase(ob_transaction* change, uint64_t object);
/* With the changes made so far; bytes are there until the object's next change. 0: done, -1: ob_error(). */
int ob_get_changed(const ob_transaction* change, uint64_t object, unsigned slot, ob_value* value);
/* Both end the transaction, also when they fail. The number of the newest commit, which is this one if anything was
 * changed; 0: ob_error(), and nothing has happened (or, with ob_error() "", nothing was ever committed). */
uint64_t ob_commit(ob_transaction* change);
void ob_abort(ob_transaction* change);

/* --- What is read --- */

/* One slot as it is now. 1: it is in `value`; 0: there is no such object, or the slot holds something else. */
int ob_integer(const ob_store* store, uint64_t object, unsigned slot, int64_t* value);
int ob_double(const ob_store* store, uint64_t object, unsigned slot, double* value);
int ob_reference(const ob_store* store, uint64_t object, unsigned slot, uint64_t* value);

/* The newest version of an object, which stays until ob_release(). NULL: there is no such object, and ob_error() is "",
 * or the process has 64 versions and snapshots already. */
ob_version* ob_read(const ob_store* store, uint64_t object);
void ob_release(ob_version* version);
uint64_t ob_version_object(const ob_version* version);
uint32_t ob_version_class(const ob_version* version);
uint64_t ob_version_commit(const ob_version* version);
unsigned ob_version_slots(const ob_version* version);
/* Not copied: bytes are there until the version is released, and not to be written. */
void ob_get(const ob_version* version, unsigned slot, ob_value* value);

/* NULL: ob_error(). */
ob_snapshot* ob_take_snapshot(const ob_store* store);
void ob_drop_snapshot(ob_snapshot* snapshot);
uint64_t ob_snapshot_commit(const ob_snapshot* snapshot);
/* To be released before the snapshot is dropped. NULL: the snapshot has no such object. */
ob_version* ob_snapshot_read(const ob_snapshot* snapshot, uint64_t object);
/* The first object at `place` or behind it, which is moved behind it; begin with 0. NULL at the end. */
ob_version* ob_snapshot_next(const ob_snapshot* snapshot, uint32_t* place);

/* --- Changes that others make --- */

/* Of everything, of a class, of an object. NULL: ob_error(). */
ob_watch* ob_watch_all(const ob_store* store);
ob_watch* ob_watch_class(const ob_store* store, uint32_t type);
ob_watch* ob_watch_object(const ob_store* store, uint64_t object);
/* Readable when something has changed: once for any number of commits, until ob_take_changes(). */
int ob_watch_descriptor(const ob_watch* watch);
/* To be called first of all, and whenever the descriptor is readable. The objects that were made, changed or erased are
 * there until the next call. 0: these; 1: any object may have changed; -1: ob_error(). */
int ob_take_changes(ob_watch* watch, const uint64_t** objects, size_t* count);
void ob_unwatch(ob_watch* watch);

#ifdef __cplusplus
}
#endif

#endif
