#include "codegen/schedule/verify/verify_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "codegen/kernel/ir/walk.h"
#include "codegen/kernel/verify/rules.h"
#include "codegen/schedule/ir/index.h"
#include "codegen/schedule/ir/size.h"
#include "dlvm/support/overloaded.h"

namespace codegen::schedule {
namespace {

/// Limits far above what a schedule needs: code of this length takes LLVM minutes.
constexpr std::int64_t max_instructions = 1 << 20, max_lanes = 128, max_tile = 4096, max_product = 1 << 16,
                       max_registers = 1 << 14;

class Verifier {
 public:
  explicit Verifier(const Schedule& schedule) : schedule_(schedule) {}

  std::optional<std::string> run() {
    for (const Buffer& buffer : schedule_.buffers) this->buffer(buffer);
    for (const Variant& variant : schedule_.variants) {
      for (const Guard& guard : variant.guards) require(guard.value.valid(), "I1", "a guard");
      types_.clear();
      if (!problem_) body(variant.body, std::nullopt);
      if (!problem_) require(instruction_estimate(variant.body) <= max_instructions, "L7", "a variant");
    }
    return problem_;
  }

 private:
  void require(bool holds, const char* invariant, const std::string& where) {
    if (!holds && !problem_) problem_ = fmt::format("{}: {}", invariant, where);
  }
  template <typename Wrong>
  void require_none(const Wrong& wrong, const char* invariant, const std::string& where) {
    if (wrong) require(false, invariant, fmt::format("{} {}", where, *wrong));
  }

  void buffer(const Buffer& buffer) {
    const auto is_valid = [](const Extent& extent) { return extent.valid(); };
    require(std::ranges::all_of(buffer.shape, kernel::is_extent) &&
                std::ranges::all_of(buffer.layout.strides, is_valid) &&
                kernel::is_extent(element_count(buffer)),
            "B9", buffer.name);
    if (buffer.space == Space::registers)
      require(element_count(buffer).constant().value_or(0) <= max_registers, "B4", buffer.name);
  }

  /// `lane`: the vector loop around the statements.
  void body(const Body& body, std::optional<LoopId> lane) {
    for (const Statement& statement : body) {
      lane_ = lane;
      std::visit([this](const auto& node) { check(node); }, statement.node);
      if (const auto* loop = std::get_if<Loop>(&statement.node))
        this->body(loop->body, loop->kind == LoopKind::vector ? loop->id : lane);
      if (problem_) return;
    }
  }

  // ------------------------------------------------------------------------------------------------ indices

  void index(const Index& index, const std::string& where) {
    require_none(kernel::wrong_index(index), "I1", where + ":");
    for (const ValueId value : loaded(index)) require(dlvm::is_integer(types_.at(value)), "V4", where);
  }
  static std::set<ValueId> loaded(const Index& index) {
    std::set<LoopId> loops;
    std::set<ValueId> values;
    collect(index, loops, values);
    return values;
  }
  void bounds(const std::vector<Bound>& bounds, const std::string& where) {
    for (const Bound& bound : bounds) {
      index(bound.index, where);
      require(bound.end.valid(), "I1", where);
    }
  }
  void access(const Access& access, const std::string& where) {
    for (const Index& one : access.indices) index(one, where);
  }
  void tile(const Tile& tile) {
    const std::string& where = schedule_.buffers[tile.buffer].name;
    access({tile.buffer, tile.origin}, where);
    require(std::ranges::all_of(tile.sizes, kernel::is_extent), "I1", where);
    for (const Extent& stride : tile.strides) require(stride.valid(), "I1", where);
  }
  ElementType element(const Tile& tile) const { return schedule_.buffers[tile.buffer].element; }
  static std::int64_t count(const Tile& tile) { return dlvm::unit_count(tile.sizes).constant().value_or(-1); }

  // ------------------------------------------------------------------------------------------------- values

  void check(const Let& let) {
    const std::string where = fmt::format("%{}", let.id);
    visit_uses(let.scalar, dlvm::Overloaded{[](ValueId) {}, [&](const Index& one) { index(one, where); }});
    if (!problem_)
      std::visit([&](const auto& d) { definition(let.scalar.type, d, where); }, let.scalar.definition);
    types_.emplace(let.id, let.scalar.type);
  }
  void typed(ValueId id, ElementType type, const std::string& where) {
    require(types_.at(id) == type, "V4", fmt::format("{} uses %{} as {}", where, id, dlvm::info(type).name));
  }
  void definition(ElementType type, const Scalar::Literal& literal, const std::string& where) {
    require(literal.value.element() == type, "V4", where);
  }
  void definition(ElementType type, const Scalar::Position&, const std::string& where) {
    require(type != ElementType::boolean, "V4", where);
  }
  void definition(ElementType type, const Scalar::Load& load, const std::string& where) {
    require(schedule_.buffers[load.access.buffer].element == type, "V4", where);
    bounds(load.bounds, where);
    if (!load.bounds.empty()) typed(load.fill, type, where);
  }
  void definition(ElementType type, const Scalar::Operation& operation, const std::string& where) {
    std::vector<ElementType> operands;
    for (const ValueId id : operation.operands) operands.push_back(types_.at(id));
    require_none(kernel::wrong_operation(operation, type, operands), "V4", where);
  }
  void definition(ElementType, const Scalar::State&, const std::string&) {}
  void definition(ElementType type, const Scalar::Check& check, const std::string& where) {
    require(dlvm::is_integer(type), "V4", where);
    require(check.first.valid() && check.end.valid(), "I1", where);
    typed(check.operand, type, where);
    bounds(check.bounds, where);
  }
  void definition(ElementType type, const Scalar::Random& random, const std::string& where) {
    require(type != ElementType::boolean, "V4", where);
    typed(random.low, type, where);
    typed(random.high, type, where);
    typed(random.key, ElementType::u64, where);
    typed(random.counter, ElementType::u64, where);
  }

  // --------------------------------------------------------------------------------------------- statements

  void check(const Store& store) {
    const Buffer& to = schedule_.buffers[store.access.buffer];
    access(store.access, to.name);
    bounds(store.bounds, to.name);
    typed(store.value, to.element, "a store to " + to.name);
    if (!store.combine) return;
    require(!lane_, "V5", to.name);
    require_none(kernel::wrong_combinator(*store.combine, to.element), "V4", "what combines in " + to.name);
  }
  void check(const Loop& loop) {
    require(kernel::is_extent(loop.extent), "I1", loop.name);
    bounds(loop.bounds, loop.name);
    if (loop.kind != LoopKind::vector) return;
    const std::int64_t lanes = loop.extent.constant().value_or(0);
    require(lanes >= 1 && lanes <= max_lanes && loop.step == 1, "L3", loop.name);
  }
  void check(const Fill& fill) {
    tile(fill.to);
    const std::string& where = schedule_.buffers[fill.to.buffer].name;
    require(fill.value.element() == element(fill.to), "V4", where);
    const Buffer& to = schedule_.buffers[fill.to.buffer];
    const std::int64_t elements =
        to.linear_layout ? element_count(to).constant().value_or(-1) : count(fill.to);
    require(elements >= 1 && elements <= max_tile, "T4", where);
  }
  void check(const Copy& copy) {
    tile(copy.from), tile(copy.to);
    bounds(copy.bounds, schedule_.buffers[copy.to.buffer].name);
  }
  void check(const Prefetch&) {}
  void check(const Convert& convert) { tile(convert.from), tile(convert.to); }
  /// The extents of the tile's axes before the last two that are not 1.
  static Shape leading(const Tile& tile) {
    Shape result;
    for (std::size_t i = 0; i + 2 < tile.sizes.size(); ++i)
      if (!tile.sizes[i].is(1)) result.push_back(tile.sizes[i]);
    return result;
  }
  void check(const MultiplyAccumulate& multiply) {
    const std::string& where = schedule_.buffers[multiply.to.buffer].name;
    for (const Tile* one : {&multiply.to, &multiply.left, &multiply.right}) {
      tile(*one);
      require(one->sizes.size() >= 2, "T5", where);
    }
    for (const Index* one : {&multiply.rows, &multiply.columns, &multiply.count}) index(*one, where);
    if (multiply.anew) bounds({*multiply.anew}, where);
    if (multiply.ahead) {
      tile(*multiply.ahead);
      require(multiply.ahead->sizes.size() >= 2, "T5", where);
      for (const Extent& extent : multiply.ahead->sizes) require(extent.constant().has_value(), "T5", where);
    }
    if (problem_) return;
    if (lane_) check_lanes(multiply, where);
    require(element(multiply.to) != ElementType::boolean && count(multiply.to) >= 1 &&
                count(multiply.to) <= max_product,
            "T5", where);
    require(multiply.left.sizes.back() == multiply.to.sizes[multiply.to.sizes.size() - 2] &&
                multiply.right.sizes.back() == multiply.to.sizes.back() &&
                leading(multiply.left) == leading(multiply.right),
            "T5", where);
    for (const Extent& extent : leading(multiply.left)) require(extent.constant().has_value(), "T5", where);
    if (!is_on_tensor_cores(multiply.arithmetic))
      require(
          element(multiply.left) == element(multiply.to) && element(multiply.right) == element(multiply.to),
          "T5", where);
  }
  /// Checks a product in a vector loop (V5).
  void check_lanes(const MultiplyAccumulate& multiply, const std::string& where) {
    const auto step = [&](const Tile& tile) -> std::optional<Extent> {
      const Layout& layout = schedule_.buffers[tile.buffer].layout;
      if (layout.swizzle) return std::nullopt;
      return stride(offset({tile.buffer, tile.origin}, layout), *lane_);
    };
    const auto is_same = [&](const Index& index) { return stride(index, *lane_) == Extent(0); };
    require(!multiply.anew && of_lanes_.contains(multiply.to.buffer) && step(multiply.to) == Extent(0) &&
                step(multiply.left) == Extent(1) && step(multiply.right) == Extent(1) &&
                is_same(multiply.rows) && is_same(multiply.count) &&
                multiply.columns == constant_index(multiply.to.sizes.back()),
            "V5", where);
  }
  void check(const Reduce& reduce) {
    require_none(kernel::wrong_combine(reduce.reduction), "T2", "a reduction:");
    require(!lane_, "V5", "reduce");
    for (std::size_t i = 0; i < reduce.from.size() && !problem_; ++i) {
      const ElementType type = reduce.reduction.types[i];
      tile(reduce.from[i]);
      access(reduce.to[i], "reduce");
      require(element(reduce.from[i]) == type && schedule_.buffers[reduce.to[i].buffer].element == type, "T2",
              "reduce");
      require(count(reduce.from[i]) == count(reduce.from[0]) && count(reduce.from[i]) <= max_tile, "T2",
              "reduce");
    }
  }
  void check(const Sort& sort) {
    require(sort.scratch.empty() || sort.scratch.size() == 2, "T6", "scratch");
    row(sort.keys, element(sort.keys), sort);
    row(sort.positions, ElementType::i32, sort);
    for (std::size_t i = 0; i < sort.scratch.size(); ++i)
      row(sort.scratch[i], i == 0 ? element(sort.keys) : ElementType::i32, sort);
  }
  void row(const Tile& one, ElementType type, const Sort& sort) {
    tile(one);
    const Buffer& buffer = schedule_.buffers[one.buffer];
    const auto is_long = [](const Extent& size) { return !size.is(1); };
    require(element(one) == type && type != ElementType::boolean && buffer.space != Space::registers &&
                !buffer.layout.swizzle && std::ranges::count_if(one.sizes, is_long) <= 1 &&
                dlvm::unit_count(one.sizes) == dlvm::unit_count(sort.keys.sizes),
            "T6", buffer.name);
  }
  void check(const Origin&) {}
  void check(const Allocate& allocate) {
    if (lane_) of_lanes_.insert(allocate.buffer);
  }
  void check(const Commit&) {}
  void check(const Wait&) {}
  void check(const Barrier&) {}

  const Schedule& schedule_;
  std::map<ValueId, ElementType> types_;  ///< of the variant's values
  std::optional<LoopId> lane_;            ///< the vector loop around the statement
  std::set<BufferId> of_lanes_;           ///< allocated in a vector loop
  std::optional<std::string> problem_;
};

}  // namespace

std::optional<std::string> verify_values(const Schedule& schedule) { return Verifier(schedule).run(); }

}  // namespace codegen::schedule
