#include <algorithm>
#include <array>

#include "codegen/kernel/text/scalar_text.h"
#include "codegen/schedule/text/text.h"

namespace codegen::schedule {
namespace {

constexpr int deepest = 200;

struct SpaceWord {
  std::string_view word;
  Space space;
};
constexpr std::array space_words{SpaceWord{"arena", Space::arena}, SpaceWord{"panel", Space::panel},
                                 SpaceWord{"shared", Space::shared},
                                 SpaceWord{"registers", Space::registers}};
struct LoopWord {
  std::string_view word;
  LoopKind kind;
};
constexpr std::array loop_words{
    LoopWord{"for", LoopKind::serial},    LoopWord{"unrolled", LoopKind::unrolled},
    LoopWord{"vector", LoopKind::vector}, LoopWord{"thread", LoopKind::thread},
    LoopWord{"block", LoopKind::block},   LoopWord{"warp", LoopKind::warp},
    LoopWord{"role", LoopKind::role},     LoopWord{"pipeline", LoopKind::pipeline},
    LoopWord{"core", LoopKind::core}};

class Parser : kernel::ScalarReader {
 public:
  using ScalarReader::ScalarReader;

  std::optional<Schedule> schedule(std::string& error) {
    word("schedule");
    schedule_.name = take(kernel::Token::Kind::global);
    symbol("(");
    while (ok() && !at(")")) {
      schedule_.buffers.push_back(declaration());
      ++schedule_.arguments;
      if (!accept(",")) break;
    }
    symbol(")");
    symbol("{");
    while (ok() && !at("variant") && !at("}")) {
      const Space space = this->space();
      schedule_.buffers.push_back(declaration());
      schedule_.buffers.back().space = space;
    }
    for (BufferId i = 0; i < schedule_.buffers.size(); ++i) buffers_.emplace(schedule_.buffers[i].name, i);
    while (ok() && accept("variant")) {
      Variant variant;
      variant.guards = guards();
      variant.body = statements(0);
      schedule_.variants.push_back(std::move(variant));
    }
    symbol("}");
    if (ok() && !at_end()) fail("the end of the text");
    if (!ok()) {
      error = this->error();
      return std::nullopt;
    }
    return std::move(schedule_);
  }

  std::set<std::string> dimensions() const { return dimensions_; }

 private:
  Space space() {
    for (const auto& [word, space] : space_words)
      if (accept(word)) return space;
    fail("the space of a buffer");
    return Space::arena;
  }

  Buffer declaration() {
    const kernel::Buffer typed = typed_name();
    Buffer buffer{typed.name, typed.element, typed.shape, Space::argument, dense_layout(typed.shape), false,
                  {}};
    buffer.written = accept("written");
    if (accept("strides")) buffer.layout.strides = extents("[", "]");
    if (accept("swizzle")) {
      Swizzle swizzle;
      swizzle.bits = static_cast<std::uint8_t>(integer());
      symbol(",");
      swizzle.base = static_cast<std::uint8_t>(integer());
      symbol(",");
      swizzle.shift = static_cast<std::uint8_t>(integer());
      buffer.layout.swizzle = swizzle;
    }
    if (accept("linear_layout")) {
      LinearLayout linear_layout;
      for (auto* part : {&linear_layout.registers, &linear_layout.lanes, &linear_layout.warps})
        *part = basis();
      buffer.linear_layout = std::move(linear_layout);
    }
    return buffer;
  }

  Shape extents(std::string_view open, std::string_view close) {
    Shape result;
    symbol(open);
    while (ok() && !at(close)) {
      result.push_back(factor());
      if (!accept(",")) break;
    }
    symbol(close);
    return result;
  }

  LinearLayout::Bases basis() {
    LinearLayout::Bases result;
    symbol("[");
    while (ok() && at("[")) {
      result.emplace_back();
      for (const Extent& extent : extents("[", "]")) result.back().push_back(extent.constant().value_or(0));
      if (!accept(",")) break;
    }
    symbol("]");
    return result;
  }

  Body statements(int depth) {
    if (depth > deepest) fail("less nesting");
    Body body;
    symbol("{");
    while (ok() && !at("}")) body.push_back(statement(depth));
    symbol("}");
    return body;
  }

  Statement statement(int depth) {
    if (peek().kind == kernel::Token::Kind::scalar) return {let()};
    for (const auto& [word, kind] : loop_words)
      if (at(word)) return {loop(kind, depth)};
    if (accept("stage")) {
      Origin origin{take(kernel::Token::Kind::word), {}, {}};
      if (accept("plan")) origin.plan = take(kernel::Token::Kind::word);
      return {std::move(origin)};
    }
    if (accept("store")) return {store()};
    if (accept("prefetch")) return {prefetch()};
    if (accept("allocate")) return {Allocate{buffer()}};
    if (accept("fill")) return {fill()};
    if (accept("copy")) {
      Copy copy;
      copy.from = tile();
      word("to");
      copy.to = tile();
      copy.asynchronous = accept("asynchronous");
      copy.bounds = bounds();
      return {std::move(copy)};
    }
    if (accept("commit")) return {Commit{}};
    if (accept("wait")) return {Wait{static_cast<std::uint32_t>(integer())}};
    if (accept("barrier")) return {Barrier{}};
    if (accept("multiply")) return {multiply()};
    if (accept("reduce")) return {reduce()};
    if (accept("sort")) return {sort()};
    if (accept("convert")) {
      Convert convert;
      convert.from = tile();
      word("to");
      convert.to = tile();
      return {std::move(convert)};
    }
    fail("a statement");
    return {Barrier{}};
  }

  Let let() {
    Let let;
    let.id = ScalarReader::scalar();
    symbol(":");
    let.scalar.type = element();
    symbol("=");
    let.scalar.definition = definition(let.scalar.type);
    return let;
  }

  Loop loop(LoopKind kind, int depth) {
    advance();
    Loop loop;
    const kernel::Axis axis = axis_name();
    loop.id = axis.id;
    loop.name = axis.name;
    loop.kind = kind;
    if (accept("to")) loop.range_end = axis_name().id;
    word("in");
    loop.extent = factor(0);
    if (accept("step")) loop.step = std::max<std::int64_t>(1, integer());
    if (kind == LoopKind::pipeline) {
      word("depth");
      loop.depth = static_cast<std::uint32_t>(integer());
    }
    if (accept("work")) loop.work = factor(0);
    loop.bounds = bounds();
    loop.body = statements(depth + 1);
    return loop;
  }

  Prefetch prefetch() {
    Prefetch prefetch{access()};
    if (accept("to")) {
      word("write");
      prefetch.is_written = true;
    }
    return prefetch;
  }

  Store store() {
    Store store;
    store.value = ScalarReader::scalar();
    word("to");
    store.access = access();
    store.bounds = bounds();
    if (accept("by")) {
      const auto opcode = dlvm::opcode_named(take(kernel::Token::Kind::word));
      if (!opcode) fail("an instruction that combines");
      store.combine = dlvm::Combinator{opcode.value_or(dlvm::Opcode::add), nullptr};
    }
    return store;
  }

  BufferId buffer() {
    const std::string name = take(kernel::Token::Kind::word);
    const auto found = buffers_.find(name);
    if (found == buffers_.end()) fail("a buffer");
    return found == buffers_.end() ? 0 : found->second;
  }

  Tile tile() {
    const Access access = ScalarReader::access();
    Tile tile{access.buffer, access.indices, extents("(", ")"), {}};
    if (accept("strides")) tile.strides = extents("[", "]");
    return tile;
  }

  Fill fill() {
    Fill fill;
    fill.to = tile();
    word("with");
    const ElementType type = element();
    fill.value = literal(type);
    return fill;
  }

  MultiplyAccumulate multiply() {
    MultiplyAccumulate multiply;
    multiply.left = tile();
    word("by");
    multiply.right = tile();
    word("into");
    multiply.to = tile();
    word("upto");
    symbol("(");
    multiply.rows = index();
    symbol(",");
    multiply.columns = index();
    symbol(",");
    multiply.count = index();
    symbol(")");
    if (accept("ahead")) multiply.ahead = tile();
    if (accept("apart")) multiply.arithmetic = Arithmetic::apart;
    if (accept("on")) {
      word("tensor_cores");
      multiply.arithmetic = accept("split") ? Arithmetic::tensor_split : Arithmetic::tensor;
    }
    if (accept("anew")) {
      std::vector<Bound> all = bounds();
      if (all.size() != 1) fail("one bound");
      multiply.anew = std::move(all[0]);
    }
    return multiply;
  }

  Reduce reduce() {
    Reduce reduce;
    do {
      reduce.from.push_back(tile());
      word("to");
      reduce.to.push_back(access());
    } while (accept(","));
    word("by");
    reduce.reduction = reduction();
    return reduce;
  }

  Sort sort() {
    Sort sort;
    sort.keys = tile();
    word("positions");
    sort.positions = tile();
    sort.descending = accept("descending");
    if (accept("with")) {
      do sort.scratch.push_back(tile());
      while (accept(","));
    }
    return sort;
  }

  Schedule schedule_;
};

}  // namespace

std::optional<Schedule> parse_schedule(std::string_view text, std::string& error,
                                       std::set<std::string>* dimensions) {
  Parser parser(text);
  auto schedule = parser.schedule(error);
  if (dimensions != nullptr) dimensions->merge(parser.dimensions());
  return schedule;
}

}  // namespace codegen::schedule
