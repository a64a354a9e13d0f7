#include "codegen/kernel/build/calls.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "codegen/kernel/build/called_program.h"
#include "codegen/kernel/build/outline.h"
#include "dlvm/analysis/shared_functions.h"
#include "dlvm/ir/instruction_views.h"

namespace codegen::kernel {
namespace {

using dlvm::Instruction;
using dlvm::Opcode;

bool is_call(const dlvm::Value* value) {
  const Instruction* instruction = dlvm::as_instruction(value);
  return instruction != nullptr && instruction->opcode() == Opcode::apply;
}

/// A result of a call: by its position in a tuple, or the only one.
struct CallResult {
  const Instruction* call = nullptr;
  std::size_t position = 0;
};

/// Returns which result of a call the value is; without a call if it is none.
CallResult call_result(const dlvm::Value* value) {
  if (!value->type().is_tensor()) return {};
  if (is_call(value)) return {dlvm::as_instruction(value), 0};
  const auto extract = dlvm::as<dlvm::Extract>(value);
  if (!extract || !is_call(extract.instruction().operand(0))) return {};
  return {dlvm::as_instruction(extract.instruction().operand(0)), extract.position()};
}

class CallExpansion {
 public:
  CallExpansion(const dlvm::Function& function, const std::vector<std::string>& dimensions,
                const BuildBlock& build, const BuildCallee& build_callee)
      : function_(function),
        build_(build),
        build_callee_(build_callee),
        parts_(function, dimensions),
        results_(returned_values(function)) {}

  std::optional<Program> run() {
    std::vector<const Instruction*> calls;
    for (const auto& instruction : function_.entry().instructions()) {
      if (instruction->opcode() == Opcode::apply) calls.push_back(instruction.get());
      positions_[instruction.get()] = positions_.size();
    }
    find_uses(calls);
    add_outputs();
    std::vector<const Instruction*> between;
    for (const auto& instruction : function_.entry().instructions()) {
      if (instruction->opcode() != Opcode::apply) {
        if (is_computed(*instruction)) between.push_back(instruction.get());
        continue;
      }
      if (!append_part(between) || !append_call(*instruction)) return std::nullopt;
      between.clear();
    }
    if (!append_part(between) || !append_copies()) return std::nullopt;
    return parts_.finish(std::move(body_));
  }

 private:
  /// What a call has done that later ones may have in common with it.
  struct Done {
    std::vector<ValueId> values;  ///< by the callee's value
    std::vector<bool> launches;   ///< those that have run
  };
  static constexpr ValueId none = static_cast<ValueId>(-1);

  /// Whether it is neither the end, nor a tuple that is returned, nor a result of a call.
  static bool is_computed(const Instruction& instruction) {
    return instruction.type().is_tensor() && !instruction.is(dlvm::Trait::terminator) &&
           call_result(&instruction).call == nullptr;
  }

  void find_uses(const std::vector<const Instruction*>& calls) {
    for (const Instruction* call : calls) {
      const std::size_t count = call->type().is_tuple() ? call->type().elements().size() : 1;
      ResultSet used(count, !call->type().is_tuple());
      for (const Instruction* user : call->users())
        if (const CallResult result = call_result(user); result.call == call) used[result.position] = true;
      std::vector<ResultSet>& sets = sets_[dlvm::Apply(*call).callee()];
      const auto known = std::ranges::find(sets, used);
      set_of_[call] = static_cast<std::size_t>(known - sets.begin());
      if (known == sets.end()) sets.push_back(std::move(used));
    }
    for (auto& [callee, sets] : sets_)
      if (sets.size() > max_result_sets) sets = {ResultSet(sets[0].size(), true)};
  }
  std::size_t set_of(const Instruction& call) const {
    return sets_.at(dlvm::Apply(call).callee()).size() == 1 ? 0 : set_of_.at(&call);
  }

  /// A result that stands in memory for the first time is computed there; others are copied last.
  void add_outputs() {
    for (std::uint32_t r = 0; r < results_.size(); ++r) {
      const dlvm::Value* value = results_[r];
      outputs_.push_back(parts_.add(Value::Place::output, r, value->name(), value->type()));
      if (dlvm::as_instruction(value) == nullptr || !is_output_.insert(value).second) continue;
      bind(value, outputs_.back());
      bound_.insert(r);
    }
  }

  void bind(const dlvm::Value* value, ValueId memory) {
    if (const CallResult result = call_result(value); result.call != nullptr)
      call_results_[{result.call, result.position}] = memory;
    else
      parts_.bind(value, memory);
  }

  /// Returns where the value is; a literal is put there.
  std::optional<ValueId> memory(const dlvm::Value* value) {
    if (const CallResult result = call_result(value); result.call != nullptr)
      return memory_of_result(result.call, result.position, value);
    if (dlvm::as_literal(value) == nullptr) return parts_.memory(value);
    const auto [known, is_new] = literals_.try_emplace(value, none);
    if (!is_new) return known->second;
    known->second = parts_.add(Value::Place::arena, 0, "literal", value->type());
    if (!append(outline("literal", {}, std::vector{value}), {known->second})) return std::nullopt;
    return known->second;
  }
  ValueId memory_of_result(const Instruction* call, std::size_t position, const dlvm::Value* value) {
    const auto [known, is_new] = call_results_.try_emplace({call, position}, none);
    if (is_new) known->second = parts_.add(Value::Place::arena, 0, value->name(), value->type());
    return known->second;
  }

  bool append(const Outlined& outlined, const std::vector<ValueId>& outputs) {
    std::vector<ValueId> inputs;
    for (const dlvm::Value* value : outlined.parameters) {
      const auto input = memory(value);
      if (!input) return false;
      inputs.push_back(*input);
    }
    auto part = build_(*outlined.function, {});
    if (part) parts_.append(std::move(part->program), inputs, outputs, body_);
    return part.has_value();
  }

  /// What costs no more than an index is computed where it is used, in each part.
  static bool is_repeated(const Instruction& instruction) {
    return instruction.is(dlvm::Trait::free) && is_computed(instruction);
  }

  bool append_part(const std::vector<const Instruction*>& between) {
    std::unordered_set<const Instruction*> here(between.begin(), between.end());
    std::vector<const Instruction*> all = between, open = between;
    while (!open.empty()) {
      const Instruction* user = open.back();
      open.pop_back();
      for (const dlvm::Value* operand : user->operands()) {
        const Instruction* instruction = dlvm::as_instruction(operand);
        if (instruction == nullptr || !is_repeated(*instruction) || !here.insert(instruction).second)
          continue;
        all.push_back(instruction);
        open.push_back(instruction);
      }
    }
    std::ranges::sort(all, {}, [&](const Instruction* each) { return positions_.at(each); });
    std::vector<const dlvm::Value*> results;
    for (const Instruction* instruction : between)
      if (is_read_outside(*instruction, here)) results.push_back(instruction);
    const bool may_fail =
        std::ranges::any_of(between, [](const Instruction* each) { return each->is(dlvm::Trait::may_fail); });
    if (results.empty() && !may_fail) return true;
    std::vector<ValueId> outputs;
    for (const dlvm::Value* result : results) outputs.push_back(parts_.memory(result));
    return append(outline("part", all, results), outputs);
  }

  /// Whether a call, the end, or another part that does not repeat it reads the value.
  bool is_read_outside(const Instruction& instruction,
                       const std::unordered_set<const Instruction*>& here) const {
    if (is_output_.contains(&instruction)) return true;
    return std::ranges::any_of(instruction.users(), [&](const Instruction* user) {
      return is_call(user) || (is_computed(*user) && !here.contains(user) && !is_repeated(instruction));
    });
  }

  CalledProgram* callee_of(const Instruction& call) {
    const dlvm::Function* function = dlvm::Apply(call).callee();
    const auto known = callees_.find(function);
    if (known != callees_.end()) return &known->second;
    auto built = build_callee_(*function, sets_.at(function));
    if (!built) return nullptr;
    CalledProgram& callee = callees_.try_emplace(function, std::move(*built)).first->second;
    parts_.add_dimensions(callee.program().dimensions);
    callee.first_site = parts_.add_sites(callee.program().check_sites);
    return &callee;
  }

  bool append_call(const Instruction& call) {
    CalledProgram* callee = callee_of(call);
    if (callee == nullptr) return false;
    Done& earlier = done_of(call, *callee);
    const std::vector<bool>& needed = callee->needed(set_of(call));
    std::vector<ValueId> values(callee->program().values.size(), none);
    std::vector<bool> launches = earlier.launches;
    for (std::size_t l = 0; l < callee->launch_count(); ++l)
      if (launches[l])
        for (std::size_t i = 0; i < callee->launch(l).values.size(); ++i)
          if (callee->writes(l, i)) {
            const ValueId written = callee->launch(l).values[i];
            values[written] = earlier.values[written];
          }
    for (std::size_t l = 0; l < callee->launch_count(); ++l) {
      if (!needed[l] || launches[l]) continue;
      Launch launch{kernel(*callee, callee->launch(l).kernel), {}};
      for (const ValueId value : callee->launch(l).values) {
        if (values[value] == none && !place(call, *callee, value, values[value])) return false;
        launch.values.push_back(values[value]);
      }
      body_.push_back({std::move(launch)});
      launches[l] = callee->is_common(l);
    }
    if (!take_results(call, *callee, values)) return false;
    earlier = {std::move(values), std::move(launches)};
    return true;
  }

  /// Returns what earlier calls with the same common arguments have done.
  Done& done_of(const Instruction& call, const CalledProgram& callee) {
    std::vector<const dlvm::Value*> key;
    for (std::size_t p = 0; p < call.operands().size(); ++p)
      if (callee.common_parameters()[p]) key.push_back(call.operand(p));
    Done& done = done_[{dlvm::Apply(call).callee(), std::move(key)}];
    if (done.launches.empty()) {
      done.launches.resize(callee.launch_count());
      done.values.resize(callee.program().values.size(), none);
    }
    return done;
  }

  std::uint32_t kernel(CalledProgram& callee, std::uint32_t number) {
    const auto [known, is_new] = callee.kernels.try_emplace(number, 0);
    if (is_new) known->second = parts_.add_kernel(callee.program().kernels[number], callee.first_site);
    return known->second;
  }

  /// Finds where a value of the callee is for this call.
  bool place(const Instruction& call, CalledProgram& callee, ValueId value, ValueId& at) {
    const Value& of = callee.program().values[value];
    if (of.place == Value::Place::input) {
      const auto found = memory(call.operand(of.index));
      if (found) at = *found;
      return found.has_value();
    }
    if (of.place == Value::Place::literal) {
      const auto [known, is_new] = callee.literals.try_emplace(value, none);
      if (is_new) known->second = parts_.add(of);
      at = known->second;
      return true;
    }
    const auto known =
        of.place == Value::Place::output ? call_results_.find({&call, of.index}) : call_results_.end();
    if (known != call_results_.end()) {
      at = known->second;
    } else {
      Value own = of;
      own.place = Value::Place::arena;
      own.index = 0;
      at = parts_.add(std::move(own));
    }
    return true;
  }

  /// The results are where the launches have put them. One that an earlier call has put somewhere else than
  /// where this program returns it is copied.
  bool take_results(const Instruction& call, const CalledProgram& callee,
                    const std::vector<ValueId>& values) {
    for (ValueId v = 0; v < values.size(); ++v) {
      const Value& of = callee.program().values[v];
      if (of.place != Value::Place::output || values[v] == none) continue;
      const auto [known, is_new] = call_results_.try_emplace({&call, of.index}, values[v]);
      if (is_new || known->second == values[v]) continue;
      const auto used = std::ranges::find_if(
          call.users(), [&](const Instruction* user) { return call_result(user).position == of.index; });
      if (used == call.users().end()) continue;
      auto part = build_(*outline("copy", {}, std::vector<const dlvm::Value*>{*used}).function, {});
      if (!part) return false;
      parts_.append(std::move(part->program), {values[v]}, {known->second}, body_);
    }
    return true;
  }

  bool append_copies() {
    for (std::uint32_t r = 0; r < results_.size(); ++r)
      if (!bound_.contains(r) && !append(outline("copy", {}, std::vector{results_[r]}), {outputs_[r]}))
        return false;
    return true;
  }

  const dlvm::Function& function_;
  const BuildBlock& build_;
  const BuildCallee& build_callee_;
  ProgramParts parts_;
  Sequence body_;
  const std::vector<const dlvm::Value*> results_;
  std::vector<ValueId> outputs_;
  std::set<std::uint32_t> bound_;  ///< the results that are computed in the memory of the output
  std::unordered_set<const dlvm::Value*> is_output_;
  std::unordered_map<const Instruction*, std::size_t> positions_, set_of_;
  std::unordered_map<const dlvm::Function*, std::vector<ResultSet>> sets_;
  std::map<const dlvm::Function*, CalledProgram> callees_;
  std::map<std::pair<const Instruction*, std::size_t>, ValueId> call_results_;
  std::unordered_map<const dlvm::Value*, ValueId> literals_;
  std::map<std::pair<const dlvm::Function*, std::vector<const dlvm::Value*>>, Done> done_;
};

}  // namespace

bool is_expandable_call(const Instruction& instruction) {
  if (!dlvm::is_shared_call(instruction)) return false;
  const dlvm::Function& callee = *dlvm::Apply(instruction).callee();
  if (!callee.is_straight_line()) return false;
  if (instruction.type().is_tensor()) return true;
  return instruction.type().is_tuple() &&
         std::ranges::all_of(instruction.type().elements(), &dlvm::Type::is_tensor) &&
         std::ranges::all_of(instruction.users(),
                             [&](const Instruction* user) { return call_result(user).call == &instruction; });
}

std::optional<Program> build_with_calls(const dlvm::Function& function,
                                        const std::vector<std::string>& dimensions, const BuildBlock& build,
                                        const BuildCallee& build_callee) {
  return CallExpansion(function, dimensions, build, build_callee).run();
}

}  // namespace codegen::kernel
