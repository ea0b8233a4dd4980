// A store that outlives the machine's run: its newest state is written to an LMDB file beside the work of the program.
//
// A store in memory (/dev/shm) is quick, and gone when the machine stops. A keeper is told of its changes, as any
// watcher is, and writes all objects as one commit left them in one transaction of LMDB; so what is on the disk is
// always the state of some commit. Writers do not wait for it, unless they ask until a commit is kept.
//
//   Keeper keeper("/dev/shm/board", "board.mdb", {.durability = Durability::kSecond});  // in any process
//   store.wait_until_kept(change.commit(), 1s);                                         // who wants to be sure
//   make_again("board.mdb", "/dev/shm/board");                                          // after a restart
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "objectbase/objectbase.hpp"

namespace heddle::objectbase {

// When LMDB's file is forced to the disk. A process may be killed at any time in any case.
enum class Durability : std::uint8_t {
  kNone,    // when the system does it: after a crash of the machine the file may be damaged
  kSecond,  // each second in which something changed
  kCommit,  // with each transaction of LMDB: commits that come meanwhile share one
};

struct KeepOptions {
  Durability durability = Durability::kSecond;
  unsigned history =
      0;  // versions of each object that are kept besides the newest; as they were kept, not all there were
  unsigned mode = 0600;  // permissions of the file
};

class Keeper {
 public:
  // All are base::UserError: the file keeps another store, or a later state of this one; another keeper has the file;
  // this process has it open (LMDB lets a process have a file once).
  Keeper(const std::filesystem::path& store, const std::filesystem::path& database, const KeepOptions& options = {});
  // Writes what is left, and forces it to the disk.
  ~Keeper();
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

  // What could not be written the last time, and is tried again; "" if all is well.
  std::string trouble() const;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

// Makes a store of what was kept of one: objects keep their numbers, commits are counted on. Returns the number of
// objects. Throws base::UserError; then there is no store.
std::uint64_t make_again(const std::filesystem::path& database, const std::filesystem::path& store,
                         const Options& options = {});

}  // namespace heddle::objectbase
