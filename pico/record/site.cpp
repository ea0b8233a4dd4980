#include "pico/record/site.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace heddle::pico {

constinit std::atomic<const Site*> Site::latest{nullptr};

const Site& Site::make(const char* name, bool plain) { return *new Site(name, plain); }

// A library that is loaded while threads run has sites, too. Release: with newest().
Site::Site(const char* name, bool plain) : name_(name), plain_(plain) {
  older_ = latest.load(std::memory_order_acquire);
  do number_ = older_ == nullptr ? 0 : older_->number_ + 1;
  while (!latest.compare_exchange_weak(older_, this, std::memory_order_acq_rel, std::memory_order_acquire));
}

std::string Site::name() const {
  if (plain_) return name_;
  const std::unique_ptr<char, decltype(&std::free)> readable(
      abi::__cxa_demangle(name_.c_str(), nullptr, nullptr, nullptr), &std::free);
  return readable != nullptr ? readable.get() : name_;
}

}  // namespace heddle::pico
