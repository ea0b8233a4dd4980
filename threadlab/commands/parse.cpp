#include "threadlab/commands/parse.hpp"

#include <libxml/HTMLparser.h>
#include <libxml/xmlerror.h>

#include <new>
#include <utility>

namespace heddle::threadlab {
namespace {

void start_libxml_once() {
  static const bool started = (xmlInitParser(), true);
  static_cast<void>(started);
}

}  // namespace

Parse::Parse(std::string name, Language language, std::shared_ptr<Memory> from, std::shared_ptr<Tree> into)
    : Command(language == Language::kHtml ? "parse_html" : "parse_xml", std::move(name), {from}, {into}),
      language_(language),
      from_(std::move(from)),
      into_(std::move(into)) {
  start_libxml_once();
}

Parse::~Parse() {
  if (parser_ == nullptr) return;
  xmlFreeDoc(parser_->myDoc);
  xmlFreeParserCtxt(parser_);
}

void Parse::on_error(void* parser, xmlErrorPtr error) {
  // A tag that libxml2 has not heard of, such as <main>, is no fault of the page.
  if (error->level < XML_ERR_ERROR || error->code == XML_HTML_UNKNOWN_TAG) return;
  auto* const self = static_cast<Parse*>(static_cast<xmlParserCtxtPtr>(parser)->_private);
  if (self->errors_++ > 0) return;
  std::string message = error->message != nullptr ? error->message : "unknown";
  while (!message.empty() && message.back() == '\n') message.pop_back();
  self->first_error_ = "line " + std::to_string(error->line) + ": " + message;
}

void Parse::begin(const char* bytes, int count) {
  // No network, no entities that are files, and libxml2's limits on depth and size.
  if (language_ == Language::kHtml) {
    parser_ = htmlCreatePushParserCtxt(nullptr, nullptr, bytes, count, nullptr, XML_CHAR_ENCODING_NONE);
    if (parser_ != nullptr) htmlCtxtUseOptions(parser_, HTML_PARSE_RECOVER | HTML_PARSE_NONET);
  } else {
    parser_ = xmlCreatePushParserCtxt(nullptr, nullptr, bytes, count, nullptr);
    if (parser_ != nullptr) xmlCtxtUseOptions(parser_, XML_PARSE_NONET);
  }
  if (parser_ == nullptr) throw std::bad_alloc();
  parser_->_private = this;
  parser_->sax->initialized = XML_SAX2_MAGIC;
  parser_->sax->serror = [](void* parser, xmlErrorPtr error) { on_error(parser, error); };
}

void Parse::feed(const char* bytes, int count, bool last) {
  if (language_ == Language::kHtml) {
    htmlParseChunk(parser_, bytes, count, last ? 1 : 0);
  } else {
    xmlParseChunk(parser_, bytes, count, last ? 1 : 0);
  }
}

Step Parse::finish() {
  if (from_->failed()) return Step::done("no_input: " + from_->failure());
  if (parser_ == nullptr) return Step::done("empty: there is nothing to parse");
  feed("", 0, true);
  const xmlDocPtr document = std::exchange(parser_->myDoc, nullptr);
  const bool usable = document != nullptr && (language_ == Language::kHtml || parser_->wellFormed != 0);
  if (usable) {
    into_->set_document(document);
    into_->close();
  } else {
    xmlFreeDoc(document);
  }
  if (errors_ == 0 && usable) return Step::done();
  const std::string name = language_ == Language::kHtml ? "broken_html: " : "broken_xml: ";
  return Step::done(name + (errors_ > 1 ? std::to_string(errors_) + " errors, the first in " : "") +
                    (first_error_.empty() ? "no document" : first_error_));
}

Step Parse::part(Context& context) {
  // In this order: what comes in between is seen at the next look.
  const std::uint64_t version = from_->version();
  const bool complete = from_->closed();
  std::array<char, kPiece> bytes;
  const std::size_t count = from_->read(at_, bytes.data(), bytes.size(), context.locks());
  if (count < bytes.size() && !complete) return Step::more(*from_, version);
  if (count == 0) return finish();
  at_ += count;
  if (parser_ == nullptr) {
    begin(bytes.data(), static_cast<int>(count));
  } else {
    feed(bytes.data(), static_cast<int>(count), false);
  }
  return Step::ready();
}

void Parse::end(Context&) {
  if (parser_ == nullptr) return;
  xmlFreeDoc(std::exchange(parser_->myDoc, nullptr));
  xmlFreeParserCtxt(std::exchange(parser_, nullptr));
}

}  // namespace heddle::threadlab
