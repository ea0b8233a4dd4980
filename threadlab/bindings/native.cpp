// The module heddle.lab._native: runs, for Python (nanobind). python/heddle/lab/ is what users see.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "threadlab/bindings/python_command.hpp"
#include "threadlab/commands/decode_jpeg.hpp"
#include "threadlab/commands/load_file.hpp"
#include "threadlab/commands/paint.hpp"
#include "threadlab/commands/paint_all.hpp"
#include "threadlab/run/run.hpp"

namespace nb = nanobind;

namespace heddle::threadlab {
namespace {

// Where a command stands: its name, its group, and whom it is behind.
struct At {
  std::string name;
  std::size_t group;
  std::vector<std::size_t> after;
};

ModelOptions::Kind kind_named(const std::string& name) {
  using Kind = ModelOptions::Kind;
  if (name == "cooperative") return Kind::kCooperative;
  if (name == "threads") return Kind::kThreads;
  if (name == "pool") return Kind::kPool;
  if (name == "pico") return Kind::kPico;
  if (name == "constrained") return Kind::kConstrained;
  if (name == "composed") return Kind::kComposed;
  if (name == "speculative") return Kind::kSpeculative;
  throw std::invalid_argument("there is no model \"" + name + "\"");
}

template <class C, class... Arguments>
std::size_t declare(Run& run, At at, Arguments&&... arguments) {
  return run.declare(std::make_unique<C>(std::move(at.name), std::forward<Arguments>(arguments)...), at.group,
                     at.after);
}

Rectangle rectangle(const Canvas& canvas, std::uint32_t x, std::uint32_t y, std::optional<std::uint32_t> width,
                    std::optional<std::uint32_t> height) {
  return {x, y, width.value_or(canvas.width()), height.value_or(canvas.height())};
}

void bind_data(nb::module_& module, nb::class_<Run>& run) {
  nb::class_<Data>(module, "Data").def_prop_ro("name", &Data::name);
  nb::class_<Memory, Data>(module, "Memory");
  nb::class_<File, Data>(module, "File");
  nb::class_<Image, Data>(module, "Image");
  nb::class_<Tree, Data>(module, "Tree");
  nb::class_<Canvas, Data>(module, "Canvas");
  nb::class_<Cells, Data>(module, "Cells");
  run.def(
      "memory",
      [](Run& self, const std::string& name, const std::optional<nb::bytes>& bytes) {
        if (!bytes) return self.make<Memory>(name);
        return self.make<Memory>(name, std::string_view(bytes->c_str(), bytes->size()));
      },
      nb::arg("name"), nb::arg("data").none());
  run.def("file", [](Run& self, const std::string& path) { return self.make<File>(path); }, nb::arg("path"));
  run.def("image", [](Run& self, const std::string& name) { return self.make<Image>(name); }, nb::arg("name"));
  run.def("tree", [](Run& self, const std::string& name) { return self.make<Tree>(name); }, nb::arg("name"));
  run.def("canvas", &Run::make_canvas, nb::arg("name"), nb::arg("width"), nb::arg("height"));
  run.def(
      "cells", [](Run& self, const std::string& name, std::size_t count) { return self.make<Cells>(name, count); },
      nb::arg("name"), nb::arg("count"));
}

void bind_commands(nb::class_<Run>& run) {
  using MemoryPointer = std::shared_ptr<Memory>;
  const auto load = [](auto into) {
    using Into = decltype(into);
    return [](Run& self, const At& at, const std::string& url, Into data, double timeout, std::size_t most) {
      return declare<LoadUrl>(self, at, url, std::move(data), LoadUrl::Limits{timeout, most});
    };
  };
  run.def("load_url", load(MemoryPointer()), nb::arg("at"), nb::arg("url"), nb::arg("into"), nb::arg("timeout"),
          nb::arg("most"));
  run.def("load_url", load(std::shared_ptr<File>()), nb::arg("at"), nb::arg("url"), nb::arg("into"), nb::arg("timeout"),
          nb::arg("most"));
  run.def(
      "load_file",
      [](Run& self, const At& at, const std::string& path, MemoryPointer into) {
        return declare<LoadFile>(self, at, path, std::move(into));
      },
      nb::arg("at"), nb::arg("path"), nb::arg("into"));
  const auto parse = [](auto language) {
    return [](Run& self, const At& at, MemoryPointer from, std::shared_ptr<Tree> into) {
      return declare<Parse>(self, at, decltype(language)::value, std::move(from), std::move(into));
    };
  };
  run.def("parse_html", parse(std::integral_constant<Parse::Language, Parse::Language::kHtml>()), nb::arg("at"),
          nb::arg("memory"), nb::arg("tree"));
  run.def("parse_xml", parse(std::integral_constant<Parse::Language, Parse::Language::kXml>()), nb::arg("at"),
          nb::arg("memory"), nb::arg("tree"));
  run.def(
      "decode_jpeg",
      [](Run& self, const At& at, MemoryPointer from, std::shared_ptr<Image> into) {
        return declare<DecodeJpeg>(self, at, std::move(from), std::move(into));
      },
      nb::arg("at"), nb::arg("memory"), nb::arg("image"));
  run.def(
      "paint_image",
      [](Run& self, const At& at, std::shared_ptr<Image> image, std::shared_ptr<Canvas> canvas, std::uint32_t x,
         std::uint32_t y, std::optional<std::uint32_t> width, std::optional<std::uint32_t> height) {
        const Rectangle area = rectangle(*canvas, x, y, width, height);
        const auto scale = width || height ? PaintImage::Scale::kFit : PaintImage::Scale::kNot;
        return declare<PaintImage>(self, at, std::move(image), std::make_shared<Region>(std::move(canvas), area),
                                   scale);
      },
      nb::arg("at"), nb::arg("image"), nb::arg("canvas"), nb::arg("x"), nb::arg("y"), nb::arg("width").none(),
      nb::arg("height").none());
  run.def(
      "paint_all_images",
      [](Run& self, const At& at, std::shared_ptr<Tree> tree, std::shared_ptr<Canvas> canvas, const std::string& url,
         std::uint32_t x, std::uint32_t y, std::uint32_t width, std::uint32_t height, double timeout) {
        auto region = std::make_shared<Region>(std::move(canvas), Rectangle{x, y, width, height});
        LoadUrl::Limits limits;
        limits.seconds = timeout;
        return declare<PaintAllImages>(self, at, std::move(tree), std::move(region), url, limits);
      },
      nb::arg("at"), nb::arg("tree"), nb::arg("canvas"), nb::arg("url"), nb::arg("x"), nb::arg("y"), nb::arg("width"),
      nb::arg("height"), nb::arg("timeout"));
  run.def(
      "call",
      [](Run& self, const At& at, nb::object step, PythonCommand::Inputs inputs, std::shared_ptr<Memory> into) {
        return declare<PythonCommand>(self, at, std::move(step), std::move(inputs), std::move(into));
      },
      nb::arg("at"), nb::arg("step"), nb::arg("inputs"), nb::arg("into").none());
  run.def(
      "sleep", [](Run& self, const At& at, double seconds) { return declare<Sleep>(self, at, seconds); }, nb::arg("at"),
      nb::arg("seconds"));
  run.def(
      "compute",
      [](Run& self, const At& at, std::uint64_t first, std::uint64_t last, std::uint64_t batch) {
        return declare<Compute>(self, at, first, last, batch);
      },
      nb::arg("at"), nb::arg("first"), nb::arg("last"), nb::arg("batch"));
  run.def(
      "touch",
      [](Run& self, const At& at, std::shared_ptr<Cells> cells, std::size_t first, std::size_t count,
         std::uint64_t rounds, std::uint64_t batch) {
        return declare<Touch>(self, at, std::move(cells), Touch::Range{first, count}, rounds, batch);
      },
      nb::arg("at"), nb::arg("cells"), nb::arg("first"), nb::arg("count"), nb::arg("rounds"), nb::arg("batch"));
}

}  // namespace

NB_MODULE(_native, module) {
  nb::class_<At>(module, "At")
      .def(nb::init<std::string, std::size_t, std::vector<std::size_t>>(), nb::arg("name"), nb::arg("group"),
           nb::arg("after"));
  nb::class_<Run> run(module, "Run");
  run.def(
      "__init__",
      [](Run* self, const std::string& model, std::size_t workers, std::size_t groups, bool per_group, bool busy,
         std::size_t connections, double seconds) {
        new (self) Run({{kind_named(model), workers, groups, per_group}, connections, seconds, busy});
      },
      nb::arg("model"), nb::arg("workers"), nb::arg("groups"), nb::arg("per_group"), nb::arg("busy"),
      nb::arg("connections"), nb::arg("seconds"));
  bind_data(module, run);
  bind_commands(run);
  run.def("execute", &Run::execute, nb::call_guard<nb::gil_scoped_release>());
  run.def("give_up", &Run::give_up, nb::arg("error"), nb::call_guard<nb::gil_scoped_release>());
  run.def("png", [](const Run& self) -> std::optional<nb::bytes> {
    if (self.canvas() == nullptr) return std::nullopt;
    const std::string bytes = self.canvas()->png();
    return nb::bytes(bytes.data(), bytes.size());
  });
}

}  // namespace heddle::threadlab
