// Whether the same URL always gets the same answer: within a run, and against what another server answered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace heddle::testing::load {

struct Fingerprint {
  std::uint64_t hash = 0;
  std::size_t size = 0;
  int status = 0;
  bool operator==(const Fingerprint&) const = default;
};

using Fingerprints = std::unordered_map<std::string, Fingerprint>;

// Lines "HASH SIZE STATUS PATH". Throws BadInput; `name` is for its message.
Fingerprints parse_fingerprints(std::string_view text, const std::string& name);
std::string format_fingerprints(const Fingerprints& fingerprints);

class BodyCheck {
 public:
  // Paths are referred to by their index. Those whose route is in `varying` are never compared.
  BodyCheck(const std::vector<std::string>& paths, const Fingerprints& expected,
            const std::vector<std::string>& varying);

  // False if this URL had another answer before, or should have another one.
  bool accept(std::size_t path, const Fingerprint& seen);

  // All that is known by now, for a later run against another server.
  Fingerprints known() const;

  std::size_t checked() const;

 private:
  struct Entry {
    std::string path;
    Fingerprint first;
    bool known = false;
    bool varies = false;
    bool compared = false;
  };
  std::vector<Entry> entries_;
};

}  // namespace heddle::testing::load
