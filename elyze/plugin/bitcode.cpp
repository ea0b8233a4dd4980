#include "elyze/plugin/bitcode.hpp"

#include <llvm/ADT/SmallString.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Support/Endian.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/raw_ostream.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "schemas/agreements.hpp"
#include "schemas/environment.hpp"

namespace heddle::plugin {
namespace {

constexpr std::size_t kBytesInLine = 1024;

// `-O0` forbids all passes, the analyser's too; what they read must not say so. The object's own code keeps it.
class WithoutOptnone {
 public:
  explicit WithoutOptnone(llvm::Module& module) {
    for (llvm::Function& function : module) {
      if (!function.hasFnAttribute(llvm::Attribute::OptimizeNone)) continue;
      function.removeFnAttr(llvm::Attribute::OptimizeNone);
      functions_.push_back(&function);
    }
  }
  ~WithoutOptnone() {
    for (llvm::Function* function : functions_) function->addFnAttr(llvm::Attribute::OptimizeNone);
  }
  WithoutOptnone(const WithoutOptnone&) = delete;
  WithoutOptnone& operator=(const WithoutOptnone&) = delete;

 private:
  std::vector<llvm::Function*> functions_;
};

std::string bitcode_of(llvm::Module& module) {
  const WithoutOptnone analysed(module);
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  llvm::WriteBitcodeToFile(module, stream);
  return bytes;
}

void write(const std::string& bytes, const char* file) {
  std::error_code failure;
  llvm::raw_fd_ostream stream(file, failure);
  if (!failure) stream << bytes;
  stream.flush();
  if (failure || stream.has_error()) {
    stream.clear_error();
    llvm::report_fatal_error(llvm::Twine(file) + ": cannot be written", false);
  }
}

template <typename Number>
void add_little_endian(std::string& record, Number value) {
  std::array<char, sizeof(Number)> bytes;
  llvm::support::endian::write<Number, llvm::endianness::little>(bytes.data(), value);
  record.append(bytes.data(), bytes.size());
}

std::string record_of(const llvm::Module& module, std::string_view bytes) {
  llvm::SmallString<256> source(module.getSourceFileName());
  if (!source.empty()) llvm::sys::fs::make_absolute(source);
  std::string record = schemas::bitcode::kMagic;
  add_little_endian(record, static_cast<std::uint32_t>(source.size()));
  add_little_endian(record, static_cast<std::uint64_t>(bytes.size()));
  record += source.str();
  record += bytes;
  return record;
}

// A directive of the assembler, since a variable would be in a section that is loaded.
std::string directives_for(std::string_view record) {
  std::string text;
  text.reserve(record.size() * 4);
  text.append(".pushsection ").append(schemas::bitcode::kSection).append(",\"\",@progbits\n");
  for (std::size_t at = 0; at < record.size(); at += kBytesInLine) {
    text += ".ascii \"";
    for (const char byte : record.substr(at, kBytesInLine)) {
      const auto value = static_cast<unsigned char>(byte);
      if (value >= ' ' && value <= '~' && byte != '"' && byte != '\\') {
        text += byte;
        continue;
      }
      text += '\\';
      for (const int shift : {6, 3, 0}) text += static_cast<char>('0' + ((value >> shift) & 7));
    }
    text += "\"\n";
  }
  text += ".popsection\n";
  return text;
}

}  // namespace

void embed_bitcode(llvm::Module& module) {
  const std::string bytes = bitcode_of(module);
  // NOLINTNEXTLINE(concurrency-mt-unsafe): the compiler has one thread
  if (const char* file = std::getenv(schemas::environment::kBitcode); file != nullptr) write(bytes, file);
  module.appendModuleInlineAsm(directives_for(record_of(module, bytes)));
}

}  // namespace heddle::plugin
