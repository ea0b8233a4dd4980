// SHA-256, by which results of several models are compared.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

struct evp_md_ctx_st;

namespace heddle::threadlab {

class Digest {
 public:
  Digest();
  void add(const void* bytes, std::size_t count);
  // 64 hexadecimal digits. Nothing may be added afterwards.
  std::string hex();

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

// As JSON: in quotes.
inline std::string quoted(const std::string& hex) { return '"' + hex + '"'; }

}  // namespace heddle::threadlab
