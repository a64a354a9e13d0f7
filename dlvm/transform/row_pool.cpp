#include "dlvm/analysis/pointer_uses.h"
#include "dlvm/transform/address_pool.h"
#include "dlvm/transform/memory_places.h"

namespace dlvm {
namespace {

constexpr ElementType number = AddressRegions::number;

class RowPool : public AddressPool {
 public:
  RowPool(Function& function, const RegionUses& region)
      : RowPool(Builder(function.entry(), function.entry().instructions().front().get()), region) {}

  Value* first_number(const NumberedAllocation& allocation) override {
    Builder b = builder_before(*allocation.instruction);
    return sequence_.take(b, allocation, nullptr);
  }

  void rewrite(const AddressUse& use) override {
    Instruction& instruction = *use.instruction;
    Builder b = builder_before(instruction);
    Value* at = checked(b, use);
    const Opcode opcode = instruction.opcode();
    if (opcode == Opcode::load || opcode == Opcode::store)
      instruction.set_operand(use.address, value_at(b, memory_, at));
    else if (opcode == Opcode::elementPointer)
      rewrite_pointer(use, at);
    else
      replace_by(instruction, at);
  }

 private:
  RowPool(Builder b, const RegionUses& region)
      : sequence_(b, region, [](const NumberedAllocation&) { return Extent(1); }), ended_(end_of(region)) {
    memory_ = b.create(Opcode::allocateStack, {}, {region.pointees[0], Shape{sequence_.end()}});
    if (counts_references(region))
      more_ = b.create(Opcode::allocateStack, {}, {Type::scalar(number), Shape{sequence_.end()}});
  }

  static Value* value_at(Builder& b, Value* memory, Value* at) {
    return b.create(Opcode::elementPointer, {memory, at}, {Integers{}});
  }

  Value* checked(Builder& b, const AddressUse& use) const {
    Value* at = checked_number(b, use.instruction->operand(use.address), sequence_.end());
    if (more_ != nullptr) count_reference(b, value_at(b, more_, at), *use.instruction, ended_);
    return at;
  }

  void rewrite_pointer(const AddressUse& use, Value* at) const {
    Instruction& instruction = *use.instruction;
    Builder b = builder_before(instruction);
    const Integers path = std::get<Integers>(instruction.attributes()[0]);
    if (Value* from = first_value(instruction)) {
      const Extent count = use.allocation == nullptr ? Extent(1) : use.allocation->count;
      at = b.add(at, as_number(b, b.check_index(from, 0, count)));
    }
    if (path.empty()) return replace_by(instruction, at);
    std::vector<Value*> operands{memory_};
    for (std::size_t i = 0; i < static_cast<std::size_t>(std::ranges::count(path, position_of_value)); ++i)
      operands.push_back(instruction.operand(1 + i));
    operands.push_back(at);
    if (more_ != nullptr) check_users(instruction, value_at(b, more_, at));
    replace_by(instruction, b.create(Opcode::elementPointer, std::move(operands), {path}));
  }

  /// Lets what uses a component fail where the value has no reference any more: it has no number.
  void check_users(const Instruction& component, Value* more) const {
    for (const Instruction* user : component.users()) {
      Builder b = builder_before(*user);
      count_reference(b, more, *user, ended_);
      if (user->opcode() == Opcode::elementPointer) check_users(*user, more);
    }
  }

  const NumberSequence sequence_;
  const Failure ended_;
  Value* memory_ = nullptr;
  Value* more_ = nullptr;  ///< how many references there are to each value, beyond one
};

}  // namespace

std::unique_ptr<AddressPool> make_row_pool(Function& function, const RegionUses& region) {
  return std::make_unique<RowPool>(function, region);
}

}  // namespace dlvm
