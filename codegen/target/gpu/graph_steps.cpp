#include "codegen/target/gpu/graph_steps.h"

#include <algorithm>
#include <set>

#include "codegen/target/gpu/shortest_exits.h"
#include "codegen/target/gpu/ways.h"

namespace codegen::target::gpu {
namespace {

using kernel::Branch;
using kernel::Jump;
using kernel::Launch;
using kernel::Scope;
using kernel::Sequence;
using kernel::Statement;
using kernel::Swap;

/// Returns the jump at the end of a side from which control goes nowhere else, or null.
const Jump* only_jump(const Sequence& side) {
  const auto* jump = side.empty() ? nullptr : std::get_if<Jump>(&side.back().node);
  if (jump == nullptr || ways(Statements(side).first(side.size() - 1)).leaves()) return nullptr;
  return jump;
}

bool is_straight(Statements statements) {
  return std::ranges::all_of(statements, [](const Statement& statement) {
    const auto* scope = std::get_if<Scope>(&statement.node);
    return std::holds_alternative<Launch>(statement.node) || std::holds_alternative<Swap>(statement.node) ||
           (scope != nullptr && scope->is_fused);
  });
}

/// A loop that is left at the end of its body and nowhere else.
struct PlainLoop {
  const Scope* scope;
  Statements before;       ///< run before the condition, in every iteration
  const Branch* branch;    ///< the condition
  bool repeats_when_true;  ///< the side of the branch that begins the next iteration, whatever happens in it
  const Sequence& repeated;  ///< that side
  const Sequence& exit;      ///< the other side
};

std::optional<PlainLoop> plain_loop(const Scope& loop) {
  const Statements body(loop.body);
  const auto* branch = body.empty() ? nullptr : std::get_if<Branch>(&body.back().node);
  if (branch == nullptr || !is_straight(body.first(body.size() - 1))) return std::nullopt;
  for (const bool value : {true, false}) {
    const Sequence &side = value ? branch->then : branch->otherwise,
                   &exit = value ? branch->otherwise : branch->then;
    const Ways to = ways(side);
    if (!to.falls_through && to.scopes == std::set{loop.name} && !ways(exit).scopes.contains(loop.name))
      return PlainLoop{&loop, body.first(body.size() - 1), branch, value, side, exit};
  }
  return std::nullopt;
}

/// Makes the steps. A graph has no jumps: what a jump skips is in bodies that do not run then.
///  - Where one side of a branch jumps and the other does not, what follows the branch is in the body of the
///    other side.
///  - Elsewhere, what follows a statement that may jump past it is in the body of a *guard*, an IF node whose
///    handle is 1 until a jump sets it to 0.
///  - The handle of a loop is 1 until a jump that leaves the loop sets it to 0.
class Builder {
 public:
  explicit Builder(const kernel::Program& program) : exits_(shortest_exits(program)) {
    emit(program.body, nullptr);
  }
  GraphProgram result;

 private:
  /// Statements that follow others, and what follows these.
  struct Rest {
    Statements statements;
    const Rest* next;
    bool empty() const { return statements.empty() && (next == nullptr || next->empty()); }
  };
  /// A scope around the statement at hand, or a guard, which has no name.
  struct Around {
    std::string name;
    std::optional<std::uint32_t> handle;
  };

  void emit(Statements statements, const Rest* rest) {
    for (; !statements.empty(); statements = statements.subspan(1)) {
      const Rest remaining{statements.subspan(1), rest};
      const Statement& statement = statements.front();
      const Ways to = ways(statement);
      if (const auto* launch = std::get_if<Launch>(&statement.node)) {
        add(RunLaunch{launch});
      } else if (const auto* swap = std::get_if<Swap>(&statement.node)) {
        add(Exchange{swap->first, swap->second});
      } else if (const auto* jump = std::get_if<Jump>(&statement.node)) {
        for (const std::uint32_t handle : cleared_by(*jump)) set(handle, false, false);
      } else if (const auto* scope = std::get_if<Scope>(&statement.node); scope && scope->is_fused) {
        add(RunFused{scope});
      } else if (const auto loop = scope ? plain_loop(*scope) : std::nullopt) {
        emit(*loop);
        return emit(loop->exit, &remaining);
      } else if (const auto* branch = std::get_if<Branch>(&statement.node);
                 branch && to.leaves() && !remaining.empty() && takes_rest(*branch)) {
        return emit(*branch, &remaining);
      } else if (to.leaves() && to.falls_through && !remaining.empty()) {
        return emit_guarded(statement, remaining);
      } else {
        emit(statement);
      }
      if (!to.falls_through) return;
    }
    if (rest != nullptr) emit(rest->statements, rest->next);
  }

  void emit(const Statement& statement) {
    if (const auto* branch = std::get_if<Branch>(&statement.node)) return emit(*branch, nullptr);
    const auto& scope = std::get<Scope>(statement.node);
    if (scope.kind == Scope::Kind::loop) return emit_loop(scope);
    around_.push_back({scope.name, {}});
    emit(scope.body, nullptr);
    around_.pop_back();
  }

  /// Whether what follows the branch is reached from one side alone.
  static bool takes_rest(const Branch& branch) {
    return ways(branch.then).falls_through != ways(branch.otherwise).falls_through;
  }

  void emit_guarded(const Statement& statement, const Rest& rest) {
    const std::uint32_t guard = new_handle();
    set(guard, true, true);
    around_.push_back({"", guard});
    emit(statement);
    around_.pop_back();
    add(Open{false, guard});
    emit(rest.statements, rest.next);
    add(Close{});
  }

  /// `rest` follows the side that does not jump.
  void emit(const Branch& branch, const Rest* rest) {
    const bool shorter = exits_.takes_then.at(&branch);
    const Side then = side_of(branch.then, rest), otherwise = side_of(branch.otherwise, rest);
    std::set<std::uint32_t> cleared = then.cleared;
    cleared.insert(otherwise.cleared.begin(), otherwise.cleared.end());
    for (const std::uint32_t handle : cleared)
      decide(handle, branch, !otherwise.cleared.contains(handle), !then.cleared.contains(handle), shorter);
    if (then.handle) decide(*then.handle, branch, false, true, shorter);
    if (otherwise.handle) decide(*otherwise.handle, branch, true, false, shorter, then.handle);
    emit(then);
    emit(otherwise);
  }

  /// Returns the jump that is all of the rest, or null.
  static const Jump* lone_jump(const Rest* rest) {
    while (rest != nullptr && rest->statements.empty()) rest = rest->next;
    return rest != nullptr ? std::get_if<Jump>(&rest->statements.front().node) : nullptr;
  }

  struct Side {
    Statements statements;
    const Rest* rest;
    std::set<std::uint32_t> cleared;      ///< what its jump sets to 0; the condition's kernel does it
    std::optional<std::uint32_t> handle;  ///< absent if it has no statements
  };
  Side side_of(const Sequence& sequence, const Rest* rest) {
    Side side{sequence, ways(sequence).falls_through ? rest : nullptr, {}, {}};
    if (const Jump* jump = only_jump(sequence)) {
      side.cleared = cleared_by(*jump);
      side.statements = side.statements.first(sequence.size() - 1);
    } else if (const Jump* last = lone_jump(side.rest); last && !ways(sequence).leaves()) {
      side.cleared = cleared_by(*last);
      side.rest = nullptr;
    }
    if (!Rest{side.statements, side.rest}.empty()) side.handle = new_handle();
    return side;
  }
  void emit(const Side& side) {
    if (!side.handle) return;
    add(Open{false, *side.handle});
    emit(side.statements, side.rest);
    add(Close{});
  }

  void emit(const PlainLoop& loop) {
    const std::uint32_t handle = new_handle();
    const auto test = [&] {
      emit(loop.before, nullptr);
      add(Decide{handle, loop.branch->condition, !loop.repeats_when_true, loop.repeats_when_true, false});
    };
    const bool is_tested_last = std::holds_alternative<Jump>(loop.repeated.front().node);
    is_tested_last ? set(handle, true, true) : test();
    add(Open{true, handle});
    around_.push_back({loop.scope->name, {}});
    emit(loop.repeated, nullptr);
    around_.pop_back();
    test();
    add(Close{});
  }

  void emit_loop(const Scope& loop) {
    const std::uint32_t handle = new_handle();
    const bool is_endless = exits_.endless.contains(&loop);
    set(handle, true, true);
    add(Open{true, handle});
    const Sequence leave{{Jump{loop.name + " end"}}};
    const Rest rest{leave, nullptr};
    around_.push_back({loop.name + " end", {}});
    around_.push_back({loop.name, handle});
    emit(loop.body, ways(loop.body).falls_through ? &rest : nullptr);
    around_.resize(around_.size() - 2);
    if (is_endless) set(handle, true, false);
    add(Close{});
  }

  /// Returns the handles of what the jump skips and of the loops that it leaves.
  std::set<std::uint32_t> cleared_by(const Jump& jump) const {
    std::set<std::uint32_t> handles;
    for (auto around = around_.rbegin(); around->name != jump.scope; ++around)
      if (around->handle) handles.insert(*around->handle);
    return handles;
  }

  void set(std::uint32_t handle, bool value, bool after_error) {
    add(Decide{handle, {}, value, value, after_error});
  }
  void decide(std::uint32_t handle, const Branch& branch, bool when_false, bool when_true, bool shorter,
              std::optional<std::uint32_t> opposite_of = {}) {
    add(Decide{handle, branch.condition, when_false, when_true, shorter ? when_true : when_false,
               opposite_of});
  }
  std::uint32_t new_handle() { return result.handle_count++; }
  void add(GraphStep step) { result.steps.push_back(step); }

  ShortestExits exits_;
  std::vector<Around> around_;  ///< the innermost is the last
};

}  // namespace

GraphProgram graph_steps(const kernel::Program& program) { return Builder(program).result; }

}  // namespace codegen::target::gpu
