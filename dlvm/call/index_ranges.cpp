// Finds the range of integers that an argument may hold by following it to where it is used as an index.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "dlvm/call/random_inputs.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/ir/unify_lists.h"

namespace dlvm {
namespace {

constexpr int call_depth_limit = 16;

/// Returns the number that a loop compares its counter with at its head; nothing for other values.
std::optional<Extent> steps_of(const Value& value) {
  if (as_argument(&value) == nullptr) return std::nullopt;
  for (const Instruction* user : value.users()) {
    if (user->opcode() != Opcode::lessThan || user->operand(0) != &value) continue;
    if (const auto extent = as<ExtentValue>(user->operand(1))) return extent.extent();
    const Literal* literal = as_literal(user->operand(1));
    if (literal != nullptr && literal->is_splat()) return Extent(literal->data().integer(0));
  }
  return std::nullopt;
}

/// Returns how many numbers from 0 on a value goes through, which is the position along an axis or the step
/// of a loop; nothing for other values.
std::optional<Extent> count_of(const Value* value) {
  while (true) {
    if (const auto iota = as<Iota>(value)) return iota.shape()[iota.axis()];
    const Instruction* instruction = as_instruction(value);
    if (instruction == nullptr) return steps_of(*value);
    if (!instruction->is(Trait::view) && instruction->opcode() != Opcode::dataTypeCast) return std::nullopt;
    value = instruction->operand(0);
  }
}

/// The ranges of arguments that have been followed, at so many calls from the first function.
using Followed = std::map<std::tuple<const Function*, std::size_t, int>, std::vector<IndexRange>>;

/// Follows one argument of one function.
class Follower {
 public:
  Follower(const Function& function, int depth, Followed& followed)
      : function_(function), depth_(depth), followed_(followed) {}

  std::vector<IndexRange> follow(std::size_t argument) {
    visit(*function_.entry().arguments()[argument], 0);
    return std::move(ranges_);
  }

 private:
  /// `value` is the argument's elements plus `shift`, moved about.
  void visit(const Value& value, std::int64_t shift) {
    if (!seen_.insert({&value, shift}).second) return;
    for (const Instruction* user : value.users())
      for (std::size_t k = 0; k < user->operands().size(); ++k)
        if (user->operand(k) == &value) use(*user, k, shift);
  }

  void use(const Instruction& user, std::size_t k, std::int64_t shift) {
    if (const auto check = as<CheckIndex>(user)) return demand(check.first(), check.end(), shift);
    if (const auto apply = as<Apply>(user)) return call(apply, k, shift);
    if (const auto gather = as<Gather>(user); gather && k > 0) return index(gather, k - 1, shift);
    if (user.is(Trait::terminator)) return pass(user, k, shift);
    if (user.opcode() == Opcode::literal) return component(user, {k}, shift);
    if (const auto scatter = as<Scatter>(user); scatter && k > 1) return index(scatter, k - 2, shift);
    if (user.is(Trait::comparison) && user.operands().size() == 2)
      return compared(count_of(user.operand(1 - k)), shift);
    const Opcode opcode = user.opcode();
    if (opcode == Opcode::add || (opcode == Opcode::subtract && k == 0))
      return shifted(user, k, shift, opcode == Opcode::add ? 1 : -1);
    const bool shows = user.is(Trait::view) || opcode == Opcode::detach || opcode == Opcode::gather ||
                       opcode == Opcode::scatter || (opcode == Opcode::select && k < 2) ||
                       (opcode == Opcode::dataTypeCast && is_integer(user.type().element()));
    if (shows) visit(user, shift);
  }

  /// To where the component at the end of the path, the innermost position first, is taken out of a tuple or
  /// a struct.
  void component(const Value& whole, const std::vector<std::size_t>& path, std::int64_t shift) {
    for (const Instruction* user : whole.users()) {
      std::vector<std::size_t> way = path;
      if (const auto extract = as<Extract>(user); extract && extract.position() == way.back()) {
        way.pop_back();
        if (way.empty())
          visit(*user, shift);
        else
          component(*user, way, shift);
      }
      for (std::size_t k = 0; user->opcode() == Opcode::literal && k < user->operands().size(); ++k)
        if (user->operand(k) == &whole) {
          way.push_back(k);
          component(*user, way, shift);
          way.pop_back();
        }
    }
  }

  /// To an argument of a block, which is followed once: round a loop it may be shifted again and again.
  void pass(const Instruction& user, std::size_t k, std::int64_t shift) {
    for (std::size_t i = 0; i < user.successors().size(); ++i) {
      const std::size_t first = user.first_passed(i);
      if (k < first || k >= first + user.passed(i).size()) continue;
      const Value& argument = *user.successors()[i].block->arguments()[k - first];
      if (passed_.insert(&argument).second) visit(argument, shift);
    }
  }

  template <typename Access>
  void index(const Access& access, std::size_t position, std::int64_t shift) {
    const Shape& into = access.input()->type().shape();
    demand(0, into[static_cast<std::size_t>(access.axes()[position])], shift);
  }

  void compared(const std::optional<Extent>& count, std::int64_t shift) {
    if (count) add({Extent(0) - Extent(shift), *count + Extent(1) - Extent(shift), false});
  }

  void demand(const Extent& first, const Extent& end, std::int64_t shift) {
    add({first - Extent(shift), end - Extent(shift)});
  }

  void add(const IndexRange& range) {
    const auto is_same = [&](const IndexRange& other) {
      return other.first == range.first && other.end == range.end && other.demanded == range.demanded;
    };
    if (std::ranges::none_of(ranges_, is_same)) ranges_.push_back(range);
  }

  void shifted(const Instruction& user, std::size_t k, std::int64_t shift, std::int64_t sign) {
    const Literal* literal = as_literal(user.operand(1 - k));
    if (literal == nullptr || !literal->is_splat()) return;
    const std::int64_t by = literal->data().integer(0);
    if (by > -(1 << 30) && by < 1 << 30) visit(user, shift + sign * by);
  }

  void call(const Apply& call, std::size_t k, std::int64_t shift) {
    const Function& callee = *call.callee();
    if (!callee.has_body() || depth_ >= call_depth_limit) return;
    Extent::Substitution substitution;
    unify_lists(callee.type().parameters(), call.arguments(), substitution);
    // Each argument is followed once at each depth: a function that calls itself twice has many ways to it.
    const auto [known, is_new] = followed_.try_emplace({&callee, k, depth_ + 1});
    if (is_new) known->second = Follower(callee, depth_ + 1, followed_).follow(k);
    for (const IndexRange& range : known->second)
      add({range.first.substitute(substitution) - Extent(shift),
           range.end.substitute(substitution) - Extent(shift), range.demanded});
  }

  const Function& function_;
  int depth_;
  Followed& followed_;
  std::set<std::pair<const Value*, std::int64_t>> seen_;
  std::set<const Value*> passed_;
  std::vector<IndexRange> ranges_;
};

}  // namespace

std::vector<std::vector<IndexRange>> index_ranges(const Function& function) {
  const auto& types = function.type().parameters();
  std::vector<std::vector<IndexRange>> all(types.size());
  if (!function.has_body()) return all;
  Followed followed;
  for (std::size_t i = 0; i < types.size(); ++i)
    if (types[i].is_tensor() && is_integer(types[i].element()))
      all[i] = Follower(function, 0, followed).follow(i);
  return all;
}

}  // namespace dlvm
