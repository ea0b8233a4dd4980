#include "elyze/compare/run.hpp"

#include <fstream>

#include "elyze/compare/modules.hpp"
#include "elyze/ir/error.hpp"
#include "elyze/ir/load.hpp"

namespace heddle::elyze {
namespace {

using Json = nlohmann::ordered_json;

Json moved_lines(const Lines& lines) {
  Json files = Json::object();
  for (const auto& [file, places] : lines.files()) {
    Json list = Json::array();
    bool any = false;
    for (const auto& [before, now] : places) {
      list.push_back({before, now});
      any |= before != now;
    }
    if (any) files[file] = std::move(list);
  }
  return files;
}

}  // namespace

Json compare_modules(const std::vector<Rebuilt>& modules, const NumbersRead& read) {
  Lines lines;
  Preparation preparation;
  const std::string* current = nullptr;
  try {
    for (const Rebuilt& rebuilt : modules) {
      current = &rebuilt.now;
      // Each module needs a context of its own: in a common one LLVM would rename structures of the same name.
      llvm::LLVMContext context;
      llvm::LLVMContext context_now;
      const std::unique_ptr<llvm::Module> before = read_module(context, rebuilt.before);
      const std::unique_ptr<llvm::Module> now = read_module(context_now, rebuilt.now);
      compare(*before, *now, Form::kCompiled, read, lines);
      preparation.run(*before);
      preparation.run(*now);
      compare(*before, *now, Form::kPrepared, read, lines);
    }
    lines.check_order();
  } catch (const Different& difference) {
    return {{"same", false}, {"module", *current}, {"why", difference.what()}};
  }
  return {{"same", true}, {"lines", moved_lines(lines)}, {"names", lines.names()}};
}

void write_numbers(const NumbersRead& read, const std::string& file) {
  Json list = Json::array();
  for (const auto& [function, index] : read.arguments()) list.push_back({function, index});
  std::ofstream stream(file);
  stream << list.dump() << '\n';
  stream.close();
  if (!stream) throw InputError(file + ": can't write it: name a file in a folder you may write to");
}

NumbersRead read_numbers(const std::string& file) {
  NumbersRead read;
  try {
    std::ifstream stream(file);
    for (const Json& entry : Json::parse(stream)) read.add(entry.at(0).get<std::string>(), entry.at(1).get<unsigned>());
  } catch (const Json::exception&) {
    throw InputError(file + ": not what elyze wrote with --numbers-read: write it again");
  }
  return read;
}

}  // namespace heddle::elyze
