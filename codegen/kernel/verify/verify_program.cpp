// What holds of every program, beside its kernels:
//   launches  (L1) they give each argument a value of its type and shape; inputs and literals are not
//             written; (L2) a value that they update is no other argument.
//   values    (V1) each path writes a value of the arena or an output before it reads it, unless the output
//   is
//             the memory of a parameter; (V2) values that a swap exchanges are two of the arena, of one type;
//             (V3) what updates a parameter is an output of its type.
//   control   (C1) a condition is a bool of rank 0; (C2) the names of scopes are unique; (C3) a jump names a
//             scope around it and is the last statement of its sequence; (C4) a fused scope is in no
//             other one, and no jump leaves it.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "codegen/kernel/ir/lifetimes.h"
#include "codegen/kernel/verify/verify.h"

namespace codegen::kernel {
namespace {

class ProgramVerifier {
 public:
  explicit ProgramVerifier(const Program& program) : program_(program) {}

  std::optional<std::string> run() {
    for (const Kernel& kernel : program_.kernels)
      if (auto error = verify(kernel)) return error;
    for (const Value& value : program_.values)
      if (value.updated_input) check_updated(value);
    sequence(program_.body);
    if (!error_) reads();
    return error_;
  }

 private:
  void require(bool holds, std::string_view label, const std::string& text) {
    if (!holds && !error_) error_ = fmt::format("{} ({})", text, label);
  }
  const std::string& name(ValueId value) const { return program_.values[value].name; }

  /// An updated value is an output of the type of a parameter.
  void check_updated(const Value& value) {
    const bool fits = std::ranges::any_of(program_.values, [&](const Value& input) {
      return input.place == Value::Place::input && input.index == value.updated_input &&
             input.element == value.element && input.shape == value.shape;
    });
    require(fits && value.place == Value::Place::output, "V3",
            fmt::format("{} updates no parameter of its type", value.name));
  }

  void sequence(const Sequence& sequence) {
    for (std::size_t i = 0; i < sequence.size(); ++i) {
      require(i + 1 == sequence.size() || !std::holds_alternative<Jump>(sequence[i].node), "C3",
              "a statement follows a jump");
      std::visit([this](const auto& node) { check(node); }, sequence[i].node);
    }
  }

  void check(const Launch& launch) {
    const Kernel& kernel = program_.kernels[launch.kernel];
    const auto is_argument = [](const Buffer& buffer) { return buffer.space == Buffer::Space::argument; };
    const auto arguments = static_cast<std::size_t>(std::ranges::count_if(kernel.buffers, is_argument));
    require(arguments == launch.values.size(), "L1",
            fmt::format("launch of @{}: {} values", kernel.name, launch.values.size()));
    for (std::size_t i = 0; !error_ && i < arguments; ++i) {
      const Buffer& buffer = kernel.buffers[i];
      const Value& value = program_.values[launch.values[i]];
      const bool fixed = value.place == Value::Place::input || value.place == Value::Place::literal;
      require(buffer.element == value.element && buffer.shape == value.shape && !(buffer.written && fixed),
              "L1", fmt::format("launch of @{}: {} as {}", kernel.name, value.name, buffer.name));
      require(!buffer.updated || std::ranges::count(launch.values, launch.values[i]) == 1, "L2",
              fmt::format("launch of @{}: {} is updated and passed twice", kernel.name, value.name));
    }
  }

  void check(const Swap& swap) {
    const Value &a = program_.values[swap.first], &b = program_.values[swap.second];
    require(swap.first != swap.second && a.place == Value::Place::arena && b.place == Value::Place::arena &&
                a.element == b.element && a.shape == b.shape,
            "V2", fmt::format("swap of {} and {}", a.name, b.name));
  }

  void check(const Branch& branch) {
    const Value& condition = program_.values[branch.condition];
    require(condition.element == ElementType::boolean && condition.shape.empty(), "C1",
            fmt::format("the condition {} is no bool of rank 0", condition.name));
    sequence(branch.then);
    sequence(branch.otherwise);
  }

  void check(const Scope& scope) {
    require(names_.insert(scope.name).second, "C2", fmt::format("two scopes are called '{}'", scope.name));
    require(!scope.is_fused || fused_ == 0, "C4", fmt::format("'{}' is fused in a fused scope", scope.name));
    around_.push_back(scope.name);
    const std::size_t before = fused_;
    if (scope.is_fused) fused_ = around_.size();
    sequence(scope.body);
    fused_ = before;
    around_.pop_back();
  }

  void check(const Jump& jump) {
    const auto target = std::ranges::find(around_, jump.scope);
    require(target != around_.end(), "C3", fmt::format("no scope '{}' is around a jump to it", jump.scope));
    require(static_cast<std::size_t>(target - around_.begin()) + 1 >= fused_, "C4",
            fmt::format("a jump to '{}' leaves a fused scope", jump.scope));
  }

  void reads() {
    const std::vector<bool> live = lifetimes(program_).live_on_entry;
    for (ValueId value = 0; value < live.size(); ++value) {
      const Value::Place place = program_.values[value].place;
      const bool is_given = place == Value::Place::input || place == Value::Place::literal ||
                            program_.values[value].updated_input.has_value();
      require(!live[value] || is_given, "V1", fmt::format("{} is read before it is written", name(value)));
    }
  }

  const Program& program_;
  std::set<std::string> names_;      ///< of scopes
  std::vector<std::string> around_;  ///< the scopes around the statement
  std::size_t fused_ = 0;            ///< the number of those up to the fused one; 0 if there is none
  std::optional<std::string> error_;
};

}  // namespace

std::optional<std::string> verify(const Program& program) { return ProgramVerifier(program).run(); }

}  // namespace codegen::kernel
