#include "codegen/schedule/cpu/cores.h"

#include <algorithm>
#include <map>

#include "codegen/schedule/common/statements.h"
#include "codegen/schedule/ir/walk.h"
#include "codegen/schedule/transform/rename.h"
#include "dlvm/support/overloaded.h"

namespace codegen::schedule::cpu {
namespace {

// ------------------------------------------------------------------------------------------- estimates

Extent trips(const Loop& loop) {
  return Extent::floor_divide(loop.extent + Extent(loop.step - 1), loop.step);
}

/// Vectors of 16 numbers, of which a core computes two in a cycle.
constexpr std::int64_t numbers_of_instruction = 16;

Extent vectors(const Extent& numbers) {
  return Extent::floor_divide(numbers, numbers_of_instruction) + Extent(1);
}

std::int64_t instructions(const Scalar& scalar) {
  const auto* operation = std::get_if<Scalar::Operation>(&scalar.definition);
  if (operation == nullptr) return 1;
  return dlvm::definition(operation->opcode).is(dlvm::Trait::costly) ? 16 : 1;
}

/// Returns whether the loop is over the iterations of a range of `ranges`.
bool is_over_range(const Loop& loop, const Loop& ranges) {
  std::set<LoopId> loops;
  std::set<ValueId> values;
  collect(loop.bounds, loops, values);
  return loops.contains(*ranges.range_end);
}

/// Returns the instructions that each iteration of `ranges` adds to its body: those of the loops over the
/// iterations of a range. What the body does besides is done once for each range.
Extent range_estimate(const Body& body, const Loop& ranges) {
  Extent count = 0;
  for (const Statement& statement : body)
    if (const auto* loop = std::get_if<Loop>(&statement.node))
      count = count + (is_over_range(*loop, ranges)
                           ? Extent::floor_divide(estimated_instructions(loop->body) * Extent(ranges.step),
                                                  loop->step)
                           : trips(*loop) * range_estimate(loop->body, ranges));
  return count;
}

/// Returns the instructions of the body that are none of the loops over the iterations of a range.
Extent estimate_once(const Body& body, const Loop& ranges) {
  Extent count = 0;
  for (const Statement& statement : body) {
    const auto* loop = std::get_if<Loop>(&statement.node);
    if (loop != nullptr && is_over_range(*loop, ranges)) continue;
    bool has_range = false;
    walk<Loop>(std::span(&statement, 1), [&](const Loop& each) { has_range |= is_over_range(each, ranges); });
    count = count + (has_range ? trips(*loop) * estimate_once(loop->body, ranges)
                               : estimated_instructions({&statement, 1}));
  }
  return count;
}

/// Returns the instructions of an iteration.
Extent iteration_estimate(const Loop& loop) {
  return (loop.range_end ? range_estimate(loop.body, loop) : estimated_instructions(loop.body)) + Extent(1);
}

Extent estimate(const Loop& loop) {
  if (loop.kind == LoopKind::core) return trips(loop) * iteration_estimate(loop);
  const Extent inside = estimated_instructions(loop.body);
  if (loop.kind != LoopKind::vector) return trips(loop) * (inside + Extent(1));
  return inside *
         Extent::floor_divide(loop.extent + Extent(numbers_of_instruction - 1), numbers_of_instruction);
}
Extent estimate(const Let& let) { return instructions(let.scalar); }
Extent estimate(const Fill& fill) { return vectors(dlvm::unit_count(fill.to.sizes)); }
Extent estimate(const Copy& copy) { return vectors(dlvm::unit_count(copy.to.sizes)) * Extent(4); }
Extent estimate(const MultiplyAccumulate& product) {
  Extent terms = 1;
  const auto& sizes = product.left.sizes;
  for (std::size_t i = 0; i + 1 < sizes.size(); ++i) terms = terms * sizes[i];
  return vectors(dlvm::unit_count(product.to.sizes) * terms);
}
Extent estimate(const Sort& sort) { return dlvm::unit_count(sort.keys.sizes) * Extent(64); }
Extent estimate(const auto&) { return 1; }

/// Whether the loop runs its body once or not at all.
bool is_condition(const Loop& loop) {
  return loop.kind == LoopKind::serial && loop.extent.is(1) && !loop.bounds.empty();
}

/// Whether the condition depends on a value. Only sums compute anew under such a condition, if a term of
/// theirs is not a number, which is rare.
bool is_rare(const Loop& condition) {
  std::set<LoopId> loops;
  std::set<ValueId> values;
  collect(condition.bounds, loops, values);
  return !values.empty();
}

// ---------------------------------------------------------------------------------------------- choice

template <typename Node>
bool has(const Body& body) {
  bool found = false;
  walk<Node>(body, [&](const Node&) { found = true; });
  return found;
}

/// Makes the core loops among the statements, and in them, serial.
void serialize(std::span<Statement> statements) {
  for (Statement& statement : statements) {
    if (auto* loop = std::get_if<Loop>(&statement.node); loop != nullptr && loop->kind == LoopKind::core) {
      loop->kind = LoopKind::serial;
    }
    if (Body* nested = body_of(statement)) serialize(*nested);
  }
}

class Distribution {
 public:
  explicit Distribution(CpuLowering& lowering) : lowering_(lowering) {}

  void run(Body& body) {
    Body before;  // the values that are computed outside of loops
    for (Statement& statement : body) {
      if (Body* nested = body_of(statement)) replace_loops(*nested, has_one_iteration);
      if (std::holds_alternative<Let>(statement.node)) before.push_back(statement);
      auto* loop = std::get_if<Loop>(&statement.node);
      if (loop == nullptr || loop->kind != LoopKind::core || !pays(*loop) || !take_values(*loop, before)) {
        serialize({&statement, 1});
        continue;
      }
      join(*loop);
      estimate_work(*loop);
    }
    replace_loops(body, has_one_range);
    remove_unused(body);
  }

 private:
  static bool pays(const Loop& loop) {
    const auto all = estimate(loop).constant();
    return !all || *all >= 2 * instructions_of_core;
  }

  /// Lets the last loop in the body run on several cores with the loop itself, if what stands before it is
  /// cheap beside it and can be done by each of them; makes all others in the body serial.
  void join(Loop& loop) {
    if (loop.body.empty()) return;
    Statement& last = loop.body.back();
    const std::span<Statement> before(loop.body.data(), loop.body.size() - 1);
    serialize(before);
    auto* inner = std::get_if<Loop>(&last.node);
    const bool divides = inner != nullptr && inner->kind == LoopKind::core && !is_indivisible(*inner) &&
                         is_repeatable(before, *inner);
    if (!divides) return serialize({&last, 1});
    join(*inner);
  }

  /// Whether the loop has too little work to divide it, so that the known number of its iterations is worth
  /// more to a core.
  static bool is_indivisible(const Loop& loop) {
    const auto all = estimate(loop).constant();
    return all && *all < instructions_of_core / 8;
  }

  bool is_repeatable(std::span<Statement> statements, const Loop& inner) const {
    Body before(statements.begin(), statements.end());
    if (has<Loop>(before) && (has<MultiplyAccumulate>(before) || !has<MultiplyAccumulate>(inner.body)))
      return false;
    bool writes_argument = false;
    visit_buffer_accesses(before, [&](const BufferAccess& access) {
      writes_argument = writes_argument || (access.written && access.buffer < lowering_.schedule.arguments);
    });
    return !writes_argument;
  }

  /// Copies what the loop uses of the values that are computed before it into the loop. Returns false if it
  /// uses registers from outside of it.
  bool take_values(Loop& loop, const Body& before) {
    std::set<BufferId> own;
    walk<Allocate>(loop.body, [&](const Allocate& allocate) { own.insert(allocate.buffer); });
    bool uses_registers = false;
    const auto visit = [&](const BufferAccess& access) {
      const bool is_register = lowering_.schedule.buffers[access.buffer].space == Space::registers;
      uses_registers = uses_registers || (is_register && !own.contains(access.buffer));
    };
    Body copies = before;
    visit_buffer_accesses(loop.body, visit);
    visit_buffer_accesses(copies, visit);
    if (uses_registers) return false;
    if (copies.empty()) return true;
    Renaming renaming;
    for (Statement& statement : copies) {
      rename(statement, renaming);
      auto& let = std::get<Let>(statement.node);
      renaming.values[let.id] = lowering_.next_value;
      let.id = lowering_.next_value++;
    }
    walk<Statement>(loop.body, [&](Statement& statement) { rename(statement, renaming); });
    append(copies, std::move(loop.body));
    loop.body = std::move(copies);
    return true;
  }

  static void estimate_work(Loop& loop) {
    Loop* innermost = &loop;
    while (inner_core_loop(*innermost) != nullptr) innermost = &std::get<Loop>(innermost->body.back().node);
    innermost->work = iteration_estimate(*innermost);
  }

  /// Removes values that only core loops used, which have them now.
  static void remove_unused(Body& body) {
    std::set<LoopId> loops;
    std::set<ValueId> used;
    for (std::size_t i = body.size(); i-- > 0;) {
      const auto* let = std::get_if<Let>(&body[i].node);
      const bool is_check = let != nullptr && std::holds_alternative<Scalar::Check>(let->scalar.definition);
      if (let != nullptr && !is_check && !used.contains(let->id)) {
        body.erase(body.begin() + static_cast<std::ptrdiff_t>(i));
        continue;
      }
      walk<Statement>(std::span(&body[i], 1), [&](const Statement& statement) {
        visit_uses(statement, dlvm::Overloaded{[&](const Index& index) { collect(index, loops, used); },
                                               [&](ValueId value) { used.insert(value); }});
      });
    }
  }

  /// Whether a core loop is a part of the body of the one around it.
  static bool has_one_iteration(const Loop& loop) {
    const auto extent = loop.extent.constant();
    return loop.kind == LoopKind::core && !loop.range_end && extent && *extent > 0 && *extent <= loop.step;
  }
  /// Whether the loop has just one range, of all iterations.
  static bool has_one_range(const Loop& loop) { return loop.range_end && loop.kind != LoopKind::core; }

  /// Puts the bodies in place of those loops, each of which runs its body once.
  static void replace_loops(Body& body, bool (*runs_once)(const Loop&)) {
    Renaming renaming;
    rewrite(body, [&](Statement statement, Body& result) {
      auto* loop = std::get_if<Loop>(&statement.node);
      if (loop == nullptr || !runs_once(*loop)) {
        result.push_back(std::move(statement));
        return;
      }
      renaming.axes[loop->id] = constant_index(0);
      if (loop->range_end) renaming.axes[*loop->range_end] = constant_index(loop->extent);
      append(result, std::move(loop->body));
    });
    if (!renaming.axes.empty())
      walk<Statement>(body, [&](Statement& statement) { rename(statement, renaming); });
  }

  CpuLowering& lowering_;
};

}  // namespace

Extent estimated_instructions(std::span<const Statement> body) {
  Extent count = 0;
  bool follows_condition = false;
  for (const Statement& statement : body) {
    const auto* loop = std::get_if<Loop>(&statement.node);
    const bool is_conditional = loop != nullptr && is_condition(*loop);
    // Conditions that follow each other exclude each other, and the first one is that of whole tiles.
    if (!is_conditional)
      count = count + std::visit([](const auto& node) { return estimate(node); }, statement.node);
    else if (!follows_condition && !is_rare(*loop))
      count = count + estimate(*loop);
    follows_condition = is_conditional && !is_rare(*loop);
  }
  return count;
}

Extent repeated_instructions(const Loop& loop) {
  if (loop.range_end) return estimate_once(loop.body, loop);
  if (inner_core_loop(loop) == nullptr) return 0;
  return estimated_instructions(std::span(loop.body).first(loop.body.size() - 1));
}

std::int64_t iterations_of_step(const Loop& loop) {
  std::int64_t most = 1;
  if (loop.range_end)
    walk<Loop>(loop.body, [&](const Loop& inside) {
      if (is_over_range(inside, loop)) most = std::max(most, inside.step / loop.step);
    });
  return most;
}

void distribute_over_cores(CpuLowering& lowering) {
  for (Variant& variant : lowering.schedule.variants) Distribution(lowering).run(variant.body);
}

}  // namespace codegen::schedule::cpu
