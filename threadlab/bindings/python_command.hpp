// A command that is a Python function, or a generator, each of whose steps is a part.
//
// What a function yields and returns is understood in Python (heddle/lab/call.py), which also turns an exception into
// an error; here arrives one of
//   ("ready", None)   ("append", bytes)   ("wait", seconds)   ("socket", descriptor)   ("done", number or None)
//   ("error", text)
// Parts need the interpreter's lock (GIL), so under no model two of them run at once.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <vector>

#include "threadlab/commands/command.hpp"
#include "threadlab/data/memory.hpp"

namespace heddle::threadlab {

class PythonCommand : public Command {
 public:
  using Inputs = std::vector<std::shared_ptr<Memory>>;

  // `step` is called with the contents of `inputs`, as a list of bytes, when these are complete. `into` may be null.
  PythonCommand(std::string name, nanobind::object step, Inputs inputs, std::shared_ptr<Memory> into);

  Step part(Context& context) override;
  std::string result() const override { return result_; }

 private:
  bool still_waits() const;
  Step understand(const std::string& what, nanobind::handle value, bool locks);

  const nanobind::object step_;
  const Inputs inputs_;
  const std::shared_ptr<Memory> into_;
  Step waits_;  // what it was told to wait for
  std::string result_;
};

}  // namespace heddle::threadlab
