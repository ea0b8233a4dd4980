#include "elyze/footprint/records.hpp"

#include <llvm/IR/Constants.h>

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <vector>

#include "elyze/ir/values.hpp"

namespace heddle::elyze {
namespace {

constexpr std::string_view kFlags = "-+ #0'I";
constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kLengths = "hlLqjzt";
constexpr std::string_view kOfNumbers = "diouxXeEfFgGaAp";

// All but the last character, which ends a line.
bool ends_one_line(std::string_view text) { return text.find('\n') >= text.size() - (text.empty() ? 0 : 1); }

}  // namespace

// Does the program call the function with this number as its argument `mode`, as far as that can be known?
bool Records::calls(const char* function, int mode, std::int64_t wanted) const {
  const llvm::Function* found = analysis_.points_to.module.getFunction(function);
  if (analysis_.points_to.may_call_without_name(function)) return true;
  return found != nullptr && std::any_of(found->use_begin(), found->use_end(), [&](const llvm::Use& use) {
           const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
           if (mode < 0 || call == nullptr || !call->isCallee(&use)) return true;
           const llvm::ConstantInt* number = analysis_.points_to.number(*call, argument(*call, mode));
           return number == nullptr || number->getSExtValue() == wanted;
         });
}

Records::Buffers Records::buffers_of(NodeId descriptor) {
  if (!said_) {
    said_ = Buffers{};
    said_->none = calls("setvbuf", 2, _IONBF) || calls("setbuf", -1, 0) || calls("setbuffer", -1, 0);
    // A stream that gets another file finds out anew whether that is a terminal.
    said_->lines = calls("setvbuf", 2, _IOLBF) || calls("setlinebuf", -1, 0) || calls("freopen", -1, 0) ||
                   calls("freopen64", -1, 0);
  }
  Buffers buffers = *said_;
  const std::vector<Graph::Placed>& objects = analysis_.points_to.graph.node({descriptor, 0}).objects;
  for (const Graph::Placed& placed : objects) {
    const Object& object = analysis_.points_to.graph.object(placed.object);
    if (!object.standard) continue;
    (object.name == "descriptor 2" ? buffers.none : buffers.lines) = true;
  }
  if (objects.empty() || two_streams(descriptor)) buffers = {true, true};
  return buffers;
}

bool Records::two_streams(NodeId descriptor) {
  if (!opened_again_) find_streams();
  return opened_again_->contains(descriptor);
}

void Records::find_streams() {
  opened_again_.emplace();
  const Graph& graph = analysis_.points_to.graph;
  for (NodeId id = 0; id < graph.node_count(); ++id) {
    if (graph.find_node(id) != id) continue;
    const Graph::Node& node = graph.node({id, 0});
    const bool made = std::any_of(node.objects.begin(), node.objects.end(), [&](const Graph::Placed& placed) {
      const auto* call = llvm::dyn_cast_or_null<llvm::CallBase>(graph.object(placed.object).site);
      return call != nullptr && may_be_fdopen(*call);
    });
    if (!made) continue;
    for (const auto& [where, edge] : node.edges) {
      if (!is_number(where)) continue;
      for (const Cell target : edge.targets) opened_again_->insert(graph.find_node(target.node));
    }
  }
}

bool Records::may_be_fdopen(const llvm::CallBase& call) const {
  const std::vector<CallSite>& sites = analysis_.calls.at(call);
  return std::any_of(sites.begin(), sites.end(), [](const CallSite& site) {
    return std::any_of(site.externals.begin(), site.externals.end(),
                       [](const llvm::Function* external) { return external->getName() == "fdopen"; });
  });
}

bool Records::in_pieces(const llvm::Instruction& place, Buffers buffers) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&place);
  const std::vector<const Effect*> records = call == nullptr ? std::vector<const Effect*>{} : records_of(*call);
  if (records.empty()) return true;
  const auto in_pieces = [](const Effect* record) { return record->in_pieces; };
  if (buffers.none && std::any_of(records.begin(), records.end(), in_pieces)) return true;
  if (!buffers.lines) return false;
  const auto [known, fresh] = one_line_.try_emplace(call, false);
  if (fresh) {
    known->second =
        std::all_of(records.begin(), records.end(), [&](const Effect* record) { return one_line(*call, *record); });
  }
  return !known->second;
}

std::vector<const Effect*> Records::records_of(const llvm::CallBase& call) const {
  std::vector<const Effect*> found;
  for (const CallSite& site : analysis_.calls.at(call)) {
    for (const llvm::Function* external : site.externals) {
      const Spec* spec = analysis_.points_to.specs.find(*external);
      if (spec == nullptr) continue;
      for (const Effect& effect : spec->effects)
        if (effect.op == Effect::Op::kAppend) found.push_back(&effect);
    }
  }
  return found;
}

// Does the text of the record surely end with its first line, if not before?
bool Records::one_line(const llvm::CallBase& call, const Effect& effect) const {
  using Text = Effect::Text;
  if (effect.text == Text::kByte) return true;
  if (effect.text == Text::kUnknown) return false;
  const llvm::Value* value = argument(call, effect.other);
  if (effect.text == Text::kLine) return without_newline(call, value);
  std::vector<std::string> texts;
  if (!constant_texts(call, value, analysis_.points_to.numbers_read, texts)) return false;
  return std::all_of(texts.begin(), texts.end(), [&](const std::string& text) {
    return effect.text == Text::kFormat ? one_line_of_format(call, effect.other, text) : ends_one_line(text);
  });
}

bool Records::without_newline(const llvm::CallBase& call, const llvm::Value* text) const {
  std::vector<std::string> texts;
  return constant_texts(call, text, analysis_.points_to.numbers_read, texts) &&
         std::all_of(texts.begin(), texts.end(),
                     [](const std::string& one) { return one.find('\n') == std::string::npos; });
}

// The same for what printf() makes of the format (printf(3)). Texts that are printed are looked at where the call names
// them.
bool Records::one_line_of_format(const llvm::CallBase& call, int format, const std::string& text) const {
  if (!ends_one_line(text)) return false;
  const bool given = call.getFunctionType()->isVarArg();
  int next = format + 1;
  for (std::size_t at = text.find('%'); at != std::string::npos; at = text.find('%', at + 1)) {
    const auto skip = [&](std::string_view characters) {
      at = std::min(text.find_first_not_of(characters, at), text.size());
    };
    const auto skip_number = [&] {
      const bool by_argument = at < text.size() && text[at] == '*';
      if (!by_argument) return skip(kDigits);
      ++next;
      ++at;
    };
    ++at;
    skip(kFlags);
    skip_number();
    if (at < text.size() && text[at] == '.') {
      ++at;
      skip_number();
    }
    skip(kLengths);
    if (at >= text.size()) return false;
    if (text[at] == '%' || text[at] == 'm') continue;
    const llvm::Value* value = given ? argument(call, next) : nullptr;
    ++next;
    if (kOfNumbers.find(text[at]) != std::string_view::npos) continue;
    if (text[at] == 's' && value != nullptr && without_newline(call, value)) continue;
    const llvm::ConstantInt* number = value == nullptr ? nullptr : analysis_.points_to.number(call, value);
    if (text[at] == 'c' && number != nullptr && !number->equalsInt('\n')) continue;
    return false;
  }
  return true;
}

}  // namespace heddle::elyze
