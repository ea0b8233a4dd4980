#include "threadlab/bindings/python_command.hpp"

#include <nanobind/stl/string.h>
#include <poll.h>

#include <cmath>
#include <utility>

#include "base/clock.hpp"

namespace nb = nanobind;

namespace heddle::threadlab {

PythonCommand::PythonCommand(std::string name, nb::object step, Inputs inputs, std::shared_ptr<Memory> into)
    : Command("call", std::move(name), DataList(inputs.begin(), inputs.end()), into ? DataList{into} : DataList{}),
      step_(std::move(step)),
      inputs_(std::move(inputs)),
      into_(std::move(into)) {}

// A model may ask too early: one that is busy always does.
bool PythonCommand::still_waits() const {
  if (waits_.waits_for == Step::For::kTimer) return base::monotonic_ns() < waits_.until;
  if (waits_.waits_for != Step::For::kSocket) return false;
  pollfd now{waits_.descriptor, POLLIN, 0};
  return poll(&now, 1, 0) == 0;
}

Step PythonCommand::part(Context& context) {
  for (const auto& input : inputs_) {
    const std::uint64_t version = input->version();
    if (!input->closed()) return Step::more(*input, version);
    if (input->failed()) return Step::done("no_input: " + input->failure());
  }
  if (still_waits()) return waits_;
  waits_ = Step::ready();
  const nb::gil_scoped_acquire acquired;
  nb::list contents;
  for (const auto& input : inputs_) contents.append(nb::bytes(input->bytes().data(), input->bytes().size()));
  const auto answer = nb::cast<nb::tuple>(step_(contents));
  return understand(nb::cast<std::string>(answer[0]), answer[1], context.locks());
}

Step PythonCommand::understand(const std::string& what, nb::handle value, bool locks) {
  if (what == "ready") return Step::ready();
  if (what == "socket") return waits_ = Step::socket(nb::cast<int>(value), Step::kNever);
  if (what == "wait") {
    const auto seconds = nb::cast<double>(value);
    return waits_ = Step::timer(base::monotonic_ns() + static_cast<base::Nanoseconds>(seconds * 1e9));
  }
  if (what == "error") return Step::done(nb::cast<std::string>(value));
  if (what == "append") {
    const auto bytes = nb::cast<nb::bytes>(value);
    into_->append({bytes.c_str(), bytes.size()}, locks);
    return Step::ready();
  }
  if (!value.is_none()) result_ = nb::cast<std::string>(nb::str(value));
  if (into_) into_->close();
  return Step::done();
}

}  // namespace heddle::threadlab
