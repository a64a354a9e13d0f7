#include "dlvm/transform/pointer_numbering.h"

#include <optional>
#include <unordered_map>

#include "dlvm/transform/address_pool.h"
#include "dlvm/transform/mapped_types.h"

namespace dlvm {
namespace {

constexpr ElementType number = AddressRegions::number;

class PointerNumbering {
 public:
  PointerNumbering(Module& module, Function& function, const NumberedPointers& numbered)
      : module_(module),
        function_(function),
        numbered_(numbered),
        found_(numbered.regions()),
        regions_(found_.regions().size()) {}

  void run() {
    for (const auto& allocation : numbered_.allocations()) {
      regions_[allocation.place.region].allocations.push_back(&allocation);
      allocations_[allocation.instruction] = &allocation;
    }
    find_uses();
    change_types();
    for (std::size_t r = 0; r < regions_.size(); ++r) pools_.push_back(make_pool(r));
    std::vector<Value*> first;
    for (const auto& allocation : numbered_.allocations())
      first.push_back(pools_[allocation.place.region]->first_number(allocation));
    for (const AddressUse& use : uses_) pools_[use.region]->rewrite(use);
    for (std::size_t i = 0; i < first.size(); ++i)
      replace_by(*numbered_.allocations()[i].instruction, first[i]);
  }

 private:
  void find_uses() {
    for (const auto& block : function_.blocks())
      for (const auto& instruction : block->instructions()) {
        const auto position = address_of_use(*instruction);
        const auto region = position ? found_.region(*instruction->operand(*position)) : std::nullopt;
        if (!region) continue;
        const Value& address = *instruction->operand(*position);
        const Type pointee = address.type().pointee();
        const auto place = found_.place(address.type());
        const bool is_own = place && place->region == *region;
        const std::size_t at = is_own ? place->pointee : found_.regions()[*region].pointees.size();
        const auto made = allocations_.find(&address);
        uses_.push_back({instruction.get(), *position, found_.mapped(pointee), *region, at,
                         made == allocations_.end() ? nullptr : made->second});
        regions_[*region].uses.push_back(uses_.back());
      }
    for (std::size_t r = 0; r < regions_.size(); ++r)
      for (const Type& pointee : found_.regions()[r].pointees)
        regions_[r].pointees.push_back(found_.mapped(pointee));
  }

  /// The position of the first operand that an instruction goes to.
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
      case Opcode::copy:
        return 0;
      default:
        return std::nullopt;
    }
  }

  std::unique_ptr<AddressPool> make_pool(std::size_t region) const {
    return found_.regions()[region].has_cells ? make_cell_pool(module_, function_, regions_[region])
                                              : make_row_pool(function_, regions_[region]);
  }

  void change_types() {
    std::vector<std::pair<Instruction*, Type>> made;  // the type depends on those of operands
    for (const auto& block : function_.blocks()) {
      for (const auto& instruction : block->instructions())
        made.emplace_back(instruction.get(), changed_type(*instruction));
      if (block.get() == &function_.entry()) continue;
      for (const auto& argument : block->arguments()) set_type(*argument, found_.mapped(argument->type()));
    }
    for (auto& [instruction, type] : made) {
      change_parts(*instruction);
      set_type(*instruction, std::move(type));
    }
  }

  Type changed_type(const Instruction& instruction) const {
    const Type& type = instruction.type();
    if (instruction.opcode() != Opcode::elementPointer) return found_.mapped(type);
    return found_.region(instruction) ? Type::scalar(number) : Type::pointer(found_.mapped(type.pointee()));
  }

  void change_parts(Instruction& instruction) const {
    for (std::size_t i = 0; i < instruction.operands().size(); ++i)
      if (const Literal* literal = as_literal(instruction.operand(i))) {
        const Type type = found_.mapped(literal->type());
        if (!(type == literal->type()))
          instruction.set_operand(i, function_.literal(type, Literal::Form::zero));
      }
    map_attributes(instruction, [&](const Type& type) { return found_.mapped(type); });
  }

  Module& module_;
  Function& function_;
  const NumberedPointers& numbered_;
  const AddressRegions& found_;
  std::unordered_map<const Value*, const NumberedAllocation*> allocations_;
  std::vector<AddressUse> uses_;
  std::vector<RegionUses> regions_;
  std::vector<std::unique_ptr<AddressPool>> pools_;
};

}  // namespace

bool pointer_numbering(Module& module) {
  std::vector<Function*> functions;  // without those that replace elements
  for (const auto& function : module.functions())
    if (function->has_body()) functions.push_back(function.get());
  bool changed = false;
  for (Function* function : functions) {
    const NumberedPointers numbered(*function);
    if (numbered.empty()) continue;
    PointerNumbering(module, *function, numbered).run();
    changed = true;
  }
  return changed;
}

}  // namespace dlvm
