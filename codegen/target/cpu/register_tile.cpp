#include "codegen/target/cpu/register_tile.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include <llvm/IR/InlineAsm.h>

#include "codegen/emit/loops.h"

namespace codegen::target::cpu {

using dlvm::ElementType;

namespace {

/// Bytes, at most, of the products in the body of a loop over k, and in the terms of a sum that has no loop:
/// 64 and 128 of the longest vectors.
constexpr std::int64_t max_in_loop = 4096, max_without_loop = 8192;
/// A processor without fused multiply-adds takes about four instructions for each of them: it copies an
/// operand, multiplies, adds, and often moves a sum that found no register.
constexpr std::int64_t instructions_without_fma = 4;
/// Terms, at most, in the body of a loop over k.
constexpr std::int64_t max_terms = 8;

}  // namespace

/// Returns the values that the loop from `first` to before `end` carries, after its last iteration.
template <typename Body>
RegisterTile::Sums RegisterTile::loop(llvm::Value* first, llvm::Value* end, std::int64_t by,
                                      const Sums& start, const Body& body) {
  llvm::BasicBlock *before = b_.GetInsertBlock(), *head = e_.block("product"), *step = e_.block("step"),
                   *done = e_.block("done");
  b_.CreateBr(head);
  b_.SetInsertPoint(head);
  llvm::PHINode* k = b_.CreatePHI(b_.getInt64Ty(), 2);
  k->addIncoming(first, before);
  std::vector<llvm::PHINode*> carried;
  for (llvm::Value* sum : start) {
    carried.push_back(b_.CreatePHI(vector(), 2));
    carried.back()->addIncoming(sum, before);
  }
  b_.CreateCondBr(b_.CreateICmpSLT(k, end), step, done);
  b_.SetInsertPoint(step);
  const Sums sums(carried.begin(), carried.end()), next = body(k, sums);
  for (std::size_t i = 0; i < next.size(); ++i) carried[i]->addIncoming(next[i], b_.GetInsertBlock());
  k->addIncoming(b_.CreateAdd(k, e_.i64(by), "", true, true), b_.GetInsertBlock());
  emit::forbid_unrolling(*b_.CreateBr(head));  // it has as many terms as registers are for
  b_.SetInsertPoint(done);
  return sums;
}

RegisterTile::Sums RegisterTile::add(std::size_t axis, const Terms& terms, const Sums& sums) {
  if (axis == p_.axes.size()) return add_innermost(terms, sums);
  const Product::Axis& outer = p_.axes[axis];
  if (const auto count = unrolled_terms(axis, sums.size())) {
    Sums added = sums;
    for (std::int64_t i = 0; i < *count; ++i) {
      llvm::Value* k = e_.i64(i);
      if (i > 0) end_loads();
      added = add(axis + 1,
                  {move(terms.left, k, outer.left), move(terms.right, k, outer.right),
                   b_.CreateAdd(b_.CreateMul(terms.number, outer.extent), k)},
                  added);
    }
    return added;
  }
  return loop(e_.i64(0), outer.extent, 1, sums, [&](llvm::Value* k, const Sums& before) {
    llvm::Value* number = b_.CreateAdd(b_.CreateMul(terms.number, outer.extent), k);
    return add(axis + 1, {move(terms.left, k, outer.left), move(terms.right, k, outer.right), number},
               before);
  });
}

std::optional<std::int64_t> RegisterTile::unrolled_terms(std::size_t axis, std::size_t sums) const {
  const auto constant = [](llvm::Value* value) {
    const auto* known = llvm::dyn_cast<llvm::ConstantInt>(value);
    return known != nullptr ? std::clamp(known->getSExtValue(), std::int64_t{0}, max_without_loop + 1)
                            : max_without_loop + 1;
  };
  std::int64_t terms = constant(p_.count);
  for (std::size_t i = axis; i < p_.axes.size(); ++i)
    terms = std::min(terms * constant(p_.axes[i].extent), max_without_loop + 1);
  if (terms * size_of_term(sums) > max_without_loop) return std::nullopt;
  return constant(p_.axes[axis].extent);
}

llvm::Value* RegisterTile::plus(llvm::Value* x, llvm::Value* y) {
  return p_.type == ElementType::f32 || p_.type == ElementType::f64 ? b_.CreateFAdd(x, y)
                                                                    : b_.CreateAdd(x, y);
}

std::int64_t RegisterTile::size_of_term(std::size_t sums) const {
  const auto bytes = static_cast<std::int64_t>(sums * lanes_.width * dlvm::info(p_.type).bytes);
  return lanes_.features.fma ? bytes : bytes * instructions_without_fma;
}

/// Returns the sums with the terms along the last axis of k. The loop over it has several terms in its
/// body, which hide what the loop itself costs; another loop has those that are left over.
RegisterTile::Sums RegisterTile::add_innermost(const Terms& all, const Sums& sums) {
  const auto terms_from = [&](llvm::Value* k, std::int64_t count, Sums added, bool in_order = false) {
    // From one term to the next, so that constant steps are displacements in the instructions.
    llvm::Value *left = move(all.left, k, p_.left_step), *right = move(all.right, k, p_.right_step);
    for (std::int64_t term = 0; term < count; ++term) {
      if (term > 0) {
        if (in_order) end_loads();
        left = move(left, e_.i64(1), p_.left_step);
        if (in_order && overlaps(sums.size())) left = forget_origin(left);
        right = move(right, e_.i64(1), p_.right_step);
      }
      added = add_term(left, load_line(right), added);
    }
    if (p_.ahead.first != nullptr) fetch_ahead(b_.CreateAdd(b_.CreateMul(all.number, p_.count), k), count);
    return added;
  };
  const auto step = [&](std::int64_t count) {
    return [&terms_from, count](llvm::Value* k, const Sums& before) { return terms_from(k, count, before); };
  };
  const std::int64_t size = size_of_term(sums.size());
  const bool in_order = !p_.axes.empty();
  if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(p_.count);
      known && known->getSExtValue() * size <= max_without_loop && (in_order || !overlaps(sums.size())))
    return terms_from(e_.i64(0), known->getSExtValue(), sums, in_order);
  if (overlaps(sums.size())) return loop(e_.i64(0), p_.count, 1, sums, step(1));
  std::int64_t terms = 1;
  while (2 * terms <= max_terms && 2 * terms * size <= max_in_loop) terms *= 2;
  if (terms == 1) return loop(e_.i64(0), p_.count, 1, sums, step(1));
  llvm::Value* whole = b_.CreateAnd(p_.count, e_.i64(-terms));
  return loop(whole, p_.count, 1, loop(e_.i64(0), whole, terms, sums, step(terms)), step(1));
}

/// Emits an instruction that no load is moved over. LLVM would begin the body of a loop by loading the lines
/// of all its terms, and so store the sums and the lines that find no register.
void RegisterTile::end_loads() {
  llvm::FunctionType* nothing = llvm::FunctionType::get(b_.getVoidTy(), false);
  b_.CreateCall(llvm::InlineAsm::get(nothing, "", "~{memory}", true));
}

/// Returns the place as one of which LLVM knows nothing. `end_loads` does not end loads of memory whose
/// address never leaves the kernel, so that LLVM would load elements that several terms read once, and keep
/// them.
llvm::Value* RegisterTile::forget_origin(llvm::Value* place) {
  llvm::FunctionType* same = llvm::FunctionType::get(place->getType(), place->getType(), false);
  return b_.CreateCall(llvm::InlineAsm::get(same, "", "=r,0", false), place);
}

/// Fetches the lines of the memory ahead that belong to `count` terms from number `k` on: all terms have as
/// many.
void RegisterTile::fetch_ahead(llvm::Value* k, std::int64_t count) {
  const Product::Ahead& a = p_.ahead;
  llvm::Value* line = b_.CreateUDiv(b_.CreateMul(k, e_.i64(a.lines)), e_.i64(a.terms));
  for (std::int64_t i = 0; i * a.terms < count * a.lines; ++i) {
    llvm::Value* here = b_.CreateAdd(line, e_.i64(i));
    llvm::Value* row = b_.CreateMul(b_.CreateUDiv(here, e_.i64(a.row_lines)), a.stride);
    llvm::Value* inside = b_.CreateMul(b_.CreateURem(here, e_.i64(a.row_lines)), e_.i64(line_bytes));
    e_.fetch(b_.CreateGEP(b_.getInt8Ty(), a.first, b_.CreateAdd(row, inside)), emit::Fetch::to_read);
  }
}

/// Returns whether terms read elements of the left operand that those before have read for other rows:
/// where they are in the body of one loop, LLVM keeps such elements in registers, which then do not suffice
/// for the sums.
bool RegisterTile::overlaps(std::size_t sums) const {
  const auto* step = llvm::dyn_cast<llvm::ConstantInt>(p_.left_step);
  const auto* row = llvm::dyn_cast<llvm::ConstantInt>(p_.left_stride);
  if (p_.by_lane || step == nullptr || row == nullptr || step->isZero() || row->isZero()) return false;
  const std::int64_t rows = static_cast<std::int64_t>(sums) / p_.across, by = step->getSExtValue(),
                     to = row->getSExtValue();
  // The fewest terms after which the elements are those of other rows.
  const std::int64_t terms = std::abs(to) / std::gcd(by, to);
  const auto* count = llvm::dyn_cast<llvm::ConstantInt>(p_.count);
  const std::int64_t together = std::min(count != nullptr ? count->getSExtValue() : max_terms, max_terms);
  return terms < together && std::abs(terms * by / to) < rows;
}

llvm::Value* RegisterTile::load(llvm::Value* place, std::size_t j) {
  if (!masked_) return b_.CreateAlignedLoad(vector(), place, align());
  return b_.CreateMaskedLoad(vector(), place, align(), p_.masks[j], llvm::Constant::getNullValue(vector()));
}

RegisterTile::Sums RegisterTile::load_line(llvm::Value* right) {
  Sums line;
  for (std::int64_t j = 0; j < p_.across; ++j)
    line.push_back(
        load(j == 0 ? right : move(right, e_.i64(j), p_.right_column), static_cast<std::size_t>(j)));
  return line;
}

RegisterTile::Sums RegisterTile::add_term(llvm::Value* left, const Sums& line, const Sums& before) {
  Sums sums;
  for (std::int64_t i = 0; before.size() > sums.size(); ++i) {
    llvm::Value* place = move(left, e_.i64(i), p_.left_stride);
    llvm::Value* factor =
        p_.by_lane ? load(place, 0) : lanes_.splat(b_.CreateAlignedLoad(element(), place, align()));
    for (llvm::Value* one : line)
      sums.push_back(
          math::fma(lanes_.number(factor), lanes_.number(one), lanes_.number(before[sums.size()])).value);
  }
  return sums;
}

}  // namespace codegen::target::cpu
