#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "dlvm/analysis/control_flow.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {

/// The way in which a derivative depends on an operand of an instruction. A path through several instructions
/// has the largest of their kinds.
enum class Edge : std::uint8_t {
  smooth,    ///< there is a derivative
  unknown,   ///< there may be one, and no rule gives it
  step,      ///< piecewise constant: the derivative is zero wherever there is one
  detached,  ///< declared to have none
};

/// A set of edges' kinds: which kinds of path there are.
using Paths = std::uint8_t;
inline constexpr Edge every_edge[]{Edge::smooth, Edge::unknown, Edge::step, Edge::detached};
constexpr Paths paths_of(Edge edge) { return static_cast<Paths>(1U << static_cast<unsigned>(edge)); }
constexpr bool has(Paths paths, Edge edge) { return (paths & paths_of(edge)) != 0; }
/// The paths through `edge` and then one of `rest`.
constexpr Paths through(Edge edge, Paths rest) {
  const auto lower = static_cast<Paths>(paths_of(edge) - 1U);
  const auto kept = static_cast<Paths>(rest & static_cast<Paths>(~lower));
  return (rest & lower) != 0 ? static_cast<Paths>(kept | paths_of(edge)) : kept;
}

/// Finds how results of functions depend on their parameters, by leaves (dlvm/analysis/leaves.h). Functions
/// may call others and themselves, and have blocks and loops. What decides where control goes is a step on
/// the way to every result. Answers are cached, so a function that was asked about must not change.
///
/// Integers that are made of the bits of floats (`bitCast`) are no steps: whoever makes floats of them again
/// may have changed nothing. A path through them is unknown.
///
/// A function that has a derivative of its own is not looked into: each of its floating results depends on
/// each of its floating arguments.
///
/// Values that are loaded from memory count as independent. The caller makes sure that the memory belongs to
/// the function's own caller and holds what it held before (`leads_to_constants` in parameter_memory.h).
///
/// A stack has the leaves of the values on it, which must have one type (`stack_record`); what is pushed to
/// any other stack has an unknown path to every result.
class Dependence {
 public:
  /// The edge between an operand and the result of an instruction other than a call or of tuples.
  using EdgeRule = Edge (*)(const Instruction&, std::size_t operand);
  explicit Dependence(EdgeRule edge) : edge_(edge) {}

  /// Returns the paths from each parameter's leaves to a leaf of the result.
  const std::vector<Paths>& of_result(const Function& function, std::size_t result_leaf);

  /// Says for each leaf of a value whether it is on some path. Values without such a leaf are absent.
  using Leaves = std::unordered_map<const Value*, std::vector<bool>>;
  /// Adds the leaves to which a path without steps, known or not, leads from one that is in `from`.
  void add_reached(Leaves& from, const ControlFlow& body);
  /// Does so for one instruction; returns whether that added any.
  bool add_reached(Leaves& from, const Instruction& instruction);
  /// Adds the leaves from which a path without steps, known or not, leads to one that is in `to`.
  void add_reaching(Leaves& to, const ControlFlow& body);

  /// The instructions on a path of that kind, in order from the parameter; those inside callees follow the
  /// call. At most `limit`.
  struct Step {
    const Function* function;
    const Instruction* instruction;
    Edge edge;
  };
  std::vector<Step> explain(const Function& function, std::size_t parameter_leaf, std::size_t result_leaf,
                            Edge kind, std::size_t limit = 64);

 private:
  using Key = std::pair<const Function*, std::size_t>;
  struct Entry {
    /// `fresh`: its callees have no entries yet. `open`: to be solved when its callees are.
    enum class State : std::uint8_t { fresh, open, solved };
    State state = State::fresh;
    std::vector<Paths> paths;
    std::set<Key> dependents;
  };
  using Reaching = std::unordered_map<const Value*, std::vector<Paths>>;

  Entry& entry(const Key& key);
  void solve();
  void open_callees(const Key& key);
  std::vector<Paths> solved(const Key& key);
  Reaching backwards(const Key& key);
  void follow_backwards(Reaching& reaching, const ControlFlow& body, bool solving);
  /// The paths through a function that is not looked into; `floating` says how floats depend on floats.
  static std::vector<Paths> opaque(const Function& function, std::size_t result_leaf, Edge floating);
  /// A use of a leaf on which a leaf of another value depends. Where that depends on it only through where
  /// control goes, or through a stack that is not analysed, `to` is null: it may be any result.
  struct Link {
    const Value* from;
    std::size_t from_leaf;
    const Value* to;
    std::size_t to_leaf;
    Paths by;
  };
  /// Calls `use` with the links that `instruction` makes to the leaves in `wanted` of its result, and with
  /// all that it makes to arguments of blocks and stacks. During the solution, the paths through callees are
  /// those found so far.
  using Use = std::function<void(const Link&)>;
  void links(const Instruction& instruction, bool solving, const std::vector<bool>& wanted, const Use& use);
  static void tuple_links(const Instruction& instruction, const std::vector<bool>& wanted, const Use& use);
  static void stack_links(const Instruction& instruction, const Use& use);
  void call_links(const Apply& call, bool solving, const std::vector<bool>& wanted, const Use& use);
  static void control_links(const Instruction& instruction, const Use& use);
  class Explanation;
  /// Whether the value is an integer that is made of the bits of floats, in the function of `user`.
  bool carries_bits(const Value& value, const Instruction& user);
  bool explain_into(std::vector<Step>& out, const Function& function, std::size_t parameter_leaf,
                    std::size_t result_leaf, Edge kind, std::size_t limit);

  EdgeRule edge_;
  std::map<Key, Entry> entries_;
  std::unordered_map<const Function*, std::unordered_set<const Value*>> bits_;
  std::vector<Key> pending_;  ///< each above what waits for it
  std::set<std::tuple<const Function*, std::size_t, std::size_t, Edge>> explaining_;
};

}  // namespace dlvm
