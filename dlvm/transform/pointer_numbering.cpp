#include "dlvm/transform/pointer_numbering.h"

#include <algorithm>
#include <optional>

#include "dlvm/analysis/pointer_uses.h"
#include "dlvm/ir/builder.h"
#include "dlvm/transform/memory_places.h"
#include "dlvm/transform/numbered_pointers.h"

namespace dlvm {
namespace {

constexpr ElementType number = NumberedPointers::number;

class PointerNumbering {
 public:
  PointerNumbering(Function& function, const NumberedPointers& numbered)
      : function_(function), numbered_(numbered) {}

  void run() {
    find_uses();
    change_types();
    make_pools();
    for (const auto& allocation : numbered_.allocations()) first_.push_back(first_number(allocation));
    for (const Use& use : uses_) rewrite(use);
    for (std::size_t i = 0; i < first_.size(); ++i)
      replace(*numbered_.allocations()[i].instruction, first_[i]);
  }

 private:
  /// An instruction that goes to a numbered value.
  struct Use {
    Instruction* instruction;
    std::size_t address;  ///< the position of the operand
    std::size_t pool;
    std::int64_t count;  ///< of the values from there on that are known
  };
  struct Pool {
    std::int64_t values = 1;  ///< with the first, which is null
    Value* memory = nullptr;
    Value* more = nullptr;  ///< how many references there are to each value, beyond one
  };

  void find_uses() {
    for (const auto& block : function_.blocks())
      for (const auto& instruction : block->instructions()) {
        const auto position = address_of_use(*instruction);
        const auto pool = position ? numbered_.pool(*instruction->operand(*position)) : std::nullopt;
        if (pool)
          uses_.push_back({instruction.get(), *position, *pool, count_at(instruction->operand(*position))});
      }
  }

  /// The position of the operand that an instruction goes to.
  static std::optional<std::size_t> address_of_use(const Instruction& instruction) {
    switch (instruction.opcode()) {
      case Opcode::store:
        return 1;
      case Opcode::load:
      case Opcode::elementPointer:
      case Opcode::projectBox:
      case Opcode::retain:
      case Opcode::release:
      case Opcode::deallocate:
        return 0;
      default:
        return std::nullopt;
    }
  }

  std::int64_t count_at(const Value* address) const {
    for (const auto& allocation : numbered_.allocations())
      if (allocation.instruction == address) return allocation.count;
    return 1;
  }

  void make_pools() {
    pools_.resize(numbered_.pointees().size());
    Builder b(function_.entry(), function_.entry().instructions().front().get());
    for (const auto& allocation : numbered_.allocations()) {
      Pool& pool = pools_[allocation.pool];
      bases_.push_back(pool.values);
      pool.values += allocation.count * allocation.runs;
      Value* runs = nullptr;
      if (allocation.repeats) {
        runs = b.create(Opcode::allocateStack, {}, {Type::scalar(number), Shape{1}});
        runs->set_name(allocation.instruction->name());
      }
      runs_.push_back(runs);
    }
    for (std::size_t p = 0; p < pools_.size(); ++p)
      pools_[p].memory = b.create(Opcode::allocateStack, {},
                                  {numbered_.mapped(numbered_.pointees()[p]), Shape{pools_[p].values}});
    for (const Use& use : uses_)
      if (Pool& pool = pools_[use.pool]; change_of_references(*use.instruction) != 0 && pool.more == nullptr)
        pool.more = b.create(Opcode::allocateStack, {}, {Type::scalar(number), Shape{pool.values}});
  }

  /// Returns the number that the instruction adds to the count of references.
  static int change_of_references(const Instruction& instruction) {
    if (instruction.opcode() == Opcode::retain) return 1;
    const bool ends = instruction.opcode() == Opcode::release || instruction.opcode() == Opcode::deallocate;
    return ends ? -1 : 0;
  }

  void change_types() {
    for (const auto& block : function_.blocks()) {
      for (const auto& argument : block->arguments()) set_type(*argument, numbered_.mapped(argument->type()));
      for (const auto& instruction : block->instructions()) change_types(*instruction);
    }
  }

  void change_types(Instruction& instruction) {
    for (std::size_t i = 0; i < instruction.operands().size(); ++i)
      if (const Literal* literal = as_literal(instruction.operand(i))) {
        const Type type = numbered_.mapped(literal->type());
        if (!(type == literal->type()))
          instruction.set_operand(i, function_.literal(type, Literal::Form::zero));
      }
    const Type& type = instruction.type();
    const bool of_component = NumberedPointers::is_of_component(instruction);
    set_type(instruction,
             of_component ? Type::pointer(numbered_.mapped(type.pointee())) : numbered_.mapped(type));
    for (std::size_t i = 0; i < instruction.attributes().size(); ++i)
      if (const auto* type = std::get_if<Type>(&instruction.attributes()[i])) {
        const Type made = numbered_.mapped(*type);
        const bool was_struct = instruction.opcode() == Opcode::literal && made.is_tuple();
        instruction.set_attribute(i, was_struct ? Attribute() : Attribute(made));
      }
  }

  Value* first_number(const NumberedPointers::Allocation& allocation) {
    const std::size_t at = first_.size();
    Builder b = builder_before(*allocation.instruction);
    Value* base = b.constant(number, static_cast<double>(bases_[at]));
    if (runs_[at] == nullptr) return base;
    Value* run = b.check_index(b.create(Opcode::load, {runs_[at]}), 0, allocation.runs);
    b.create(Opcode::store, {b.add(run, b.constant(number, 1)), runs_[at]});
    return b.add(base, b.multiply(run, b.constant(number, static_cast<double>(allocation.count))));
  }

  static Value* value_at(Builder& b, Value* memory, Value* at) {
    return b.create(Opcode::elementPointer, {memory, at}, {Integers{}});
  }

  /// Fails where the number is null, and where the value has no reference any more.
  static Value* checked(Builder& b, const Use& use, const Pool& pool) {
    constexpr std::int64_t most_references = std::int64_t{1} << 31;
    Value* at = b.check_index(use.instruction->operand(use.address), 1, pool.values);
    if (pool.more == nullptr) return at;
    Value* more = value_at(b, pool.more, at);
    Value* count = b.create(Opcode::load, {more});
    count->set_name("more_references");
    count = b.check_index(count, 0, most_references);
    if (const int change = change_of_references(*use.instruction); change != 0)
      b.create(Opcode::store, {b.add(count, b.constant(number, change)), more});
    return at;
  }

  void rewrite(const Use& use) {
    Instruction& instruction = *use.instruction;
    const Pool& pool = pools_[use.pool];
    Builder b = builder_before(instruction);
    Value* at = checked(b, use, pool);
    const Opcode opcode = instruction.opcode();
    if (opcode == Opcode::load || opcode == Opcode::store)
      instruction.set_operand(use.address, value_at(b, pool.memory, at));
    else if (opcode == Opcode::elementPointer)
      rewrite_pointer(instruction, use, at);
    else
      replace(instruction, at);
  }

  void rewrite_pointer(Instruction& instruction, const Use& use, Value* at) {
    Builder b = builder_before(instruction);
    const Integers path = std::get<Integers>(instruction.attributes()[0]);
    if (Value* from = first_value(instruction)) {
      from = b.check_index(from, 0, use.count);
      if (!from->type().is_scalar(number)) from = b.cast(from, number);
      at = b.add(at, from);
    }
    if (path.empty()) return replace(instruction, at);
    std::vector<Value*> operands{pools_[use.pool].memory};
    for (std::size_t i = 0; i < static_cast<std::size_t>(std::ranges::count(path, position_of_value)); ++i)
      operands.push_back(instruction.operand(1 + i));
    operands.push_back(at);
    replace(instruction, b.create(Opcode::elementPointer, std::move(operands), {path}));
  }

  static void replace(Instruction& instruction, Value* value) {
    if (value->name().empty() && as_literal(value) == nullptr) value->set_name(instruction.name());
    if (!instruction.users().empty()) replace_all_uses(instruction, *value);
    instruction.block()->erase(&instruction);
  }

  Function& function_;
  const NumberedPointers& numbered_;
  std::vector<Use> uses_;
  std::vector<Pool> pools_;
  std::vector<std::int64_t> bases_;  ///< the first numbers of the allocations
  std::vector<Value*> runs_;         ///< how often those in loops have been run
  std::vector<Value*> first_;        ///< the number of the first value of each
};

}  // namespace

bool pointer_numbering(Function& function) {
  const NumberedPointers numbered(function);
  if (numbered.empty()) return false;
  PointerNumbering(function, numbered).run();
  return true;
}

}  // namespace dlvm
