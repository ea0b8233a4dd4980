/* The same list as board.cpp's, in C: either program works with the other's file. */
#include <objectbase/objectbase.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fail(void) {
  fprintf(stderr, "board: %s\n", ob_error());
  return 2;
}

static int list(const ob_store* store, int text) {
  ob_snapshot* now = ob_take_snapshot(store); /* others may go on: what is listed is one commit */
  ob_version* note;
  uint32_t place = 0;
  if (now == NULL) return fail();
  while ((note = ob_snapshot_next(now, &place)) != NULL) {
    ob_value value;
    ob_get(note, text, &value);
    printf("%llu %.*s\n", (unsigned long long)ob_version_object(note), (int)value.length, value.bytes);
    ob_release(note);
  }
  ob_drop_snapshot(now);
  return 0;
}

int main(int count, char** words) {
  const char* what = count > 2 ? words[2] : "";
  const char* slots[] = {"text"};
  const int lists = strcmp(what, "list") == 0;
  if (count < 3 || (!lists && count < 4)) return fputs("board FILE add TEXT | done NUMBER | list\n", stderr), 2;
  const int exists = access(words[1], F_OK) == 0;
  ob_store* store = lists || exists ? ob_open(words[1], !lists) : ob_create(words[1], 16 << 20, 0600);
  if (store == NULL) return fail();
  const uint32_t note = lists ? ob_find_class(store, "Note") : ob_define(store, "Note", slots, 1);
  const int text = ob_slot(store, note, "text");
  if (note == 0 || text < 0) return fail();
  if (lists) return list(store, text);
  ob_transaction* change = ob_begin(store);
  if (change == NULL) return fail();
  if (strcmp(what, "add") == 0) {
    const uint64_t made = ob_new(change, note);
    if (made == 0 || ob_set_string(change, made, text, words[3], strlen(words[3])) != 0) return fail();
  } else if (ob_erase(change, strtoull(words[3], NULL, 10)) != 0) {
    return fail();
  }
  return ob_commit(change) == 0 ? fail() : 0;
}
