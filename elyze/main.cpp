// elyze: LLVM bitcode of a libevent program in, conflicts between its event handlers out.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <string_view>

#include "base/clock.hpp"
#include "elyze/compare/run.hpp"
#include "elyze/driver.hpp"
#include "elyze/ir/error.hpp"
#include "elyze/specs/describe.hpp"

namespace {

struct SpecFiles {
  std::string folder;
  std::vector<std::string> own;  // count before the folder's
};

int write_document(const heddle::elyze::Job& job, const SpecFiles& files, const std::string& output,
                   const std::string& numbers, bool timings) {
  std::function<void(const heddle::elyze::Timing&)> show;
  if (timings)
    show = [](const heddle::elyze::Timing& step) {
      std::fprintf(stderr, "%-12s %8.3f s\n", step.step.c_str(), step.seconds);
    };
  const heddle::base::Nanoseconds began = heddle::base::monotonic_ns();
  const auto specs = heddle::elyze::Specs::read(files.folder, files.own);
  if (show) show({"specs", static_cast<double>(heddle::base::monotonic_ns() - began) * 1e-9});
  heddle::elyze::NumbersRead read;
  const nlohmann::ordered_json document = analyse_program(specs, job, show, &read);
  std::ofstream file(output);
  file << document.dump(1) << '\n';
  file.close();
  if (!file) throw heddle::elyze::InputError(output + ": can't write it: name a file in a folder you may write to");
  if (!numbers.empty()) write_numbers(read, numbers);
  return 0;
}

bool build_id_is_valid(const std::string& id) {
  if (id == "none") return true;
  return !id.empty() &&
         std::all_of(id.begin(), id.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

int parsed(CLI::App& app, int argc, char** argv, const std::function<int()>& work) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? 0 : heddle::elyze::kBadInput;
  }
  return work();
}

int compare_builds(int argc, char** argv) {
  CLI::App app{
      "Says whether what was found of a program holds for another build of it, and which line is where now: as JSON "
      "on standard output.",
      "elyze compare"};
  app.footer("Example: elyze compare --numbers-read server.numbers before/server.bc server.bc");
  std::string numbers;
  std::vector<std::string> files;
  app.add_option("bitcode", files, "modules that were compiled again: each as it was, then as it is now")->required();
  app.add_option("--numbers-read", numbers, "what the analysis of the program wrote for this")->required();
  return parsed(app, argc, argv, [&] {
    if (files.size() % 2 != 0) throw heddle::elyze::InputError("a module without its other build: name both of each");
    std::vector<heddle::elyze::Rebuilt> modules;
    for (std::size_t i = 0; i < files.size(); i += 2) modules.push_back({files[i], files[i + 1]});
    const auto found = compare_modules(modules, heddle::elyze::read_numbers(numbers));
    std::printf("%s\n", found.dump().c_str());
    return 0;
  });
}

int show_specs(int argc, char** argv) {
  CLI::App app{"Prints the specs of external functions, as they were read: as JSON on standard output.", "elyze specs"};
  app.footer("Example: elyze specs elyze/specs");
  std::string folder;
  std::vector<std::string> files;
  app.add_option("folder", folder, "folder with specs")->required();
  app.add_option("--spec", files, "further file of specs, which counts before the folder's; may be repeated")
      ->allow_extra_args(false);
  return parsed(app, argc, argv, [&] {
    std::printf("%s\n", describe(heddle::elyze::Specs::read(folder, files)).dump().c_str());
    return 0;
  });
}

int analyse_files(int argc, char** argv) {
  CLI::App app{
      "Finds which event handlers of a libevent program conflict, from its LLVM 19 bitcode. `elyze compare --help`: "
      "whether that holds for another build; `elyze specs --help`: what external functions do."};
  app.set_version_flag("--version", HEDDLE_VERSION);
  app.footer(
      "Example: elyze server.bc --program server --build-id none --specs elyze/specs -o server.constraints.json");
  heddle::elyze::Job job;
  job.program.build_id = "none";
  SpecFiles specs;
  std::string output;
  std::string numbers;
  bool timings = false;
  app.add_option("bitcode", job.bitcode, "bitcode files that make up the program")->required();
  app.add_option("--program", job.program.name, "file name of the linked program")->required();
  app.add_option("--build-id", job.program.build_id, "its GNU build id in lower-case hexadecimal, or none");
  app.add_option("--specs", specs.folder, "folder with specs of external functions")->required();
  app.add_option("--spec", specs.own, "further file of specs, which counts before the folder's; may be repeated")
      ->allow_extra_args(false);
  app.add_option("-o,--output", output, "where to write the constraints document")->required();
  app.add_option("--numbers-read", numbers, "where to write what `elyze compare` needs to know about this analysis");
  std::vector<std::string> assumed;
  app.add_option("--assume", assumed, "files-apart, streams-unordered: what need not be proven, separated by commas")
      ->delimiter(',')
      ->check(CLI::IsMember({"files-apart", "streams-unordered"}));
  app.add_flag("--strict", job.assumed.strict,
               "atomic accesses, records added to one stream, uses of sockets and openings of descriptors conflict as "
               "any other")
      ->excludes("--assume");
  app.add_flag("--timings", timings, "print the time of each step on standard error");
  return parsed(app, argc, argv, [&] {
    if (!build_id_is_valid(job.program.build_id)) {
      throw heddle::elyze::InputError("--build-id " + job.program.build_id +
                                      ": give it in lower-case hexadecimal, or none");
    }
    for (const std::string& name : assumed) {
      job.assumed.files_apart |= name == "files-apart";
      job.assumed.streams_unordered |= name == "streams-unordered";
    }
    return write_document(job, specs, output, numbers, timings);
  });
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::string_view verb = argc > 1 ? argv[1] : "";
    if (verb == "compare") return compare_builds(argc - 1, argv + 1);
    if (verb == "specs") return show_specs(argc - 1, argv + 1);
    return analyse_files(argc, argv);
  } catch (const heddle::elyze::InputError& error) {
    std::fprintf(stderr, "elyze: %s\n", error.what());
    return heddle::elyze::kBadInput;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "elyze: internal error: %s\n", error.what());
    return 1;
  }
}
