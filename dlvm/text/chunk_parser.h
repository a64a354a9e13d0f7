// One chunk of tokens through the grammar: SLL first, then LL; ANTLR's exceptions end here.
#pragma once

#include <memory>

#include "dlvm/text/grammar.h"
#include "dlvm/text/token.h"

namespace dlvm::reading {

class ChunkParser {
 public:
  ChunkParser(const Cut& cut, Diagnostics& diagnostics);
  ~ChunkParser();

  /// Returns the tree, which is valid until the next call. Returns null for an empty chunk, and after
  /// reporting an error if the chunk has another form.
  Grammar::ItemContext* item(const Chunk& chunk);
  Grammar::StatementContext* statement(const Chunk& chunk);

 private:
  class Failure;
  template <typename Tree>
  Tree* parse(const Chunk& chunk, Tree* (Grammar::*rule)());
  void report(const Chunk& chunk);

  const Cut& cut_;
  Diagnostics& diagnostics_;
  Grammar parser_;
  std::shared_ptr<Failure> failure_;
  std::unique_ptr<antlr4::TokenSource> source_;
  std::unique_ptr<antlr4::CommonTokenStream> stream_;
};

}  // namespace dlvm::reading
