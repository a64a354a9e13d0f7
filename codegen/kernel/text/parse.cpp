#include <algorithm>

#include "codegen/kernel/text/scalar_text.h"
#include "codegen/kernel/text/text.h"

namespace codegen::kernel {
namespace {

constexpr int deepest = 200;

class Parser : ScalarReader {
 public:
  using ScalarReader::ScalarReader;

  std::optional<Kernel> kernel(std::string& error) {
    word("kernel");
    kernel_.name = take(Token::Kind::global);
    symbol("(");
    while (ok() && !at(")")) {
      Buffer buffer = typed_name();
      buffer.updated = accept("updated");
      buffer.written = buffer.updated || accept("written");
      kernel_.buffers.push_back(std::move(buffer));
      if (!accept(",")) break;
    }
    symbol(")");
    kernel_.guards = guards();
    symbol("{");
    while (ok() && at("local")) {
      word("local");
      Buffer buffer = typed_name();
      buffer.space = Buffer::Space::local;
      word("depth");
      buffer.depth = static_cast<std::uint32_t>(integer());
      kernel_.buffers.push_back(std::move(buffer));
    }
    for (BufferId i = 0; i < kernel_.buffers.size(); ++i) buffers_.emplace(kernel_.buffers[i].name, i);
    children(kernel_.root, 0);
    // A single `for` is the root itself, unless there are locals that are deeper then than any block; a root
    // without axes prints its children only.
    if (kernel_.root.children.size() == 1 && std::holds_alternative<Block>(kernel_.root.children[0]) &&
        blocks_of_locals() < depth_of(kernel_.root)) {
      Block only = std::move(std::get<Block>(kernel_.root.children[0]));
      kernel_.root = std::move(only);
    }
    symbol("}");
    if (ok() && !at_end()) fail("the end of the text");
    if (!ok()) {
      error = this->error();
      return std::nullopt;
    }
    return std::move(kernel_);
  }

  std::set<std::string> dimensions() const { return dimensions_; }

 private:
  void children(Block& block, int depth) {
    if (depth > deepest) fail("less nesting");
    while (ok() && (at("for") || at("stage"))) {
      if (at("stage")) {
        block.children.emplace_back(stage());
        continue;
      }
      word("for");
      Block inner;
      do inner.axes.push_back(axis_in());
      while (accept(","));
      symbol("{");
      children(inner, depth + 1);
      symbol("}");
      block.children.emplace_back(std::move(inner));
    }
  }

  /// How many blocks are nested, this one among them.
  static std::uint32_t depth_of(const Block& block) {
    std::uint32_t inner = 0;
    for (const auto& child : block.children)
      if (const auto* nested = std::get_if<Block>(&child)) inner = std::max(inner, depth_of(*nested));
    return 1 + inner;
  }
  /// How many nested blocks the deepest local needs.
  std::uint32_t blocks_of_locals() const {
    std::uint32_t result = 0;
    for (const Buffer& buffer : kernel_.buffers) result = std::max(result, buffer.depth);
    return result + 1;
  }

  std::vector<AxisId> axes() {
    std::vector<AxisId> ids;
    symbol("[");
    while (ok() && !at("]")) {
      ids.push_back(axis_id(take(Token::Kind::axis)));
      if (!accept(",")) break;
    }
    symbol("]");
    return ids;
  }

  Contraction contraction() {
    Contraction c;
    word("batch");
    c.batch = axes();
    word("m");
    c.m = axes();
    word("n");
    c.n = axes();
    word("k");
    c.k = axes();
    word("of");
    const auto operands = scalars();
    if (operands.size() != 2) fail("two operands of a contraction");
    if (ok()) c.left = operands[0], c.right = operands[1];
    return c;
  }

  Sorting sorting() {
    Sorting sorting;
    sorting.keys = access();
    word("positions");
    sorting.positions = access();
    word("along");
    sorting.axis = static_cast<std::uint32_t>(integer());
    word("in");
    sorting.extent = factor();
    sorting.descending = accept("descending");
    return sorting;
  }

  Stage stage() {
    Stage stage;
    word("stage");
    stage.name = take(Token::Kind::word);
    if (accept("over")) {
      do
        if (accept("accumulated"))
          stage.accumulated.push_back(axis_id(take(Token::Kind::axis)));
        else
          stage.axes.push_back(axis_in());
      while (accept(","));
    }
    symbol("{");
    body(stage.body, 0);
    if (accept("contract")) stage.contraction = contraction();
    if (accept("reduce")) stage.reduction = reduction();
    if (accept("sort")) stage.sorting = sorting();
    body(stage.epilogue, stage.body.size());
    while (accept("store")) {
      Store store;
      store.value = scalar();
      word("to");
      store.access = access();
      store.bounds = bounds();
      store.distinct = accept("distinct");
      if (accept("by")) {
        const auto opcode = dlvm::opcode_named(take(Token::Kind::word));
        if (!opcode) fail("an instruction that combines");
        store.combine = dlvm::Combinator{opcode.value_or(dlvm::Opcode::add), nullptr};
      }
      stage.stores.push_back(std::move(store));
    }
    symbol("}");
    return stage;
  }

  Kernel kernel_;
};

}  // namespace

std::optional<Kernel> parse_kernel(std::string_view text, std::string& error,
                                   std::set<std::string>* dimensions) {
  Parser parser(text);
  auto kernel = parser.kernel(error);
  if (dimensions != nullptr) dimensions->merge(parser.dimensions());
  return kernel;
}

}  // namespace codegen::kernel
