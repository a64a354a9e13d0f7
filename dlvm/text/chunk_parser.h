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

  /// The tree, valid until the next call; null, with an error reported, where the chunk has another form;
  /// null for an empty chunk.
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
