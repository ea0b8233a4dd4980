#include "elyze/scratch/texts.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>

namespace heddle::elyze {
namespace {

constexpr unsigned kFirst = 1;  // the arguments that are texts, as bits
constexpr unsigned kSecond = 2;
constexpr unsigned kBoth = 3;

const llvm::ConstantInt* number_at(const llvm::CallBase& call, unsigned argument) {
  return argument < call.arg_size() ? llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(argument)) : nullptr;
}

bool at_least_one(const llvm::CallBase& call, unsigned argument) {
  const llvm::ConstantInt* size = number_at(call, argument);
  return size != nullptr && !size->isZero();
}

}  // namespace

bool reads_text(llvm::StringRef function, unsigned argument) {
  const unsigned texts =
      llvm::StringSwitch<unsigned>(function)
          .Cases("strlen", "strnlen", "strdup", "strndup", "__strdup", "__strndup", kFirst)
          .Cases("strchr", "strrchr", "index", "rindex", "puts", "perror", kFirst)
          .Cases("fputs", "atoi", "atol", "atoll", "atof", "getenv", kFirst)
          .Cases("strtol", "strtoul", "strtoll", "strtoull", "strtod", kFirst)
          .Cases("open", "unlink", "stat", "access", "mkdir", "rmdir", "chdir", kFirst)
          .Cases("strcmp", "strncmp", "strcasecmp", "strncasecmp", "strstr", "strcasestr", kBoth)
          .Cases("evutil_ascii_strcasecmp", "evutil_ascii_strncasecmp", "strspn", "strcspn", "strpbrk", kBoth)
          .Cases("fopen", "rename", kBoth)
          .Cases("strcpy", "stpcpy", "strlcpy", "__strcpy_chk", "__stpcpy_chk", kSecond)
          .Cases("strncpy", "__strncpy_chk", kSecond)
          .Cases("strcat", "strlcat", "strncat", "__strcat_chk", "__strncat_chk", kBoth)
          .Default(0);
  return argument < 2 && (texts >> argument & 1U) != 0;
}

bool is_text_of_format(const llvm::CallBase& call, unsigned format, unsigned argument) {
  llvm::StringRef text;
  if (format >= call.arg_size() || !llvm::getConstantStringInfo(call.getArgOperand(format), text)) return false;
  unsigned next = format + 1;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') continue;
    if (++at < text.size() && text[at] == '%') continue;
    bool wide = false;
    for (; at < text.size() && llvm::StringRef("#0- +'123456789.*hljztqL").contains(text[at]); ++at) {
      if (text[at] == '*') {
        if (next == argument) return false;
        ++next;
      }
      wide |= text[at] == 'l' || text[at] == 'L';
    }
    if (at >= text.size() || !llvm::isAlpha(text[at])) return false;
    if (text[at] == 'm') continue;  // takes none
    if (next == argument) return text[at] == 's' && !wide;
    ++next;
  }
  return false;
}

std::optional<Filled> filled_by(const llvm::CallBase& call, llvm::StringRef function) {
  // The argument that is the size, where a text is cut to it; ~0: it is never cut.
  constexpr unsigned kNoSize = ~0U;
  constexpr unsigned kNone = kNoSize - 1;
  const unsigned size = llvm::StringSwitch<unsigned>(function)
                            .Cases("snprintf", "vsnprintf", "evutil_snprintf", "evutil_vsnprintf", 1)
                            .Cases("__snprintf_chk", "__vsnprintf_chk", 1)
                            .Cases("sprintf", "vsprintf", "__sprintf_chk", "__vsprintf_chk", kNoSize)
                            .Cases("strcpy", "stpcpy", "__strcpy_chk", "__stpcpy_chk", kNoSize)
                            .Case("strlcpy", 2)
                            .Default(kNone);
  if (size == kNoSize || (size != kNone && at_least_one(call, size))) return Filled{0, true, false, 0};
  if (function == "strcat" || function == "__strcat_chk" || function == "strncat" || function == "__strncat_chk" ||
      function == "strlcat")
    return Filled{0, true, true, 0};
  constexpr std::int64_t kTimeval = 16;  // struct timeval, struct timespec
  if (function == "gettimeofday" || function == "evutil_gettimeofday") return Filled{0, false, false, kTimeval};
  if (function == "clock_gettime") {
    const llvm::ConstantInt* clock = number_at(call, 0);
    constexpr std::uint64_t kMonotonic = 1;
    if (clock != nullptr && clock->getValue().ule(kMonotonic)) return Filled{1, false, false, kTimeval};
  }
  if (function == "__memcpy_chk" || function == "__memmove_chk" || function == "__memset_chk" ||
      function == "strncpy" || function == "__strncpy_chk") {
    const llvm::ConstantInt* bytes = number_at(call, 2);
    if (bytes != nullptr && bytes->getValue().getActiveBits() < 40)
      return Filled{0, false, false, static_cast<std::int64_t>(bytes->getZExtValue())};
  }
  return std::nullopt;
}

}  // namespace heddle::elyze
