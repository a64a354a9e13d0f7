#include "dlvm/text/chunk_parser.h"

#include <algorithm>
#include <optional>
#include <set>

#include "dlvm/text/diagnostics.h"

namespace dlvm::reading {
namespace {

/// A token's index in the stream is its index in the chunk.
class ChunkTokens final : public antlr4::TokenSource {
 public:
  ChunkTokens(const Cut& cut, const Chunk& chunk) : cut_(cut), next_(chunk.first), last_(chunk.last) {}

  std::unique_ptr<antlr4::Token> nextToken() override {
    return std::make_unique<antlr4::CommonToken>(next_ < last_ ? cut_.tokens[next_++].kind
                                                               : antlr4::Token::EOF);
  }
  size_t getLine() const override { return 1; }
  size_t getCharPositionInLine() override { return 0; }
  antlr4::CharStream* getInputStream() override { return nullptr; }
  std::string getSourceName() override { return ""; }
  antlr4::TokenFactory<antlr4::CommonToken>* getTokenFactory() override {
    return antlr4::CommonTokenFactory::DEFAULT.get();
  }

 private:
  const Cut& cut_;
  std::size_t next_, last_;
};

std::string display(std::size_t kind) {
  switch (kind) {
    case antlr4::Token::EOF:
      return "the end of the line";
    case Grammar::NAME:
      return "a name";
    case Grammar::INTEGER:
      return "an integer";
    case Grammar::REAL:
      return "";  // wherever a number may stand, an integer may
    case Grammar::VALUE:
      return "a value %…";
    case Grammar::GLOBAL:
      return "a function or variable @…";
    case Grammar::TYPE:
      return "a type $…";
    case Grammar::KEY:
      return "a field #…";
    case Grammar::CASE:
      return "a case ?…";
    case Grammar::LABEL:
      return "a label '…";
    case Grammar::STRING:
      return "a string";
    default:
      static const Grammar vocabulary(nullptr);
      return vocabulary.getVocabulary().getDisplayName(kind);
  }
}

/// Where a name may stand, so may every keyword: they are left out of the message.
std::string alternatives(const std::set<std::size_t>& kinds) {
  std::vector<std::string> words;
  const bool names = kinds.contains(Grammar::NAME);
  for (const std::size_t kind : kinds) {
    std::string text = display(kind);
    const bool keyword =
        text.size() > 2 && text[0] == '\'' && std::isalpha(static_cast<unsigned char>(text[1]));
    if (!text.empty() && !(names && keyword)) words.push_back(std::move(text));
  }
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i)
    out += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return out.empty() ? "something else" : out;
}

}  // namespace

/// Ends the parse at the first mistake and keeps what is known about it.
class ChunkParser::Failure final : public antlr4::DefaultErrorStrategy {
 public:
  std::optional<std::size_t> token;
  std::set<std::size_t> expected;

  void reportError(antlr4::Parser* parser, const antlr4::RecognitionException& e) override {
    keep(parser, e.getOffendingToken());
  }
  void recover(antlr4::Parser*, std::exception_ptr) override { throw antlr4::ParseCancellationException(); }
  antlr4::Token* recoverInline(antlr4::Parser* parser) override {
    keep(parser, parser->getCurrentToken());
    throw antlr4::ParseCancellationException();
  }
  void sync(antlr4::Parser*) override {}

 private:
  void keep(antlr4::Parser* parser, const antlr4::Token* at) {
    if (token) return;
    token = at != nullptr ? at->getTokenIndex() : 0;
    for (const ssize_t kind : parser->getExpectedTokens().toList())
      expected.insert(static_cast<std::size_t>(kind));
  }
};

ChunkParser::ChunkParser(const Cut& cut, Diagnostics& diagnostics)
    : cut_(cut), diagnostics_(diagnostics), parser_(nullptr), failure_(std::make_shared<Failure>()) {
  parser_.removeErrorListeners();
  parser_.setErrorHandler(failure_);
}

ChunkParser::~ChunkParser() = default;

template <typename Tree>
Tree* ChunkParser::parse(const Chunk& chunk, Tree* (Grammar::*rule)()) {
  if (chunk.first == chunk.last) return nullptr;
  auto source = std::make_unique<ChunkTokens>(cut_, chunk);
  auto stream = std::make_unique<antlr4::CommonTokenStream>(source.get());
  for (const auto mode : {antlr4::atn::PredictionMode::SLL, antlr4::atn::PredictionMode::LL}) {
    failure_->token.reset();
    failure_->expected.clear();
    stream->seek(0);
    parser_.setTokenStream(stream.get());
    parser_.getInterpreter<antlr4::atn::ParserATNSimulator>()->setPredictionMode(mode);
    try {
      Tree* tree = (parser_.*rule)();
      stream_ = std::move(stream);
      source_ = std::move(source);
      return tree;
    } catch (const antlr4::ParseCancellationException&) {
    }
  }
  parser_.setTokenStream(stream_.get());
  report(chunk);
  return nullptr;
}

void ChunkParser::report(const Chunk& chunk) {
  const std::size_t at = std::min(chunk.first + failure_->token.value_or(0), chunk.last);
  const bool end = at == chunk.last;
  Location location = cut_.tokens[end && at > chunk.first ? at - 1 : at].location;
  if (end && at > chunk.first) {
    location.column += location.length;
    location.length = 1;
  }
  const std::string found =
      end ? "the end of the line" : "'" + std::string(cut_.tokens[at].text.substr(0, 40)) + "'";
  diagnostics_.report(syntax, location, alternatives(failure_->expected), found);
}

Grammar::ItemContext* ChunkParser::item(const Chunk& chunk) { return parse(chunk, &Grammar::item); }
Grammar::StatementContext* ChunkParser::statement(const Chunk& chunk) {
  return parse(chunk, &Grammar::statement);
}

}  // namespace dlvm::reading
