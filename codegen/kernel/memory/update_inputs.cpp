#include "codegen/kernel/memory/update_inputs.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "codegen/kernel/ir/kernel_table.h"
#include "codegen/kernel/ir/walk.h"
#include "codegen/kernel/memory/in_place.h"
#include "dlvm/support/internal_error.h"

namespace codegen::kernel {
namespace {

bool may_fail(const Kernel& kernel) {
  bool fails = false;
  walk<Scalar>(kernel.root, [&](const Scalar& scalar) {
    fails = fails || std::holds_alternative<Scalar::Check>(scalar.definition);
  });
  return fails;
}

/// A result, and the parameter whose memory it may have.
struct Pair {
  ValueId parameter, result;
  NextValue next;
};

class Updating {
 public:
  Updating(Program& program, const std::vector<NextValue>& updates, const std::vector<NextValue>& next_values)
      : program_(program) {
    for (ValueId id = 0; id < program.values.size(); ++id)
      known_.try_emplace({program.values[id].place, program.values[id].index}, id);
    for (const NextValue& next : next_values)
      if (const auto parameter = find(Value::Place::input, next.parameter)) replaced_.insert(*parameter);
    for (const NextValue& next : updates) add_candidate(next);
    for (const Launch* launch : collect<Launch>(program.body))
      for (std::size_t i = 0; i < launch->values.size(); ++i)
        if (program.kernels[launch->kernel].buffers[i].written) ++writers_[launch->values[i]];
  }

  /// Returns what is written in place.
  std::vector<NextValue> run() {
    std::set<ValueId> read_behind;
    bool reads_inputs = false;
    for (auto statement = program_.body.rbegin(); statement != program_.body.rend(); ++statement) {
      auto* launch = std::get_if<Launch>(&statement->node);
      if (launch == nullptr || may_fail(kernel_of(*launch))) break;
      reads_inputs = reads_inputs || reads_input(*launch);
      for (const std::size_t candidate : candidates_of(*launch)) {
        const Pair& pair = candidates_[candidate];
        if ((pair.next.updated_alone || !reads_inputs) && !read_behind.contains(pair.parameter) &&
            may_be_one(*launch, pair))
          join(*launch, pair);
      }
      const Kernel& kernel = kernel_of(*launch);
      for (std::size_t i = 0; i < launch->values.size(); ++i)
        if (!kernel.buffers[i].written) read_behind.insert(launch->values[i]);
    }
    if (!updated_.empty()) number_kernels();
    return std::move(updated_);
  }

 private:
  const Kernel& kernel_of(const Launch& launch) const {
    const auto changed = changed_.find(&launch);
    return changed == changed_.end() ? program_.kernels[launch.kernel] : changed->second;
  }

  std::optional<ValueId> find(Value::Place place, std::uint32_t index) const {
    const auto found = known_.find({place, index});
    return found == known_.end() ? std::nullopt : std::optional(found->second);
  }

  void add_candidate(const NextValue& next) {
    constexpr std::int64_t few = 16;
    const auto parameter = find(Value::Place::input, next.parameter);
    const auto result = find(Value::Place::output, next.result);
    if (!parameter || !result) return;
    const auto count = dlvm::unit_count(program_.values[*parameter].shape).constant();
    if (program_.values[*result].updated_input || (count && *count <= few)) return;
    candidates_by_result_.emplace(*result, candidates_.size());
    candidates_.push_back({*parameter, *result, next});
  }

  /// Returns the numbers of the candidates whose result is among the launch's values.
  std::set<std::size_t> candidates_of(const Launch& launch) const {
    std::set<std::size_t> numbers;
    for (const ValueId value : launch.values) {
      const auto [first, last] = candidates_by_result_.equal_range(value);
      for (auto each = first; each != last; ++each) numbers.insert(each->second);
    }
    return numbers;
  }

  /// Whether the launch reads memory of the caller that may be that of a parameter which is written.
  bool reads_input(const Launch& launch) const {
    return std::ranges::any_of(launch.values, [&](ValueId id) {
      const Value& value = program_.values[id];
      return value.place == Value::Place::input && !value.shape.empty() && !replaced_.contains(id);
    });
  }

  bool may_be_one(const Launch& launch, const Pair& pair) const {
    const auto place_of = [&](ValueId value) -> std::optional<BufferId> {
      if (std::ranges::count(launch.values, value) != 1) return std::nullopt;
      return static_cast<BufferId>(std::ranges::find(launch.values, value) - launch.values.begin());
    };
    const auto read = place_of(pair.parameter), written = place_of(pair.result);
    const Kernel& kernel = kernel_of(launch);
    return read && written && writers_.at(pair.result) == 1 && kernel.buffers[*written].written &&
           !kernel.buffers[*written].updated && may_update(kernel, *read, *written);
  }

  void join(Launch& launch, const Pair& pair) {
    const auto read = std::ranges::find(launch.values, pair.parameter);
    const auto written = std::ranges::find(launch.values, pair.result);
    changed_[&launch] =
        update_in_place(kernel_of(launch), static_cast<BufferId>(read - launch.values.begin()),
                        static_cast<BufferId>(written - launch.values.begin()));
    *read = pair.result;
    launch.values.erase(written);
    program_.values[pair.result].updated_input = program_.values[pair.parameter].index;
    updated_.push_back(pair.next);
  }

  /// Stores the kernels of all launches anew.
  void number_kernels() {
    KernelTable kernels;
    number_kernels(program_.body, kernels);
    program_.kernels = kernels.take();
  }
  void number_kernels(Sequence& sequence, KernelTable& kernels) {
    for (Statement& statement : sequence)
      if (auto* launch = std::get_if<Launch>(&statement.node)) {
        launch->kernel = kernels.add(kernel_of(*launch));
      } else if (auto* branch = std::get_if<Branch>(&statement.node)) {
        number_kernels(branch->then, kernels);
        number_kernels(branch->otherwise, kernels);
      } else if (auto* scope = std::get_if<Scope>(&statement.node)) {
        number_kernels(scope->body, kernels);
      }
  }

  Program& program_;
  std::map<std::pair<Value::Place, std::uint32_t>, ValueId> known_;  ///< values by place and index
  std::vector<Pair> candidates_;
  std::multimap<ValueId, std::size_t> candidates_by_result_;
  std::set<ValueId> replaced_;      ///< the parameters in whose place results are put
  std::map<ValueId, int> writers_;  ///< how many launches write a value
  std::map<const Launch*, Kernel> changed_;
  std::vector<NextValue> updated_;
};

}  // namespace

std::vector<NextValue> find_updates(const Program& program, const std::vector<NextValue>& next_values) {
  if (next_values.empty()) return {};
  Program changed = program;
  return Updating(changed, next_values, next_values).run();
}

void update_inputs(Program& program, const std::vector<NextValue>& updates,
                   const std::vector<NextValue>& next_values) {
  if (updates.empty()) return;
  if (Updating(program, updates, next_values).run().size() != updates.size())
    dlvm::internal_error("a result that can be written to the memory of a parameter is not");
}

}  // namespace codegen::kernel
