// Loads a URL into a memory area or a file, by libcurl's multi interface.
#pragma once

#include <curl/curl.h>

#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>

#include "threadlab/commands/command.hpp"
#include "threadlab/data/file.hpp"
#include "threadlab/data/memory.hpp"

namespace heddle::threadlab {

class Slot;

class LoadUrl : public Command {
 public:
  struct Limits {
    double seconds = 30;               // for the whole transfer, from when it has a connection
    std::size_t most_bytes = 1 << 28;  // of the body
  };

  LoadUrl(std::string name, std::string url, std::shared_ptr<Memory> into, Limits limits);
  LoadUrl(std::string name, std::string url, std::shared_ptr<File> into, Limits limits);

  Step part(Context& context) override;
  void end(Context& context) override;

 private:
  struct FreeEasy {
    void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
  };
  struct CloseFile {
    void operator()(FILE* file) const { std::fclose(file); }
  };

  static std::size_t on_body(char* bytes, std::size_t, std::size_t count, void* command);
  Step begin(Slot& slot);
  std::string outcome(CURLcode code) const;

  const std::string url_;
  const std::shared_ptr<Memory> memory_;  // this, or file_
  const std::shared_ptr<File> file_;
  const Limits limits_;
  Slot* slot_ = nullptr;
  bool in_line_ = false;
  bool locks_ = false;
  std::unique_ptr<CURL, FreeEasy> easy_;
  std::unique_ptr<FILE, CloseFile> out_;
  std::size_t received_ = 0;
  std::string failure_;  // of on_body()
};

}  // namespace heddle::threadlab
