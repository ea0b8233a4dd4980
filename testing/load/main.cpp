// heddle-load: the command line of the load (load.hpp).
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>

#include "testing/load/load.hpp"

namespace {

using namespace heddle::testing::load;

struct Files {
  std::string mix, hashes, save_hashes;
  std::vector<std::string> paths;
  bool json = false;
};

std::string read_file(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  if (!file) throw BadInput("cannot read '" + name + "': name a file that exists");
  return {std::istreambuf_iterator<char>(file), {}};
}

void add_options(CLI::App& app, Settings& settings, Files& files) {
  app.add_option("--port", settings.port, "Port on 127.0.0.1")->required();
  app.add_option("--connections", settings.connections, "Connections, each with one request under way")
      ->check(CLI::Range(1, 60000))
      ->capture_default_str();
  app.add_option("--duration", settings.duration_s, "Seconds that count")
      ->check(CLI::Range(0.01, 86400.0))
      ->capture_default_str();
  app.add_option("--requests", settings.requests, "So many requests instead of a duration")
      ->check(CLI::Range(1LL, 1000000000LL));
  app.add_option("--warmup", settings.warmup_s, "Seconds before that which do not count")
      ->check(CLI::Range(0.0, 3600.0))
      ->capture_default_str();
  app.add_option("--mix", files.mix, "File of URLs, one 'WEIGHT PATH' a line");
  app.add_option("--path", files.paths, "A URL, 'PATH' or 'PATH=WEIGHT'; may be repeated");
  app.add_option("--seed", settings.seed, "Order of the URLs")->capture_default_str();
  app.add_option("--probe", settings.probe_path, "A URL asked for on a connection of its own, measured apart");
  app.add_option("--probe-interval-ms", settings.probe_interval_ms, "Between two questions of the probe")
      ->check(CLI::Range(0.0, 60000.0))
      ->capture_default_str();
  app.add_option("--timeout", settings.timeout_s, "Seconds until a missing answer is an error")
      ->check(CLI::Range(0.1, 3600.0))
      ->capture_default_str();
  app.add_option("--hashes", files.hashes, "Compare answers with those of --save-hashes of another run");
  app.add_option("--save-hashes", files.save_hashes, "Record what every URL answered");
  app.add_option("--varying", settings.varying, "Routes whose answers change and are not compared")
      ->capture_default_str();
  app.add_flag("--any-status", settings.any_status, "Answers other than 200 are no errors");
  app.add_option("--pid", settings.server_pid, "The server, to report its CPU time");
  app.add_flag("--json", files.json, "Print a JSON document");
}

int run(Settings settings, const Files& files) {
  if (!files.mix.empty()) settings.paths = parse_mix(read_file(files.mix), files.mix);
  for (const auto& path : files.paths) settings.paths.push_back(parse_weighted_path(path));
  if (settings.paths.empty()) throw BadInput("no URL to ask for: give --path /hello or --mix FILE");
  if (settings.probe_path && settings.probe_path->front() != '/') throw BadInput("--probe takes a path such as /stats");
  if (!files.hashes.empty()) settings.expected = parse_fingerprints(read_file(files.hashes), files.hashes);

  Outcome outcome = run_load(settings);
  if (!files.save_hashes.empty()) {
    std::ofstream file(files.save_hashes, std::ios::binary);
    file << format_fingerprints(outcome.fingerprints);
    if (!file.flush()) throw BadInput("cannot write '" + files.save_hashes + "': name another file");
  }
  const std::string text = files.json ? to_json(outcome.figures) : to_text(outcome.figures);
  std::fputs(text.c_str(), stdout);
  return outcome.figures.errors.total() == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Settings settings;
    Files files;
    CLI::App app{"Puts a closed-loop HTTP load on a server of this machine, checks every answer, measures."};
    app.footer(
        "Exit code: 0 every answer was right, 1 some were not, 2 bad input.\n\n"
        "Example:\n"
        "  heddle-load --port 8080 --connections 8 --duration 5 --mix mix.txt --probe /stats --json");
    add_options(app, settings, files);
    try {
      app.parse(argc, argv);
    } catch (const CLI::Success& help) {
      return app.exit(help);
    } catch (const CLI::ParseError& error) {
      throw BadInput(std::string(error.what()) + ": see heddle-load --help");
    }
    return run(std::move(settings), files);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "heddle-load: %s\n", error.what());
    return 2;
  }
}
