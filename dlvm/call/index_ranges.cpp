// What range of integers an argument may hold, found by following it to where it is used as an index.
#include <set>

#include "dlvm/call/random_inputs.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

constexpr int call_depth_limit = 16;

/// Follows one argument of one function.
class Follower {
 public:
  Follower(const Function& function, int depth) : function_(function), depth_(depth) {}

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
    switch (user.opcode()) {
      case Opcode::checkIndex:
        return demand(CheckIndex(user).first(), CheckIndex(user).end(), shift);
      case Opcode::gather:
        return k > 0 ? index(user, user.operand(0)->type(), k - 1, shift) : visit(user, shift);
      case Opcode::scatter:
        return k > 1 ? index(user, user.operand(1)->type(), k - 2, shift) : visit(user, shift);
      case Opcode::add:
        return shifted(user, k, shift, 1);
      case Opcode::subtract:
        return k == 0 ? shifted(user, k, shift, -1) : void();
      case Opcode::select:
        return k < 2 ? visit(user, shift) : void();
      case Opcode::dataTypeCast:
        return is_integer(user.type().element()) ? visit(user, shift) : void();
      case Opcode::apply:
        return call(user, k, shift);
      default:
        if (user.is(Trait::view) || user.opcode() == Opcode::detach) visit(user, shift);
    }
  }

  void index(const Instruction& user, const Type& into, std::size_t position, std::int64_t shift) {
    demand(0, into.shape()[static_cast<std::size_t>(user.axes()[position])], shift);
  }

  void demand(const Extent& first, const Extent& end, std::int64_t shift) {
    ranges_.push_back({first - Extent(shift), end - Extent(shift)});
  }

  void shifted(const Instruction& user, std::size_t k, std::int64_t shift, std::int64_t sign) {
    const Literal* literal = as_literal(user.operand(1 - k));
    if (literal == nullptr || !literal->is_splat()) return;
    const std::int64_t by = literal->data().integer(0);
    if (by > -(1 << 30) && by < 1 << 30) visit(user, shift + sign * by);
  }

  void call(const Instruction& user, std::size_t k, std::int64_t shift) {
    const Function& callee = *Apply(user).callee();
    if (!callee.has_body() || depth_ >= call_depth_limit) return;
    Extent::Substitution substitution;
    for (std::size_t i = 0; i < user.operands().size(); ++i)
      unify(callee.type().parameters()[i], user.operand(i)->type(), substitution);
    for (const IndexRange& range : Follower(callee, depth_ + 1).follow(k))
      demand(range.first.substitute(substitution), range.end.substitute(substitution), shift);
  }

  const Function& function_;
  int depth_;
  std::set<std::pair<const Value*, std::int64_t>> seen_;
  std::vector<IndexRange> ranges_;
};

}  // namespace

std::vector<std::vector<IndexRange>> index_ranges(const Function& function) {
  const auto& types = function.type().parameters();
  std::vector<std::vector<IndexRange>> all(types.size());
  if (!function.has_body()) return all;
  for (std::size_t i = 0; i < types.size(); ++i)
    if (types[i].is_tensor() && is_integer(types[i].element())) all[i] = Follower(function, 0).follow(i);
  return all;
}

}  // namespace dlvm
