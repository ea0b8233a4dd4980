// A list of things to do that several processes share: each runs this program on one file.
#include <cstdio>
#include <filesystem>
#include <objectbase/objectbase.hpp>
#include <stdexcept>
#include <string>

using namespace objectbase;

int main(int count, char** words) try {
  const std::string what = count > 2 ? words[2] : "";
  if (count < 3 || (what != "list" && count < 4)) {
    std::fputs("board FILE add TEXT | done NUMBER | list\n", stderr);
    return 2;
  }
  const std::filesystem::path file = words[1];
  Store store = what == "list"                  ? Store::open(file, Access::kRead)
                : std::filesystem::exists(file) ? Store::open(file, Access::kWrite)
                                                : Store::create(file, {.limit = 16 << 20});
  if (what == "list") {
    const Class note = store.find("Note").value();
    const Snapshot now = store.snapshot();  // others may go on: what is listed is one commit
    now.each([&](const Pinned& each) {
      const auto text = std::get<std::string_view>(each.get(note.slot("text")));
      std::printf("%llu %.*s\n", static_cast<unsigned long long>(each.id().number), static_cast<int>(text.size()),
                  text.data());
    });
    return 0;
  }
  const Class note = store.define("Note", {"text"});
  Transaction change = store.begin();
  if (what == "add")
    change.set(change.create(note), note.slot("text"), words[3]);
  else
    change.erase({std::stoull(words[3])});
  change.commit();
  return 0;
} catch (const std::runtime_error& error) {
  std::fprintf(stderr, "board: %s\n", error.what());
  return 2;
}
