// Where a program spawns threads: each function that it gives to spawn() is of a type of its own, and has one object
// here, which is made before main() runs. So figures of a million threads are those of a few sites, and to count a
// thread costs no search.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <typeinfo>

namespace heddle::pico {

class Site {
 public:
  // `name`: as std::type_info has it, or in plain words.
  Site(const char* name, bool plain);
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

  const char* const name_;
  const bool plain_;
  std::uint32_t number_ = 0;
  const Site* older_ = nullptr;
};

// Of functions of that type; one that has a `static constexpr const char* kPicoSite` names its site itself.
template <class Function>
struct SiteOf {
  static Site made() {
    if constexpr (requires { Function::kPicoSite; })
      return {Function::kPicoSite, true};
    else
      return {typeid(Function).name(), false};
  }
  inline static const Site site = made();
};

}  // namespace heddle::pico
