#include "codegen/kernel/memory/update_inputs.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
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
        if ((pair.next.updated_alone || !reads_inputs) && !read_behind.contains(pair.parameter))
          join_if_possible(*launch, pair);
      }
      const Kernel& kernel = kernel_of(*launch);
      for (std::size_t i = 0; i < launch->values.size(); ++i)
        if (!kernel.buffers[i].written) read_behind.insert(launch->values[i]);
    }
    if (!updated_.empty()) number_kernels();
    return std::move(updated_);
  }

 private:
  const Kernel& kernel_of(const Launch& launch) const { return program_.kernels[launch.kernel]; }

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

  /// Writes the result of the pair in place if the launch may.
  void join_if_possible(Launch& launch, const Pair& pair) {
    const auto place_of = [&](ValueId value) -> std::optional<BufferId> {
      if (std::ranges::count(launch.values, value) != 1) return std::nullopt;
      return static_cast<BufferId>(std::ranges::find(launch.values, value) - launch.values.begin());
    };
    const auto read = place_of(pair.parameter), written = place_of(pair.result);
    if (!read || !written || writers_.at(pair.result) != 1) return;
    const std::optional<std::uint32_t> kernel = kernel_in_place(launch.kernel, *read, *written);
    if (!kernel) return;
    launch.kernel = *kernel;
    launch.values[*read] = pair.result;
    launch.values.erase(launch.values.begin() + *written);
    program_.values[pair.result].updated_input = program_.values[pair.parameter].index;
    updated_.push_back(pair.next);
  }

  /// Returns the kernel in which the two arguments are one, if they may be. Equal launches share it.
  std::optional<std::uint32_t> kernel_in_place(std::uint32_t number, BufferId read, BufferId written) {
    const auto [known, is_new] = in_place_.try_emplace({number, read, written});
    const Kernel& kernel = program_.kernels[number];
    if (is_new && kernel.buffers[written].written && !kernel.buffers[written].updated &&
        may_update(kernel, read, written)) {
      known->second = static_cast<std::uint32_t>(program_.kernels.size());
      program_.kernels.push_back(update_in_place(kernel, read, written));
    }
    return known->second;
  }

  /// Stores the kernels that are launched, in the order of the launches.
  void number_kernels() {
    KernelTable kernels;
    std::unordered_map<std::uint32_t, std::uint32_t> numbers;
    number_kernels(program_.body, kernels, numbers);
    program_.kernels = kernels.take();
  }
  void number_kernels(Sequence& sequence, KernelTable& kernels,
                      std::unordered_map<std::uint32_t, std::uint32_t>& numbers) {
    for (Statement& statement : sequence)
      if (auto* launch = std::get_if<Launch>(&statement.node)) {
        const auto [known, is_new] = numbers.try_emplace(launch->kernel);
        if (is_new) known->second = kernels.add(kernel_of(*launch));
        launch->kernel = known->second;
      } else if (auto* branch = std::get_if<Branch>(&statement.node)) {
        number_kernels(branch->then, kernels, numbers);
        number_kernels(branch->otherwise, kernels, numbers);
      } else if (auto* scope = std::get_if<Scope>(&statement.node)) {
        number_kernels(scope->body, kernels, numbers);
      }
  }

  Program& program_;
  std::map<std::pair<Value::Place, std::uint32_t>, ValueId> known_;  ///< values by place and index
  std::vector<Pair> candidates_;
  std::multimap<ValueId, std::size_t> candidates_by_result_;
  std::set<ValueId> replaced_;      ///< the parameters in whose place results are put
  std::map<ValueId, int> writers_;  ///< how many launches write a value
  /// The kernels in which two arguments are one, by the kernel in which they are two.
  std::map<std::tuple<std::uint32_t, BufferId, BufferId>, std::optional<std::uint32_t>> in_place_;
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
