// From the front: a run of launches grows as long as what it would become is small; the first launch that
// does not fit begins the next run.
#include "codegen/target/gpu/join_launches.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <span>

#include "codegen/kernel/ir/kernel_table.h"
#include "codegen/kernel/ir/lifetimes.h"
#include "codegen/kernel/ir/walk.h"
#include "codegen/schedule/gpu/dynamic_rows.h"
#include "codegen/schedule/gpu/single_block.h"
#include "codegen/schedule/gpu/small_network.h"
#include "codegen/schedule/gpu/team_builder.h"
#include "codegen/schedule/ir/index.h"
#include "codegen/schedule/ir/size.h"

namespace codegen::target::gpu {
namespace {

using kernel::Axis;
using kernel::AxisId;
using kernel::Block;
using kernel::Buffer;
using kernel::BufferId;
using kernel::Kernel;
using kernel::Launch;
using kernel::Lifetime;
using kernel::Lifetimes;
using kernel::Program;
using kernel::Sequence;
using kernel::Stage;
using kernel::Statement;
using kernel::Value;
using kernel::ValueId;
using schedule::Renaming;

/// Launches that become one: a kernel is made for each number of them that is tried.
constexpr std::size_t max_launches = 32;

/// A kernel's tree with other numbers of axes and buffers.
class Renumbering {
 public:
  Renumbering(AxisId first_axis, const std::vector<BufferId>& buffers)
      : first_axis_(first_axis), next_axis_(first_axis), buffers_(buffers) {}

  void apply(Block& tree) {
    kernel::walk<Axis>(tree, [this](Axis& axis) { number(axis); });
    kernel::walk<Stage>(tree, [this](Stage& stage) { apply(stage); });
  }
  AxisId next_axis() const { return next_axis_; }

 private:
  void number(Axis& axis) {
    const AxisId id = first_axis_ + axis.id;
    renaming_.axes[axis.id] = schedule::variable(id);
    next_axis_ = std::max(next_axis_, id + 1);
    axis.id = id;
  }

  void apply(Stage& stage) const {
    kernel::visit_scalars(stage,
                          [this](kernel::Scalar& scalar) { scalar = schedule::rename(scalar, renaming_); });
    for (kernel::Store& store : stage.stores) {
      store.access = schedule::rename(store.access, renaming_);
      store.bounds = schedule::rename(store.bounds, renaming_);
    }
    if (auto& sorting = stage.sorting)
      for (kernel::Access* row : {&sorting->keys, &sorting->positions})
        *row = schedule::rename(*row, renaming_);
    kernel::visit_accesses(stage, [this](kernel::Access& access, const auto&, bool) {
      access.buffer = buffers_[access.buffer];
    });
    for (AxisId& id : stage.accumulated) id += first_axis_;
    if (auto& c = stage.contraction)
      for (auto* ids : {&c->batch, &c->m, &c->n, &c->k})
        for (AxisId& id : *ids) id += first_axis_;
  }

  AxisId first_axis_, next_axis_;
  const std::vector<BufferId>& buffers_;
  Renaming renaming_;
};

/// The kernel that does what the launches at positions [first, end) of the program do, and its arguments.
class Joined {
 public:
  Joined(const Program& program, const Lifetimes& lifetimes, std::size_t first, std::size_t end)
      : program_(program),
        life_(lifetimes.of_value),
        launches_(std::span(lifetimes.launch_at).subspan(first, end - first)),
        first_(first),
        end_(end) {
    kernel.name = "network";
    add_arguments();
    for (const Launch* launch : launches_) {
      position_ = lifetimes.position_of.at(launch);
      add(*launch);
    }
  }

  Kernel kernel;
  std::vector<ValueId> values;

 private:
  bool is_inside(ValueId value) const {
    return program_.values[value].place == Value::Place::arena && life_[value].first >= first_ &&
           life_[value].last < end_;
  }
  const Kernel& kernel_of(const Launch& launch) const { return program_.kernels[launch.kernel]; }

  void add_arguments() {
    for (const Launch* launch : launches_)
      for (std::size_t a = 0; a < launch->values.size(); ++a) {
        const ValueId value = launch->values[a];
        if (is_inside(value)) continue;
        const auto [place, added] = places_.emplace(value, kernel.buffers.size());
        if (added) {
          add_buffer(kernel_of(*launch).buffers[a]);
          values.push_back(value);
        }
        Buffer& buffer = kernel.buffers[place->second];
        const bool writes = kernel_of(*launch).buffers[a].written;
        buffer.updated |= !added && writes && !buffer.written;  // an earlier launch reads it
        buffer.written |= writes;
      }
  }

  void add_buffer(Buffer buffer) {
    const std::string name = buffer.name;
    const auto taken = [&](const Buffer& other) { return other.name == buffer.name; };
    for (int i = 1; std::any_of(kernel.buffers.begin(), kernel.buffers.end(), taken); ++i)
      buffer.name = name + "_" + std::to_string(i);
    kernel.buffers.push_back(std::move(buffer));
  }

  void add(const Launch& launch) {
    const Kernel& from = kernel_of(launch);
    Block root = from.root;
    const std::uint32_t deeper = root.axes.empty() ? 0 : 1;
    std::vector<BufferId> buffers;
    for (std::size_t b = 0; b < from.buffers.size(); ++b) {
      if (b < launch.values.size()) {
        buffers.push_back(place(launch.values[b], from.buffers[b]));
        continue;
      }
      buffers.push_back(static_cast<BufferId>(kernel.buffers.size()));
      add_buffer(from.buffers[b]);
      kernel.buffers.back().depth += deeper;
    }
    Renumbering renumbering(next_axis_, buffers);
    renumbering.apply(root);
    next_axis_ = renumbering.next_axis();
    auto& children = kernel.root.children;
    if (deeper == 1)
      children.emplace_back(std::move(root));
    else
      std::move(root.children.begin(), root.children.end(), std::back_inserter(children));
  }

  /// Where the value lies; one that begins takes the place of one that has ended.
  BufferId place(ValueId value, const Buffer& as) {
    const auto known = places_.find(value);
    if (known != places_.end()) return known->second;
    for (auto& [buffer, holder] : locals_) {
      const Buffer& other = kernel.buffers[buffer];
      if (life_[holder].last >= position_ || other.element != as.element || other.shape != as.shape) continue;
      holder = value;
      return places_[value] = buffer;
    }
    const auto id = static_cast<BufferId>(kernel.buffers.size());
    add_buffer(as);
    kernel.buffers.back().space = Buffer::Space::local;
    kernel.buffers.back().written = kernel.buffers.back().updated = false;
    locals_.emplace_back(id, value);
    return places_[value] = id;
  }

  const Program& program_;
  const std::vector<Lifetime>& life_;
  std::span<const Launch* const> launches_;
  std::size_t first_, end_, position_ = 0;
  AxisId next_axis_ = 0;
  std::map<ValueId, BufferId> places_;                ///< of values
  std::vector<std::pair<BufferId, ValueId>> locals_;  ///< with the value that each held last
};

/// The estimated instructions of a small kernel as one block; nothing where it cannot be one. A kernel whose
/// rows have a length that a call gives stays alone: that length says how many threads share a row, and so in
/// which order they sum it up, and several kernels may have rows of several lengths.
std::optional<std::int64_t> block_instructions(const Kernel& kernel, const schedule::gpu::GpuTarget& target) {
  if (schedule::gpu::dynamic_row_length(kernel, schedule::gpu::kernel_buffers(kernel))) return std::nullopt;
  const auto bound = schedule::gpu::small_bound(kernel, target);
  const auto block = bound ? schedule::gpu::schedule_as_single_block(kernel, target, *bound) : std::nullopt;
  if (!block) return std::nullopt;
  return schedule::instruction_estimate(block->variants.front().body);
}

/// Makes the statements of a program whose launches are joined.
class Joiner {
 public:
  Joiner(const Program& program, const schedule::gpu::GpuTarget& target)
      : program_(program), target_(target), lifetimes_(kernel::lifetimes(program)) {
    for (const Kernel& kernel : program.kernels) sizes_.push_back(block_instructions(kernel, target));
  }

  Sequence join(const Sequence& sequence) {
    Sequence result;
    for (auto at = sequence.begin(); at != sequence.end();) {
      if (const auto* first = std::get_if<Launch>(&at->node)) {
        const auto is_launch = [](const Statement& s) { return std::holds_alternative<Launch>(s.node); };
        const auto end = std::find_if_not(at, sequence.end(), is_launch);
        join(lifetimes_.position_of.at(first), static_cast<std::size_t>(end - at), result);
        at = end;
      } else {
        result.push_back(std::visit([this](const auto& node) { return joined(node); }, (at++)->node));
      }
    }
    return result;
  }
  std::vector<Kernel> take_kernels() { return kernels_.take(); }

 private:
  /// Appends what becomes of `count` launches in a row, of which the first is at `first`.
  void join(std::size_t first, std::size_t count, Sequence& into) {
    for (const std::size_t last = first + count; first < last;) {
      const Launch& begin = *lifetimes_.launch_at[first];
      std::optional<Joined> joined;
      std::size_t end = first + 1;
      auto instructions = size_of(begin);
      for (; instructions && end < last && end - first < max_launches; ++end) {
        const auto added = size_of(*lifetimes_.launch_at[end]);
        if (!added || (*instructions += *added) > schedule::gpu::max_block_instructions) break;
        Joined next(program_, lifetimes_, first, end + 1);
        if (!schedule::gpu::small_bound(next.kernel, target_)) break;
        joined.emplace(std::move(next));
      }
      into.push_back({joined ? Launch{kernels_.add(std::move(joined->kernel)), std::move(joined->values)}
                             : Launch{kernels_.add(program_.kernels[begin.kernel]), begin.values}});
      first = end;
    }
  }

  /// A launch that updates an input stays alone: whether it does anything depends on the launches before it.
  std::optional<std::int64_t> size_of(const Launch& launch) const {
    return updates_input(program_, launch) ? std::nullopt : sizes_[launch.kernel];
  }

  Statement joined(const kernel::Branch& branch) {
    return {kernel::Branch{branch.condition, join(branch.then), join(branch.otherwise), branch.location}};
  }
  Statement joined(const kernel::Scope& scope) {
    return {kernel::Scope{scope.kind, scope.name, join(scope.body), scope.is_fused}};
  }
  static Statement joined(const auto& node) { return {node}; }

  const Program& program_;
  const schedule::gpu::GpuTarget& target_;
  const Lifetimes lifetimes_;
  std::vector<std::optional<std::int64_t>> sizes_;  ///< of kernels
  kernel::KernelTable kernels_;
};

}  // namespace

void join_launches(Program& program, const schedule::gpu::GpuTarget& target) {
  Joiner joiner(program, target);
  Sequence body = joiner.join(program.body);
  program.kernels = joiner.take_kernels();
  program.body = std::move(body);
}

}  // namespace codegen::target::gpu
