// elyze: LLVM bitcode of a libevent program in, conflicts between its event handlers out.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>

#include "elyze/ir/error.hpp"
#include "elyze/report/run.hpp"

namespace {

constexpr int kBadInput = 2;

int analyse(const heddle::elyze::Job& job, const std::string& output, bool timings) {
  const auto show = [](const heddle::elyze::Timing& step) {
    std::fprintf(stderr, "%-12s %8.3f s\n", step.step.c_str(), step.seconds);
  };
  const std::function<void(const heddle::elyze::Timing&)> silent;
  const nlohmann::ordered_json document = timings ? analyse_program(job, show) : analyse_program(job, silent);
  std::ofstream file(output);
  file << document.dump(1) << '\n';
  file.close();
  if (!file) throw heddle::elyze::InputError(output + ": can't write it: name a file in a folder you may write to");
  return 0;
}

bool build_id_is_valid(const std::string& id) {
  if (id == "none") return true;
  return !id.empty() &&
         std::all_of(id.begin(), id.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

int run(int argc, char** argv) {
  CLI::App app{"Finds which event handlers of a libevent program conflict, from its LLVM 19 bitcode."};
  app.set_version_flag("--version", HEDDLE_VERSION);
  app.footer(
      "Example: elyze server.bc --program server --build-id none --specs elyze/specs -o server.constraints.json");
  heddle::elyze::Job job;
  job.program.build_id = "none";
  std::string output;
  bool timings = false;
  app.add_option("bitcode", job.bitcode, "bitcode files that make up the program")->required();
  app.add_option("--program", job.program.name, "file name of the linked program")->required();
  app.add_option("--build-id", job.program.build_id, "its GNU build id in lower-case hexadecimal, or none");
  app.add_option("--specs", job.specs, "folder with specs of external functions")->required();
  app.add_option("--spec", job.own_specs, "further file of specs, which counts before the folder's; may be repeated")
      ->allow_extra_args(false);
  app.add_option("-o,--output", output, "where to write the constraints document")->required();
  app.add_flag("--timings", timings, "print the time of each step on standard error");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? 0 : kBadInput;
  }
  if (!build_id_is_valid(job.program.build_id)) {
    throw heddle::elyze::InputError("--build-id " + job.program.build_id +
                                    ": give it in lower-case hexadecimal, or none");
  }
  return analyse(job, output, timings);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const heddle::elyze::InputError& error) {
    std::fprintf(stderr, "elyze: %s\n", error.what());
    return kBadInput;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "elyze: internal error: %s\n", error.what());
    return 1;
  }
}
