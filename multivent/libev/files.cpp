// Watchers for the attributes of a file (ev_stat): by inotify where the file is local, by looking now and then else.
//
// inotify says that something may have changed; whether it has is for lstat() to say. Nobody is told twice of one
// change.
#include <sys/inotify.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <string>

#include "multivent/libev/functions.hpp"
#include "multivent/libev/loop.hpp"
#include "multivent/program/own_functions.hpp"

using namespace heddle::multivent;
using namespace heddle::multivent::libev;

namespace {

constexpr double kLooksEvery = 5.0074891;           // seconds
constexpr double kLooksRemotelyEvery = 30.1074891;  // where inotify sees this machine's changes only
constexpr double kLeastPause = 0.1074891;
constexpr int kNotWatched = -2;
constexpr std::size_t kLongestPath = 4096;

// statfs(2): devfs, FAT, ext2 to 4, JFFS2, ramfs, NTFS, JFS, Btrfs, ReiserFS, tmpfs, XFS.
constexpr std::array kLocal = {0x1373U,     0x4006U,     0x4d44U,     0xEF53U,     0x72b6U,     0x858458f6U,
                               0x5346544eU, 0x3153464aU, 0x9123683eU, 0x52654973U, 0x01021994U, 0x58465342U};

ev_stat& stat_of(void* timer) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
  return *reinterpret_cast<ev_stat*>(static_cast<char*>(timer) - offsetof(ev_stat, timer));
#pragma GCC diagnostic pop
}

void looks(ev_loop* loop, void* timer, int) {
  LoopLock lock(loop);
  loop->stat_look(stat_of(timer));
}

void inotify_tells(ev_loop* loop, void*, int) {
  LoopLock lock(loop);
  loop->inotify_read();
}

const OwnFunction looks_name(reinterpret_cast<const void*>(looks), "libev's look at a file");
const OwnFunction inotify_name(reinterpret_cast<const void*>(inotify_tells), "libev's inotify");

bool same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_mode == b.st_mode && a.st_nlink == b.st_nlink &&
         a.st_uid == b.st_uid && a.st_gid == b.st_gid && a.st_rdev == b.st_rdev && a.st_size == b.st_size &&
         a.st_atime == b.st_atime && a.st_mtime == b.st_mtime && a.st_ctime == b.st_ctime;
}

bool is_local(const char* path) {
  struct statfs system{};
  return statfs(path, &system) == 0 &&
         std::find(kLocal.begin(), kLocal.end(), static_cast<unsigned>(system.f_type)) != kLocal.end();
}

}  // namespace

void heddle::multivent::libev::stat_now(ev_stat& watcher) {
  if (lstat(watcher.path, &watcher.attr) < 0) {
    watcher.attr.st_nlink = 0;
  } else if (watcher.attr.st_nlink == 0) {
    watcher.attr.st_nlink = 1;
  }
}

void ev_loop::stat_look(ev_stat& watcher) {
  const struct stat before = watcher.attr;
  stat_now(watcher);
  if (same_file(before, watcher.attr)) return;
  watcher.prev = before;
  if (inotify_fd >= 0) {
    inotify_remove(watcher);
    inotify_add(watcher);
    stat_now(watcher);
  }
  feed(watcher, kStat);
}

void ev_loop::stat_start(ev_stat& watcher) {
  if (watcher.active != 0) return;
  stat_now(watcher);
  if (watcher.interval != 0) watcher.interval = std::max(watcher.interval, kLeastPause);
  watcher.timer = {};
  watcher.timer.cb = looks;
  watcher.timer.repeat = watcher.interval != 0 ? watcher.interval : kLooksEvery;
  watcher.timer.priority = watcher.priority;
  if (!std::exchange(inotify_tried, true)) {
    inotify_fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (inotify_fd >= 0) {
      inotify_watcher = {};
      inotify_watcher.cb = inotify_tells;
      inotify_watcher.priority = kHighestPriority;
      inotify_watcher.fd = inotify_fd;
      inotify_watcher.events = kRead | kDescriptorSet;
      io_start(inotify_watcher);
      --active;
    }
  }
  if (inotify_fd >= 0) {
    inotify_add(watcher);
  } else {
    timer_again(watcher.timer);
    --active;
  }
  start(watcher);
}

void ev_loop::stat_stop(ev_stat& watcher) {
  clear_pending(watcher);
  if (watcher.active == 0) return;
  inotify_remove(watcher);
  if (watcher.timer.active != 0) {
    ++active;
    timer_stop(watcher.timer);
  }
  stop(watcher);
}

// The timer does not keep the loop alive.
void ev_loop::stat_timer_again(ev_stat& watcher) {
  if (watcher.timer.active != 0) ++active;
  timer_again(watcher.timer);
  if (watcher.timer.active != 0) --active;
}

void ev_loop::inotify_add(ev_stat& watcher) {
  constexpr std::uint32_t kAll = IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_MODIFY | IN_CREATE | IN_DELETE |
                                 IN_MOVED_FROM | IN_MOVED_TO | IN_DONT_FOLLOW | IN_MASK_ADD;
  watcher.wd = inotify_add_watch(inotify_fd, watcher.path, kAll);
  if (watcher.wd >= 0) {
    watcher.timer.repeat = is_local(watcher.path) ? 0 : watcher.interval != 0 ? watcher.interval : kLooksRemotelyEvery;
  } else {
    watcher.timer.repeat = watcher.interval != 0 ? watcher.interval : kLooksEvery;
    // A folder above may tell when the file comes.
    std::string path = std::strlen(watcher.path) < kLongestPath ? watcher.path : "";
    while (watcher.wd < 0 && (errno == ENOENT || errno == EACCES)) {
      const std::size_t slash = path.rfind('/');
      if (slash == std::string::npos || slash == 0) break;
      const std::uint32_t what = errno == EACCES ? IN_ATTRIB : IN_CREATE | IN_MOVED_TO;
      path.resize(slash);
      watcher.wd = inotify_add_watch(inotify_fd, path.c_str(), IN_MASK_ADD | IN_DELETE_SELF | IN_MOVE_SELF | what);
    }
  }
  if (watcher.wd >= 0) watched_files.push_back(&watcher);
  stat_timer_again(watcher);
}

void ev_loop::inotify_remove(ev_stat& watcher) {
  const int wd = watcher.wd;
  if (wd < 0) return;
  watcher.wd = kNotWatched;
  watched_files.erase(std::remove(watched_files.begin(), watched_files.end(), &watcher), watched_files.end());
  inotify_rm_watch(inotify_fd, wd);  // others that watch the same are told, and add it again
}

void ev_loop::inotify_read() {
  alignas(inotify_event) char buffer[sizeof(inotify_event) * 2 + NAME_MAX];
  const ssize_t size = read(inotify_fd, buffer, sizeof buffer);
  for (ssize_t at = 0; at < size;) {
    const auto& told = *reinterpret_cast<const inotify_event*>(buffer + at);
    at += static_cast<ssize_t>(sizeof told + told.len);
    // Looking at one may take any of the others out of the list and put it in again.
    const std::vector<ev_stat*> now_watched(watched_files.rbegin(), watched_files.rend());
    for (ev_stat* const watcher : now_watched) {
      if (told.wd >= 0 && watcher->wd != told.wd) continue;
      if (told.mask & (IN_IGNORED | IN_UNMOUNT | IN_DELETE_SELF)) {
        watched_files.erase(std::remove(watched_files.begin(), watched_files.end(), watcher), watched_files.end());
        inotify_add(*watcher);
      }
      stat_look(*watcher);
    }
  }
}

void ev_loop::inotify_reopen() {
  if (inotify_fd < 0) return;
  ++active;
  io_stop(inotify_watcher);
  close(inotify_fd);
  inotify_fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (inotify_fd >= 0) {
    inotify_watcher.fd = inotify_fd;
    inotify_watcher.events = kRead | kDescriptorSet;
    io_start(inotify_watcher);
    --active;
  }
  for (ev_stat* const watcher : std::exchange(watched_files, {})) {
    if (inotify_fd >= 0) {
      inotify_add(*watcher);
      continue;
    }
    watcher->wd = kNotWatched;
    watcher->timer.repeat = watcher->interval != 0 ? watcher->interval : kLooksEvery;
    stat_timer_again(*watcher);
  }
}
