#include "codegen/schedule/verify/verify_distributed.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "codegen/schedule/ir/index.h"
#include "codegen/schedule/ir/linear_layout.h"
#include "codegen/schedule/ir/threads.h"

namespace codegen::schedule {
namespace {

bool is_power_of_two(std::int64_t n) { return n > 0 && std::has_single_bit(static_cast<std::uint64_t>(n)); }

class Verifier {
 public:
  explicit Verifier(const Schedule& schedule) : schedule_(schedule) {}

  std::optional<std::string> run() {
    for (BufferId id = 0; id < schedule_.buffers.size(); ++id) {
      const Buffer& buffer = schedule_.buffers[id];
      if (!buffer.linear_layout) continue;
      const auto layout = buffer.space == Space::registers ? InvertibleLayout::of(buffer) : std::nullopt;
      require(layout.has_value(), "O1", buffer.name);
      if (layout) layouts_.emplace(id, *layout);
    }
    for (const Variant& variant : schedule_.variants)
      if (!problem_) body(variant.body);
    return problem_;
  }

 private:
  void require(bool holds, const char* invariant, const std::string& where) {
    if (!holds && !problem_) problem_ = fmt::format("{}: {}", invariant, where);
  }

  void body(const Body& body) {
    for (const Statement& statement : body)
      std::visit([this](const auto& node) { check(node); }, statement.node);
  }

  void check(const Origin&) {}
  void check(const Let& let) {
    if (const auto* load = std::get_if<Scalar::Load>(&let.scalar.definition)) element(load->access);
  }
  void check(const Store& store) { element(store.access); }
  void check(const Allocate&) {}
  void check(const Loop& loop) {
    loops_.push_back(&loop);
    body(loop.body);
    loops_.pop_back();
  }
  void check(const Fill& fill) { whole(fill.to); }
  void check(const Copy& copy) { none(copy.from), none(copy.to); }
  void check(const Commit&) {}
  void check(const Wait&) {}
  void check(const Barrier&) {}
  void check(const Prefetch& prefetch) {
    require(!is_distributed(prefetch.access.buffer), "O2", name(prefetch.access.buffer));
  }
  void check(const Convert& convert) { none(convert.from), none(convert.to); }
  void check(const Sort& sort) { none(sort.keys), none(sort.positions); }
  void check(const Reduce& reduce) {
    for (const Tile& from : reduce.from) none(from);
    for (const Access& to : reduce.to) require(!is_distributed(to.buffer), "O2", name(to.buffer));
  }

  bool stands_in(LoopKind kind) const {
    return std::any_of(loops_.begin(), loops_.end(), [&](const Loop* loop) { return loop->kind == kind; });
  }
  const std::string& name(BufferId id) const { return schedule_.buffers[id].name; }
  bool is_distributed(BufferId id) const { return schedule_.buffers[id].linear_layout.has_value(); }
  void none(const Tile& tile) { require(!is_distributed(tile.buffer), "O2", name(tile.buffer)); }
  /// A distributed tile is filled as a whole, by the whole block.
  void whole(const Tile& tile) {
    if (!is_distributed(tile.buffer)) return;
    const auto is_zero = [](const Index& index) { return index.terms.empty() && index.constant.is(0); };
    require(tile.sizes == schedule_.buffers[tile.buffer].shape &&
                std::all_of(tile.origin.begin(), tile.origin.end(), is_zero) && !stands_in(LoopKind::warp) &&
                !stands_in(LoopKind::thread),
            "O2", name(tile.buffer));
  }

  // ------------------------------------------------------------------------------------------- elements

  /// Follows the bits of the loops' variables: of a thread loop they must lead to the same bits of the
  /// thread's number, of unrolled ones to registers.
  void element(const Access& access) {
    const auto found = layouts_.find(access.buffer);
    if (found == layouts_.end()) return;
    const InvertibleLayout& layout = found->second;
    const std::string& where = name(access.buffer);
    std::vector<std::int64_t> start, used(access.indices.size(), 0);
    for (std::size_t axis = 0; axis < used.size(); ++axis) {
      start.push_back(access.indices[axis].constant.constant().value_or(-1));
      const bool inside = start[axis] >= 0 && start[axis] < layout.extents()[axis];
      require(inside && (start[axis] & used[axis]) == 0, "O2", where);
      used[axis] = start[axis];
    }
    if (problem_) return;
    require(layout.holder(start).thread == 0 && !stands_in(LoopKind::warp), "O2", where);
    std::int64_t inside = 1;  // threads of the thread loops inside of the one at hand
    std::size_t known = 0;
    for (auto loop = loops_.rbegin(); loop != loops_.rend() && !problem_; ++loop) {
      const std::int64_t trips = (*loop)->extent.constant().value_or(0);
      const bool shares = (*loop)->kind == LoopKind::thread;
      if (!shares && (*loop)->kind != LoopKind::unrolled) continue;
      require(!shares || is_power_of_two(trips), "O2", where);
      for (std::int64_t value = 1; value < trips && !problem_; value *= 2) {
        const auto vector = vector_of(access, **loop, value, layout, used);
        if (problem_) return;
        const HardwareIndex place = layout.holder(vector);
        const HardwareIndex expected{shares ? 0 : place.register_index, shares ? value * inside : 0};
        require(place.register_index == expected.register_index && place.thread == expected.thread, "O2",
                where);
      }
      if (shares) inside *= trips;
      known += uses(access, (*loop)->id);
    }
    require(inside == layout.threads() && known == terms(access), "O2", where);
  }

  static std::size_t terms(const Access& access) {
    std::size_t count = 0;
    for (const Index& index : access.indices) count += index.terms.size();
    return count;
  }
  static std::size_t uses(const Access& access, LoopId id) {
    std::size_t count = 0;
    for (const Index& index : access.indices)
      for (const auto& term : index.terms)
        if (const auto* loop = std::get_if<LoopId>(&term.atom)) count += *loop == id ? 1 : 0;
    return count;
  }
  /// The offset that the loop's variable adds at this value, a bit of it; `used` are the bits of all that is
  /// added.
  std::vector<std::int64_t> vector_of(const Access& access, const Loop& loop, std::int64_t value,
                                      const InvertibleLayout& layout, std::vector<std::int64_t>& used) {
    std::vector<std::int64_t> vector(used.size(), 0);
    for (std::size_t axis = 0; axis < used.size(); ++axis) {
      const auto step = stride(access.indices[axis], loop.id);
      vector[axis] = step ? step->constant().value_or(-1) * value : -1;
      const bool fits = vector[axis] >= 0 && vector[axis] < layout.extents()[axis];
      require(fits && (vector[axis] & used[axis]) == 0, "O2", name(access.buffer));
      used[axis] |= std::max<std::int64_t>(vector[axis], 0);
    }
    return vector;
  }

  // ------------------------------------------------------------------------------------------- products

  void check(const MultiplyAccumulate& multiply) {
    const bool tensor = is_on_tensor_cores(multiply.arithmetic);
    const std::string& where = name(multiply.to.buffer);
    require(tensor == is_distributed(multiply.to.buffer), "O3", where);
    if (!tensor || problem_) return;
    whole(multiply.to);
    const Buffer& to = schedule_.buffers[multiply.to.buffer];
    require(to.element == ElementType::f32 && to.shape.size() == 2 && stands_in(LoopKind::block), "O3",
            where);
    require(!problem_ && is_of_tensor_cores(*to.linear_layout), "O3", where);
    if (problem_) return;
    operand(multiply.left, to.shape[0], multiply.arithmetic);
    operand(multiply.right, to.shape[1], multiply.arithmetic);
    const ElementType left = schedule_.buffers[multiply.left.buffer].element,
                      right = schedule_.buffers[multiply.right.buffer].element;
    require(left == right, "O3", where);
    const auto reaches = [](const Index& limit, const Extent& size) {
      return limit.terms.empty() && limit.constant == size;
    };
    if (problem_) return;
    const Shape& sizes = multiply.left.sizes;
    require(reaches(multiply.rows, to.shape[0]) && reaches(multiply.columns, to.shape[1]) &&
                reaches(multiply.count, sizes[sizes.size() - 2]) &&
                sizes[sizes.size() - 2] == multiply.right.sizes[multiply.right.sizes.size() - 2],
            "O3", where);
  }

  /// Elements [k, other] of a panel, in runs of 16 bytes along one of the two.
  void operand(const Tile& tile, const Extent& size, Arithmetic arithmetic) {
    const Buffer& panel = schedule_.buffers[tile.buffer];
    const std::size_t rank = tile.sizes.size();
    require(rank >= 2 && panel.space == Space::shared, "O3", panel.name);
    require(is_operand(panel.element, arithmetic), "O3", panel.name);
    if (problem_) return;
    const auto bytes = static_cast<std::int64_t>(dlvm::info(panel.element).bytes), run = 16 / bytes;
    const auto& strides = tile.strides.empty() ? panel.layout.strides : tile.strides;
    const auto depth = tile.sizes[rank - 2].constant(), k = strides[rank - 2].constant(),
               other = strides[rank - 1].constant();
    require(tile.sizes[rank - 1] == size && depth && *depth % (matrix_instruction.depth_bytes / bytes) == 0,
            "O3", panel.name);
    require(k && other && ((*k == 1 && *other % run == 0) || (*other == 1 && *k % run == 0)), "O3",
            panel.name);
    if (problem_) return;
    std::int64_t whole = run;  // what the tile begins at a multiple of
    if (const auto& swizzle = panel.layout.swizzle) {
      whole = std::int64_t{1} << (swizzle->base + swizzle->shift + swizzle->bits);
      require(is_power_of_two(*k) && is_power_of_two(*other) && (std::int64_t{1} << swizzle->base) % run == 0,
              "O3", panel.name);
    }
    const Index at = offset({tile.buffer, tile.origin}, panel.layout);
    bool aligned = at.constant.constant().value_or(1) % whole == 0;
    for (const auto& term : at.terms)
      aligned = aligned && term.coefficient.constant().value_or(1) % whole == 0;
    require(aligned, "O3", panel.name);
  }
  static bool is_operand(ElementType type, Arithmetic arithmetic) {
    if (type == ElementType::f32) return true;
    return arithmetic == Arithmetic::tensor && dlvm::is_floating(type) && dlvm::info(type).bytes == 2;
  }

  const Schedule& schedule_;
  std::map<BufferId, InvertibleLayout> layouts_;
  std::vector<const Loop*> loops_;  ///< around, from the outside in
  std::optional<std::string> problem_;
};

}  // namespace

std::optional<std::string> verify_distributed(const Schedule& schedule) { return Verifier(schedule).run(); }

}  // namespace codegen::schedule
