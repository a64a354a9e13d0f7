#include "frontend/parse/parse.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "frontend/parse/build.h"
#include "frontend/parse/comment_warnings.h"
#include "frontend/parse/diagnostics.h"
#include "frontend/parse/grammar.h"
#include "frontend/parse/habit_fix.h"
#include "frontend/parse/line_fix.h"
#include "frontend/parse/syntax_error.h"
#include "frontend/parse/token.h"
#include "frontend/support/append_messages.h"

namespace frontend {
namespace {

using namespace syntax;

/// The tokens of one declaration, as ANTLR wants them. A token's index in the stream is its index in the
/// chunk.
class ChunkSource final : public antlr4::TokenSource {
 public:
  ChunkSource(const Resolved& resolved, const Chunk& chunk)
      : resolved_(resolved), chunk_(chunk), next_(chunk.first) {}

  std::unique_ptr<antlr4::Token> nextToken() override {
    const bool end = next_ >= chunk_.last;
    const Token& token = resolved_.code[std::min(next_, resolved_.code.size() - 1)];
    if (!end) ++next_;
    return std::make_unique<antlr4::CommonToken>(end ? antlr4::Token::EOF : token.kind);
  }
  size_t getLine() const override { return 1; }
  size_t getCharPositionInLine() override { return 0; }
  antlr4::CharStream* getInputStream() override { return nullptr; }
  std::string getSourceName() override { return ""; }
  antlr4::TokenFactory<antlr4::CommonToken>* getTokenFactory() override {
    return antlr4::CommonTokenFactory::DEFAULT.get();
  }

 private:
  const Resolved& resolved_;
  const Chunk& chunk_;
  std::size_t next_;
};

/// Ends the parse at the first mistake and keeps what is known about it.
class FirstFailure final : public antlr4::DefaultErrorStrategy {
 public:
  std::optional<Failure> failure;

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
  void keep(antlr4::Parser* parser, const antlr4::Token* token) {
    if (failure) return;
    failure.emplace();
    failure->token = token ? token->getTokenIndex() : 0;
    failure->rule = parser->getContext()
                        ? static_cast<antlr4::ParserRuleContext*>(parser->getContext())->getRuleIndex()
                        : 0;
    const antlr4::misc::IntervalSet expected = parser->getExpectedTokens();
    for (const ssize_t kind : expected.toList()) failure->expected.insert(static_cast<std::size_t>(kind));
  }
};

class Parse {
 public:
  Parse(const Resolved& resolved, Diagnostics& diagnostics)
      : resolved_(resolved),
        diagnostics_(diagnostics),
        parser_(nullptr),
        strategy_(std::make_shared<FirstFailure>()) {
    parser_.removeErrorListeners();
    parser_.setErrorHandler(strategy_);
    parser_.setBuildParseTree(true);
  }

  std::unique_ptr<ast::Module> run() {
    auto module = std::make_unique<ast::Module>();
    Builder builder(*module, resolved_, diagnostics_);
    for (const Chunk& chunk : resolved_.chunks) {
      if (has_reported(chunk)) {
        builder.skip(chunk);
        continue;
      }
      if (!chunk.is_start) {
        const Token& first = resolved_.code[chunk.first];
        auto& report = diagnostics_.report(expected_declaration, first.location, quoted(first));
        const std::string update = fix_of_update(resolved_.code, chunk.first);
        const std::string fix = update.empty() ? fix_of_first_words(resolved_.code, chunk.first) : update;
        if (!fix.empty()) report.fix(fix);
        continue;
      }
      parse(chunk, builder);
      if (diagnostics_.error_count() > Diagnostics::error_limit) break;
    }
    return module;
  }

 private:
  bool has_reported(const Chunk& chunk) const {
    for (std::size_t i = chunk.first; i < chunk.last; ++i)
      if (resolved_.code[i].reported) return true;
    return false;
  }

  void parse(const Chunk& chunk, Builder& builder) {
    ChunkSource source(resolved_, chunk);
    antlr4::CommonTokenStream stream(&source);
    if (auto* item = attempt(stream, antlr4::atn::PredictionMode::SLL)) return builder.add(*item, chunk);
    if (auto* item = attempt(stream, antlr4::atn::PredictionMode::LL)) return builder.add(*item, chunk);
    builder.skip(chunk);
    if (strategy_->failure)
      report_syntax_error(*strategy_->failure, resolved_, chunk, reserved_names_, diagnostics_);
  }

  Grammar::ItemContext* attempt(antlr4::CommonTokenStream& stream, antlr4::atn::PredictionMode mode) {
    strategy_->failure.reset();
    stream.seek(0);
    parser_.setTokenStream(&stream);
    parser_.getInterpreter<antlr4::atn::ParserATNSimulator>()->setPredictionMode(mode);
    try {
      return parser_.item();
    } catch (const antlr4::ParseCancellationException&) {
      return nullptr;
    }
  }

  const Resolved& resolved_;
  std::set<std::string_view> reserved_names_;  ///< those that the module declares as names
  Diagnostics& diagnostics_;
  Grammar parser_;
  std::shared_ptr<FirstFailure> strategy_;
};

/// The stages find mistakes one after the other; a reader wants them from top to bottom.
void append_in_order(const dlvm::Diagnostics& found, dlvm::Diagnostics& diagnostics) {
  std::vector<const dlvm::Diagnostic*> all;
  for (const dlvm::Diagnostic& each : found.all()) all.push_back(&each);
  std::stable_sort(all.begin(), all.end(), [](const auto* a, const auto* b) {
    return std::pair(a->location.line, a->location.column) < std::pair(b->location.line, b->location.column);
  });
  for (const auto* each : all) diagnostics.append(*each);
  count_dropped(found, diagnostics);
}

}  // namespace

std::unique_ptr<ast::Module> parse(const dlvm::Source& source, dlvm::Diagnostics& diagnostics) {
  if (!source.text() || !check_encoding(source, diagnostics)) return nullptr;
  dlvm::Diagnostics found;
  const Tokens tokens = lex(source, found);
  warn_about_comments(tokens, found);
  const Resolved resolved = resolve(tokens, found);
  auto module = Parse(resolved, found).run();
  append_in_order(found, diagnostics);
  return module;
}

}  // namespace frontend
