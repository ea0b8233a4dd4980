/* Money that moves between accounts which come and go; whoever looks finds the same sum, whoever was killed meanwhile.
 *
 * transfers FILE write SEED: moves money until it is killed. transfers FILE read SEED: looks until it is killed; ends
 * with exit code 1 when the sum is another one. transfers FILE new MONEY: makes the store. */
#include <objectbase/objectbase.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ACCOUNTS = 50, MONEY_SLOT = 0, NOTE_SLOT = 1 };

static unsigned long long state;
static unsigned chance(unsigned below) {
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (unsigned)(state >> 33) % below;
}

static void need(int holds) {
  if (holds) return;
  fprintf(stderr, "transfers: %s\n", ob_error());
  exit(2);
}

/* The accounts as a snapshot has them; their number. */
static unsigned look(const ob_store* store, uint64_t* ids, int64_t* sum) {
  unsigned count = 0;
  uint32_t place = 0;
  ob_snapshot* snapshot = ob_take_snapshot(store);
  need(snapshot != NULL);
  *sum = 0;
  for (ob_version* each; (each = ob_snapshot_next(snapshot, &place)) != NULL; ob_release(each)) {
    ob_value money;
    ob_value note;
    ob_get(each, MONEY_SLOT, &money);
    ob_get(each, NOTE_SLOT, &note);
    *sum += money.integer;
    /* The note is as long as its first byte says, whatever block it is in. */
    if (note.type == OB_BYTES && (note.length == 0 || (unsigned char)note.bytes[0] != note.length % 256)) *sum = -1;
    if (count < 4 * ACCOUNTS) ids[count++] = ob_version_object(each);
  }
  ob_drop_snapshot(snapshot);
  return count;
}

static int64_t money_of(ob_transaction* change, uint64_t id) {
  ob_value value;
  return ob_get_changed(change, id, MONEY_SLOT, &value) == 0 && value.type == OB_INTEGER ? value.integer : -1;
}

static void write_for_ever(ob_store* store) {
  static unsigned char note[3000];
  uint64_t ids[4 * ACCOUNTS];
  const uint32_t account = ob_find_class(store, "Account");
  for (unsigned turn = 0;; ++turn) {
    static unsigned count;
    int64_t sum;
    if (turn % 100 == 0) count = look(store, ids, &sum);
    ob_transaction* change = ob_begin(store);
    need(change != NULL);
    for (unsigned moves = 1 + chance(4); moves-- > 0;) {
      const uint64_t from = ids[chance(count)];
      const uint64_t to = ids[chance(count)];
      const int64_t has = money_of(change, from);
      if (from == to || has < 0 || money_of(change, to) < 0) continue; /* erased meanwhile */
      const int64_t some = chance(10) == 0 ? has : has / 2;
      const unsigned length = 1 + chance(sizeof note);
      note[0] = (unsigned char)length;
      need(ob_set_integer(change, to, MONEY_SLOT, money_of(change, to) + some) == 0);
      need(ob_set_integer(change, from, MONEY_SLOT, has - some) == 0);
      need(ob_set_bytes(change, to, NOTE_SLOT, note, length) == 0);
      if (some == has && count > ACCOUNTS / 2) {
        need(ob_erase(change, from) == 0);
      } else if (count < 2 * ACCOUNTS && chance(20) == 0) {
        const uint64_t made = ob_new(change, account);
        need(made != 0 && ob_set_integer(change, made, MONEY_SLOT, 0) == 0);
      }
    }
    if (chance(50) == 0)
      ob_abort(change);
    else
      need(ob_commit(change) != 0);
  }
}

int main(int count, char** words) {
  if (count != 4) return fputs("transfers FILE new MONEY | write SEED | read SEED\n", stderr), 2;
  const long long number = atoll(words[3]);
  state = (unsigned long long)number;
  if (strcmp(words[2], "new") == 0) {
    const char* slots[] = {"money", "note"};
    ob_store* store = ob_create(words[1], 64 << 20, 0600);
    need(store != NULL);
    const uint32_t account = ob_define(store, "Account", slots, 2);
    ob_transaction* change = ob_begin(store);
    for (int i = 0; i < ACCOUNTS; ++i)
      need(ob_set_integer(change, ob_new(change, account), MONEY_SLOT, number / ACCOUNTS) == 0);
    need(ob_commit(change) != 0);
    return 0;
  }
  ob_store* store = ob_open(words[1], strcmp(words[2], "write") == 0);
  need(store != NULL);
  if (strcmp(words[2], "write") == 0) write_for_ever(store);
  uint64_t ids[4 * ACCOUNTS];
  int64_t first;
  int64_t sum;
  look(store, ids, &first);
  do {
    look(store, ids, &sum);
  } while (sum == first && sum > 0);
  fprintf(stderr, "transfers: the sum was %lld and is %lld\n", (long long)first, (long long)sum);
  return 1;
}
