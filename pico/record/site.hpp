// Where a program spawns threads: each type of function that it gives to spawn(), one of its own for each lambda, has
// an object here, which is made before main() runs. So figures of a million threads are those of a few sites, and to
// count a thread costs no search. Pointers to functions of one type are one site.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <typeinfo>

namespace heddle::pico {

class Site {
 public:
  // A new one, which is there for good: the library with the function may be unloaded. `name`: as std::type_info has
  // it, or in plain words.
  static const Site& make(const char* name, bool plain);
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;

  // From 0, in the order in which they were made.
  std::uint32_t number() const { return number_; }
  // "serve(Socket)::{lambda()#1}", say.
  std::string name() const;

  // The one that was made last, and from there on all others.
  static const Site* newest() { return latest.load(std::memory_order_acquire); }
  const Site* older() const { return older_; }

 private:
  static std::atomic<const Site*> latest;

  Site(const char* name, bool plain);

  const std::string name_;
  const bool plain_;
  std::uint32_t number_ = 0;
  const Site* older_ = nullptr;
};

// Of functions of that type; one that has a `static constexpr const char* kPicoSite` names its site itself.
template <class Function>
class SiteOf {
 public:
  static const Site& site() {
    const Site* known = early.load(std::memory_order_relaxed);
    if (known == nullptr) [[unlikely]] {  // before main(), by the constructor of a global object
      known = &made();
      early.store(known, std::memory_order_relaxed);
    }
    return *known;
  }

 private:
  static const Site& made() {
    if constexpr (requires { Function::kPicoSite; })
      return Site::make(Function::kPicoSite, true);
    else
      return Site::make(typeid(Function).name(), false);
  }
  // Written before main(); sites are never changed. Relaxed: the loader, or who spawns, has ordered it.
  inline static std::atomic<const Site*> early{&made()};
};

}  // namespace heddle::pico
