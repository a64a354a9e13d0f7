// What holds of every schedule:
//   buffers   (B1) names are unique; (B2) arguments come first, and no other buffer is one; (B3) a layout has
//             a stride an axis; (B4) registers have a constant shape of at most 2^14 elements; (B5) an access
//             or a tile's origin has an index an axis; (B6) arguments that are stored to are `written`; (B7)
//             what is no argument is allocated before its use, in the same body or around it; (B8) a swizzle
//             moves elements by bits above those that it changes, so that no two meet, of the lowest 32; (B9)
//             64 bits count the elements of memory, and no extent is negative.
//   loops     (L1) ids are unique in a variant; (L2) steps are at least 1; (L3) unrolled, vector and role
//             loops have constant extents, a vector loop 1 to 128 lanes of step 1; (L4) no vector loop stands
//             in another; (L5) an index uses loops around; (L6) a pipeline is at least 2 deep; (L7) a variant
//             is estimated at no more than 2^20 instructions.
//   cores     (C1) a core loop stands outside of all loops, or is the last statement of a core loop's body,
//   and
//             has no bounds; (C2) it sees no values and no registers from outside of all core loops; (C3)
//             only an innermost core loop has ranges, and an estimate of its work.
//   indices   (I1) extents and factors are in the range of 64 bits, divisors are not 0, and sizes and extents
//             of loops are not negative.
//   values    (V1) ids are unique in a variant; (V2) a use sees the definition: before it in its body or in a
//             body around; (V3) the state of a reduction stands in no Let; (V4) types are those of the
//             instruction table, of the buffer that is loaded, stored or filled, and integers in indices and
//             checks; (V5) stores that combine and reductions stand in no vector loop, and a product in one
//             reads neighbours in neighbouring lanes and has its sums, all columns, in what the loop
//             allocates.
//   tiles     (T1) sizes, and strides where they are given, are as many as the tile has axes; (T2) `Reduce`
//             has a target for each state component of its type, and its tiles have one constant power of two
//             of elements; (T3) an asynchronous copy is of 4, 8 or 16 bytes along the last axis, contiguous
//             at both ends, elements of one type, from an argument or the workspace into shared memory or a
//             panel; a swizzle there leaves them together; (T4) a fill is of 1 to 4096 elements
//             in each thread; (T5) a product has tiles of at least two axes that fit, of one type where it is
//             fused, and a constant result; (T6) a sort is of tiles of numbers and of i32 with at most one
//             axis of an extent other than 1, the same in both and in scratch of these types, none swizzled
//             or in registers, and stands in no vector or thread loop.
//   devices   (D1) a block loop stands in no other, unless it is all of that one's body; (D2) warp and thread
//             loops stand in a block loop, a warp loop in no warp or thread loop; their extents are constant,
//             their steps 1; (D3) a thread loop in a thread loop is all of its body; (D4) no barrier stands
//             in a thread loop, where some threads may not be.
//   distributed tiles  (O1) are in registers, and every element is held by one register of one thread;
//             (O2) are filled as a whole; an element is loaded or stored by the thread that holds it, and in
//             which register is known: its indices are sums of variables of unrolled loops and of thread
//             loops over all of the block, each bit of which adds a bit of its own; (O3) are the sums of
//             products on tensor cores: of f32, distributed as these do it, by the whole block, of whole
//             tiles in shared memory, in runs of 16 bytes along k or along the other axis, with power of two
//             strides where it is swizzled.
//   variants  (G1) the last variant, and no other, has no guards.
#include "codegen/schedule/verify/verify.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "codegen/kernel/verify/rules.h"
#include "codegen/schedule/ir/index.h"
#include "codegen/schedule/ir/walk.h"
#include "codegen/schedule/verify/verify_distributed.h"
#include "codegen/schedule/verify/verify_values.h"

namespace codegen::schedule {
namespace {

bool is_power_of_two(std::int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

class Verifier {
 public:
  explicit Verifier(const Schedule& schedule) : schedule_(schedule) {}

  std::optional<std::string> run() {
    buffers();
    for (std::size_t i = 0; i < schedule_.variants.size(); ++i) {
      const bool last = i + 1 == schedule_.variants.size();
      require(schedule_.variants[i].guards.empty() == last, "G1", fmt::format("variant {}", i));
      loop_ids_.clear();
      value_ids_.clear();
      body(schedule_.variants[i].body, {});
      devices(schedule_.variants[i].body, {});
      cores(schedule_.variants[i].body, nullptr);
    }
    require(!schedule_.variants.empty(), "G1", "no variant");
    if (problem_.empty())
      if (const auto wrong = verify_values(schedule_))
        problem_ = fmt::format("schedule @{}: {}", schedule_.name, *wrong);
    if (problem_.empty())
      if (const auto wrong = verify_distributed(schedule_))
        problem_ = fmt::format("schedule @{}: {}", schedule_.name, *wrong);
    if (problem_.empty()) return std::nullopt;
    return problem_;
  }

 private:
  void require(bool holds, const char* invariant, const std::string& where) {
    if (!holds && problem_.empty())
      problem_ = fmt::format("schedule @{}: {}: {}", schedule_.name, invariant, where);
  }

  void buffers() {
    std::set<std::string> names;
    for (std::size_t i = 0; i < schedule_.buffers.size(); ++i) {
      const Buffer& buffer = schedule_.buffers[i];
      require(names.insert(buffer.name).second, "B1", buffer.name);
      require((buffer.space == Space::argument) == (i < schedule_.arguments), "B2", buffer.name);
      require(buffer.layout.strides.size() == buffer.shape.size(), "B3", buffer.name);
      if (const auto& swizzle = buffer.layout.swizzle)
        require(swizzle->shift >= swizzle->bits && swizzle->base + swizzle->shift + swizzle->bits <= 32, "B8",
                buffer.name);
      if (buffer.space == Space::registers)
        require(dlvm::unit_count(buffer.shape).constant().has_value(), "B4", buffer.name);
    }
  }

  /// The values that a statement sees: those that the bodies around it and the statements before it define.
  struct Scope {
    std::set<LoopId> loops;
    std::set<ValueId> values;
    std::set<BufferId> buffers;
    bool in_vector = false;
  };

  void body(const Body& body, Scope scope) {
    Scope* around = std::exchange(scope_, &scope);
    for (const Statement& statement : body)
      std::visit([this](const auto& node) { check(node); }, statement.node);
    scope_ = around;
  }

  void check(const Origin&) {}
  void check(const Let& let) {
    scalar(let.scalar, let.id);
    require(value_ids_.insert(let.id).second, "V1", fmt::format("%{}", let.id));
    scope_->values.insert(let.id);
  }
  void check(const Allocate& allocate) {
    require(allocate.buffer < schedule_.buffers.size() && allocate.buffer >= schedule_.arguments, "B2",
            "allocate");
    scope_->buffers.insert(allocate.buffer);
  }
  void check(const Loop& loop) {
    header(loop, scope_->in_vector);
    Scope inner = *scope_;
    inner.loops.insert(loop.id);
    if (loop.range_end) {
      require(loop_ids_.insert(*loop.range_end).second, "L1", loop.name);
      inner.loops.insert(*loop.range_end);
    }
    if (loop.kind == LoopKind::core && scope_->loops.empty()) {  // (C2)
      inner.values.clear();
      std::erase_if(inner.buffers, [&](BufferId id) {
        return id < schedule_.buffers.size() && schedule_.buffers[id].space == Space::registers;
      });
    }
    inner.in_vector = inner.in_vector || loop.kind == LoopKind::vector;
    Scope* around = std::exchange(scope_, &inner);
    bounds(loop.bounds, loop.name);
    scope_ = around;
    body(loop.body, std::move(inner));
  }

  void header(const Loop& loop, bool in_vector) {
    require(loop_ids_.insert(loop.id).second, "L1", loop.name);
    require(loop.step >= 1, "L2", loop.name);
    const bool fixed =
        loop.kind == LoopKind::unrolled || loop.kind == LoopKind::vector || loop.kind == LoopKind::role;
    require(!fixed || loop.extent.constant().has_value(), "L3", loop.name);
    require(!in_vector || loop.kind != LoopKind::vector, "L4", loop.name);
    require(loop.kind != LoopKind::pipeline || loop.depth >= 2, "L6", loop.name);
  }

  /// Which loops of a device are around.
  struct Around {
    bool grid = false, warp = false, threads = false;
  };
  void devices(const Body& body, Around around) {
    for (const Statement& statement : body) {
      require(!std::holds_alternative<Barrier>(statement.node) || !around.threads, "D4", "barrier");
      require(!std::holds_alternative<Sort>(statement.node) || !around.threads, "T6", "sort");
      const auto* loop = std::get_if<Loop>(&statement.node);
      if (loop == nullptr) continue;
      const bool shares = loop->kind == LoopKind::warp || loop->kind == LoopKind::thread;
      const bool fixed = loop->extent.constant().has_value() && loop->step == 1;
      require(!shares || (around.grid && fixed), "D2", loop->name);
      Around inside = around;
      if (loop->kind == LoopKind::block) {
        require(!around.grid, "D1", loop->name);
        inside.grid = perfect_nest(*loop).size() == 1;
      } else if (loop->kind == LoopKind::warp) {
        require(!around.warp && !around.threads, "D2", loop->name);
        inside.warp = true;
      } else if (loop->kind == LoopKind::thread) {
        require(!around.threads || body.size() == 1, "D3", loop->name);
        inside.threads = true;
      }
      devices(loop->body, inside);
    }
  }

  /// `around`: the loop around the statements.
  void cores(const Body& body, const Loop* around) {
    for (const Statement& statement : body) {
      const auto* loop = std::get_if<Loop>(&statement.node);
      if (loop == nullptr) continue;
      if (loop->kind == LoopKind::core) {
        const bool nested = around != nullptr && around->kind == LoopKind::core;
        require(around == nullptr || (nested && inner_core_loop(*around) == loop), "C1", loop->name);
        require(loop->bounds.empty(), "C1", loop->name);
        require(kernel::is_extent(loop->work), "I1", loop->name);
      }
      const bool innermost = loop->kind == LoopKind::core && inner_core_loop(*loop) == nullptr;
      require(innermost || (!loop->range_end && loop->work.is(0)), "C3", loop->name);
      cores(loop->body, loop);
    }
  }

  void scalar(const Scalar& scalar, ValueId id) {
    const std::string where = fmt::format("%{}", id);
    require(!std::holds_alternative<Scalar::State>(scalar.definition), "V3", where);
    std::set<LoopId> loops;
    std::set<ValueId> values;
    collect(scalar, loops, values);
    seen(loops, values, where);
    if (const auto* load = std::get_if<Scalar::Load>(&scalar.definition)) access(load->access, where);
  }
  void seen(const std::set<LoopId>& loops, const std::set<ValueId>& values, const std::string& where) {
    for (const LoopId loop : loops) require(scope_->loops.contains(loop), "L5", where);
    for (const ValueId value : values) require(scope_->values.contains(value), "V2", where);
  }
  void bounds(const std::vector<Bound>& bounds, const std::string& where) {
    std::set<LoopId> loops;
    std::set<ValueId> values;
    collect(bounds, loops, values);
    seen(loops, values, where);
  }
  void access(const Access& access, const std::string& where) {
    require(access.buffer < schedule_.buffers.size(), "B5", where);
    if (!problem_.empty()) return;
    const Buffer& buffer = schedule_.buffers[access.buffer];
    require(access.indices.size() == buffer.shape.size(), "B5", where + ": " + buffer.name);
    require(access.buffer < schedule_.arguments || scope_->buffers.contains(access.buffer), "B7",
            buffer.name);
    std::set<LoopId> loops;
    std::set<ValueId> values;
    collect(access, loops, values);
    seen(loops, values, where);
  }
  void written(BufferId id) {
    if (problem_.empty() && id < schedule_.arguments)
      require(schedule_.buffers[id].written, "B6", schedule_.buffers[id].name);
  }
  void tile(const Tile& tile) {
    access({tile.buffer, tile.origin}, "a tile");
    if (tile.strides.empty())
      require(tile.sizes.size() == tile.origin.size(), "T1", "sizes");
    else
      require(tile.sizes.size() == tile.strides.size(), "T1", "strides");
  }

  void check(const Store& store) {
    access(store.access, "store");
    bounds(store.bounds, "store");
    seen({}, {store.value}, "store");
    written(store.access.buffer);
  }
  void check(const Prefetch& prefetch) { access(prefetch.access, "prefetch"); }
  void check(const Fill& fill) {
    tile(fill.to);
    written(fill.to.buffer);
  }
  void check(const Copy& copy) {
    tile(copy.from);
    tile(copy.to);
    bounds(copy.bounds, "copy");
    written(copy.to.buffer);
    if (copy.asynchronous && problem_.empty()) asynchronous(copy);
  }
  void asynchronous(const Copy& copy) {
    const Buffer &from = schedule_.buffers[copy.from.buffer], &to = schedule_.buffers[copy.to.buffer];
    const auto is = [](const Buffer& buffer, Space one, Space other) {
      return buffer.space == one || buffer.space == other;
    };
    require(is(from, Space::argument, Space::arena) && is(to, Space::shared, Space::panel), "T3", to.name);
    require(from.element == to.element, "T3", to.name);
    const std::int64_t elements = row_of(copy.from, from), bytes = elements * dlvm::info(to.element).bytes;
    require(elements == row_of(copy.to, to) && (bytes == 4 || bytes == 8 || bytes == 16), "T3", to.name);
    const auto& swizzle = to.layout.swizzle;
    require(!swizzle || elements <= std::int64_t{1} << swizzle->base, "T3", to.name);
    require(!from.layout.swizzle, "T3", from.name);
  }
  /// How many elements the tile has, where they are contiguous along its last axis; else 0.
  static std::int64_t row_of(const Tile& tile, const Buffer& buffer) {
    const auto& strides = tile.strides.empty() ? buffer.layout.strides : tile.strides;
    const auto count = dlvm::unit_count(tile.sizes).constant().value_or(0);
    if (count == 1) return 1;
    return !tile.sizes.empty() && tile.sizes.back().constant() == count && strides.back().is(1) ? count : 0;
  }
  void check(const Commit&) {}
  void check(const Wait&) {}
  void check(const Barrier&) {}
  void check(const MultiplyAccumulate& multiply) {
    for (const Tile* part : {&multiply.to, &multiply.left, &multiply.right}) tile(*part);
    if (multiply.ahead) tile(*multiply.ahead);
    written(multiply.to.buffer);
    std::set<LoopId> loops;
    std::set<ValueId> values;
    for (const Index* index : {&multiply.rows, &multiply.columns, &multiply.count})
      collect(*index, loops, values);
    seen(loops, values, "multiply");
    if (multiply.anew) bounds({*multiply.anew}, "multiply");
  }
  void check(const Reduce& reduce) {
    const std::size_t n = reduce.reduction.types.size();
    require(reduce.from.size() == n && reduce.to.size() == n, "T2", "reduce");
    for (const Tile& from : reduce.from) {
      tile(from);
      require(is_power_of_two(dlvm::unit_count(from.sizes).constant().value_or(0)), "T2", "reduce");
    }
    for (const Access& to : reduce.to) {
      access(to, "reduce");
      written(to.buffer);
    }
  }
  void check(const Sort& sort) {
    tile(sort.keys);
    tile(sort.positions);
    for (const Tile& scratch : sort.scratch) tile(scratch);
    written(sort.keys.buffer);
    written(sort.positions.buffer);
    require(!scope_->in_vector, "T6", "sort");
  }
  void check(const Convert& convert) {
    tile(convert.from);
    tile(convert.to);
    written(convert.to.buffer);
  }

  const Schedule& schedule_;
  std::string problem_;
  std::set<LoopId> loop_ids_;
  std::set<ValueId> value_ids_;
  Scope* scope_ = nullptr;  ///< of the statement that is checked
};

}  // namespace

std::optional<std::string> verify(const Schedule& schedule) { return Verifier(schedule).run(); }

}  // namespace codegen::schedule
