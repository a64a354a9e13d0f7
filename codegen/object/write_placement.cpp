#include "codegen/object/write_placement.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "codegen/interface/arguments.h"
#include "codegen/object/constants.h"
#include "codegen/object/extent_emitter.h"
#include "runtime/abi.h"

namespace codegen::object {
using interface::Arguments;
using interface::Binding;
using interface::Entry;
using interface::Interface;
using interface::Store;
using interface::Tensor;

namespace {

using Kind = interface::ArgumentMember::Kind;

/// With more tensors than this, comparing each with each would be long code.
constexpr std::size_t max_fields = 12;
/// With more buffers than this, LLVM would take long for the code, and the tables are asked instead.
constexpr std::size_t max_buffers = 1024;

bool is_known(const Binding& binding) {
  using enum Binding::Kind;
  switch (binding.kind) {
    case input:
    case output:
    case parameter:
    case constant:
    case state:
    case gradient:
    case dimension:
      return true;
    case next:
    case updated:
    case updated_alone:
    case updated_parameter:
    case trained:
    case seed:
    case frozen:
      return false;
  }
  return false;
}

bool is_placed_by_code(const Entry& entry) {
  if (entry.inputs.size() + entry.outputs.size() > max_fields ||
      entry.code.arguments.size() + entry.results.size() + entry.code.slots.size() > max_buffers)
    return false;
  const auto is_simple = [](const auto& field) { return ExtentEmitter::can_emit(field.tensor.extents); };
  return std::ranges::all_of(entry.inputs, is_simple) && std::ranges::all_of(entry.outputs, is_simple) &&
         std::ranges::all_of(entry.code.slots,
                             [](const auto& slot) { return ExtentEmitter::can_emit(slot); }) &&
         std::ranges::all_of(
             entry.checks,
             [](const auto& each) { return ExtentEmitter::can_emit({each.left, each.right}); }) &&
         std::ranges::all_of(
             entry.dimensions,
             [](const auto& each) { return each.scale == 1 && ExtentEmitter::can_emit({each.offset}); }) &&
         std::ranges::all_of(entry.code.arguments, is_known) && std::ranges::all_of(entry.results, is_known);
}

/// Memory that the call uses. Both values are of type i64, and null where the call uses none.
struct Range {
  llvm::Value *begin = nullptr, *bytes = nullptr;
};

/// Writes one function. It collects what speaks against the call, and branches once.
class PlacementWriter {
 public:
  PlacementWriter(llvm::Function& function, const Interface& interface, const Entry& entry)
      : b_(llvm::BasicBlock::Create(function.getContext(), "entry", &function)),
        arguments_(function.getArg(0)),
        buffers_(function.getArg(1)),
        dims_(function.getArg(2)),
        interface_(interface),
        entry_(entry),
        layout_(interface::arguments_of(entry)),
        wrong_(b_.getFalse()),
        extents_(b_) {}

  void write(bool is_for_devices) {
    refuse(b_.CreateICmpNE(member(Kind::size), number(layout_.size)));
    if (layout_.find(Kind::frozen) != nullptr) refuse(b_.CreateIsNotNull(member(Kind::frozen)));
    check_options(is_for_devices);
    bind_dimensions();
    for (const interface::Check& check : entry_.checks) this->check(check);
    load_ranges();
    place_in_workspace();
    check_ranges();
    llvm::Function* function = b_.GetInsertBlock()->getParent();
    auto* refused = llvm::BasicBlock::Create(b_.getContext(), "refused", function);
    auto* placed = llvm::BasicBlock::Create(b_.getContext(), "placed", function);
    b_.CreateCondBr(b_.CreateOr(wrong_, extents_.overflowed()), refused, placed);
    b_.SetInsertPoint(refused);
    b_.CreateRet(b_.getInt32(0));
    b_.SetInsertPoint(placed);
    set_buffers();
    b_.CreateRet(b_.getInt32(1));
  }

 private:
  void refuse(llvm::Value* condition) { wrong_ = b_.CreateOr(wrong_, condition); }
  llvm::Value* number(std::int64_t value) { return b_.getInt64(static_cast<std::uint64_t>(value)); }
  /// Returns the bytes up to where the next part of the workspace begins.
  llvm::Value* aligned(llvm::Value* bytes) {
    return b_.CreateAnd(sum(bytes, number(runtime::buffer_alignment - 1)),
                        number(-runtime::buffer_alignment));
  }

  llvm::Value* place(std::int64_t offset) {
    return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), arguments_, static_cast<std::uint64_t>(offset));
  }
  /// Returns the value of a member of the argument struct that is a pointer or a size, as an i64.
  llvm::Value* member(Kind kind, std::size_t index = 0) {
    return b_.CreateLoad(b_.getInt64Ty(), place(layout_.find(kind, index)->offset));
  }
  llvm::Value* load(llvm::Type* type, llvm::Value* from, std::size_t offset) {
    return b_.CreateLoad(type, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), from, offset));
  }
  /// Returns the pointer to a struct of that size, or one to zeros in the place of null. A struct that says
  /// another size is refused, and not read.
  llvm::Value* structure(llvm::Value* pointer, std::size_t size) {
    auto* zeros = ConstantWriter(*b_.GetInsertBlock()->getModule())
                      .bytes(std::string(size, '\0'), alignof(std::max_align_t))
                      .value;
    llvm::Value* is_given = b_.CreateIsNotNull(pointer);
    llvm::Value* found = load(b_.getInt64Ty(), b_.CreateSelect(is_given, pointer, zeros), 0);
    llvm::Value* has_size = b_.CreateICmpEQ(found, b_.getInt64(size));
    refuse(b_.CreateAnd(is_given, b_.CreateNot(has_size)));
    return b_.CreateSelect(has_size, pointer, zeros);
  }

  // ---------------------------------------------------------------------------------------------- extents

  llvm::Value* sum(llvm::Value* a, llvm::Value* b) { return extents_.sum(a, b); }
  llvm::Value* value(const dlvm::Extent& extent) { return extents_.value(extent); }

  /// Returns the size of a tensor, which must not be too large for the runtime.
  llvm::Value* bytes_of(const Tensor& tensor) {
    llvm::Value* bytes = number(dlvm::info(tensor.type).bytes);
    for (const dlvm::Extent& each : tensor.extents) {
      llvm::Value* extent = value(each);
      refuse(b_.CreateICmpSLT(extent, number(0)));
      bytes = extents_.product(bytes, extent);
    }
    refuse(b_.CreateICmpUGT(bytes, number(std::int64_t{1} << 47)));
    return bytes;
  }
  /// Returns the size of a slot.
  llvm::Value* bytes_of(const std::vector<dlvm::Extent>& slot) {
    llvm::Value* largest = number(0);
    for (const dlvm::Extent& size : slot)
      largest = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, largest, value(size));
    return largest;
  }

  /// Returns where the struct holds an extent of a field.
  llvm::Value* extent_place(Kind kind, std::size_t index, std::size_t axis) {
    return place(layout_.find(kind, index)->offset + static_cast<std::int64_t>(8 * axis));
  }

  void bind_dimensions() {
    for (std::size_t i = 0; i < entry_.dimensions.size(); ++i) {
      const interface::Dimension& dimension = entry_.dimensions[i];
      const bool is_given = entry_.inputs[dimension.input].role == interface::Input::Role::dimension;
      llvm::Value* found;
      if (is_given) {
        found = member(Kind::dimension, dimension.input);
      } else {
        llvm::Value* at = extent_place(Kind::input_extents, dimension.input, dimension.axis);
        llvm::Value* extent = b_.CreateLoad(b_.getInt64Ty(), at);
        refuse(b_.CreateICmpSLT(extent, number(0)));
        found = extents_.difference(extent, value(dimension.offset));
      }
      refuse(b_.CreateICmpSLT(found, number(0)));
      extents_.set(dimension.name, found);
    }
  }

  void check(const interface::Check& check) {
    llvm::Value *left = value(check.left), *right = value(check.right);
    refuse(check.relation == interface::Check::Relation::equal ? b_.CreateICmpNE(left, right)
                                                               : b_.CreateICmpSGT(left, right));
  }

  /// Checks the extents that the struct holds of a field, unless the call sets them.
  void check_extents(Kind kind, std::size_t index, const Tensor& tensor, llvm::Value* is_set) {
    if (layout_.find(kind, index) == nullptr) return;
    for (std::size_t axis = 0; axis < tensor.extents.size(); ++axis) {
      llvm::Value* given = b_.CreateLoad(b_.getInt64Ty(), extent_place(kind, index, axis));
      llvm::Value* differs = b_.CreateICmpNE(given, value(tensor.extents[axis]));
      refuse(b_.CreateAnd(b_.CreateNot(is_set), differs));
    }
  }

  // ---------------------------------------------------------------------------------------------- options

  /// Options are right if they are the defaults but for the seed, with which nothing is computed. Where they
  /// must name an execution, it is the serial one.
  void check_options(bool must_be_named) {
    llvm::Value* given = b_.CreateLoad(b_.getPtrTy(), place(layout_.find(Kind::options)->offset));
    llvm::Value* options = structure(given, sizeof(tel_options));
    refuse(b_.CreateIsNotNull(load(b_.getInt32Ty(), options, offsetof(tel_options, accumulate))));
    llvm::Value* named = load(b_.getPtrTy(), options, offsetof(tel_options, execution));
    if (must_be_named) refuse(b_.CreateIsNull(named));
    llvm::Value* execution = structure(named, sizeof(tel_execution));
    static_assert(TEL_SERIAL == 0);
    refuse(b_.CreateIsNotNull(load(b_.getInt32Ty(), execution, offsetof(tel_execution, kind))));
  }

  // ----------------------------------------------------------------------------------------------- memory

  void check_aligned(llvm::Value* begin, std::int64_t alignment) {
    refuse(b_.CreateIsNotNull(b_.CreateAnd(begin, number(alignment - 1))));
  }

  /// Returns what the member points to, which must be there, and aligned.
  Range range(Kind kind, std::size_t index, llvm::Value* bytes, std::int64_t alignment) {
    llvm::Value* begin = member(kind, index);
    refuse(b_.CreateIsNull(begin));
    check_aligned(begin, alignment);
    return {begin, bytes};
  }
  Range range(Kind kind, const Store& store) {
    if (layout_.find(kind) == nullptr) return {};
    return range(kind, 0, number(store.size), runtime::buffer_alignment);
  }

  /// Loads and checks the memory of inputs and stores.
  void load_ranges() {
    for (std::size_t i = 0; i < entry_.inputs.size(); ++i) {
      const Tensor& tensor = entry_.inputs[i].tensor;
      inputs_.emplace_back();
      if (tensor.extents.empty()) continue;  // it is in the struct itself
      check_extents(Kind::input_extents, i, tensor, b_.getFalse());
      inputs_[i] = range(Kind::input, i, bytes_of(tensor), dlvm::info(tensor.type).bytes);
    }
    parameters_ = range(Kind::parameters, interface_.parameters);
    constants_ = range(Kind::constants, interface_.constants);
    state_ = range(Kind::state, interface_.state);
    gradients_ = range(Kind::gradients, interface_.parameters);
  }

  /// Finds where outputs and slots are, as `runtime::place` does: outputs that are null, or are in the
  /// workspace from an earlier call, are the first things there.
  void place_in_workspace() {
    llvm::Value *begin = member(Kind::workspace), *size = member(Kind::workspace_size), *used = number(0);
    for (std::size_t i = 0; i < entry_.outputs.size(); ++i) {
      const Tensor& tensor = entry_.outputs[i].tensor;
      outputs_.emplace_back();
      is_placed_.push_back(nullptr);
      if (tensor.extents.empty()) continue;
      llvm::Value* given = member(Kind::output, i);
      llvm::Value* bytes = bytes_of(tensor);
      is_placed_[i] = b_.CreateOr(b_.CreateIsNull(given), b_.CreateICmpULT(b_.CreateSub(given, begin), size));
      check_extents(Kind::output_extents, i, tensor, is_placed_[i]);
      outputs_[i] = {b_.CreateSelect(is_placed_[i], b_.CreateAdd(begin, used), given), bytes};
      check_aligned(given, dlvm::info(tensor.type).bytes);
      used = sum(used, b_.CreateSelect(is_placed_[i], aligned(bytes), number(0)));
    }
    for (const auto& slot : entry_.code.slots) {
      slots_.push_back(b_.CreateAdd(begin, used));
      used = sum(used, aligned(bytes_of(slot)));
    }
    workspace_ = {begin, used};
    llvm::Value* is_used = b_.CreateIsNotNull(used);
    refuse(b_.CreateAnd(is_used, b_.CreateIsNull(begin)));
    refuse(b_.CreateICmpULT(size, used));
    check_aligned(b_.CreateSelect(is_used, begin, number(0)), runtime::buffer_alignment);
  }

  /// Returns whether two ranges overlap: then the distance of their begins is less than what they have
  /// together. It may be so for ranges that are empty.
  llvm::Value* overlap(const Range& a, const Range& b) {
    if (a.begin == nullptr || b.begin == nullptr) return b_.getFalse();
    llvm::Value *distance = b_.CreateSub(a.begin, b.begin), *one = number(1);
    return b_.CreateICmpULT(b_.CreateAdd(distance, b_.CreateSub(a.bytes, one)),
                            b_.CreateSub(b_.CreateAdd(a.bytes, b.bytes), one));
  }

  /// Refuses calls that write where they read, or write twice, as runtime/call/overlap.cpp does.
  void check_ranges() {
    std::vector<Range> read = inputs_;
    read.insert(read.end(), {parameters_, constants_, state_});
    refuse(overlap(workspace_, gradients_));
    for (const Range& one : read)
      for (const Range& other : {workspace_, gradients_}) refuse(overlap(one, other));
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      if (outputs_[i].begin == nullptr) continue;
      refuse(b_.CreateAnd(b_.CreateNot(is_placed_[i]), overlap(outputs_[i], workspace_)));
      refuse(overlap(outputs_[i], gradients_));
      for (const Range& one : read) refuse(overlap(outputs_[i], one));
      for (std::size_t j = 0; j < i; ++j) refuse(overlap(outputs_[i], outputs_[j]));
    }
  }

  llvm::Value* pointer(const Range& range, std::int64_t offset = 0) {
    return b_.CreateIntToPtr(b_.CreateAdd(range.begin, number(offset)), b_.getPtrTy());
  }
  llvm::Value* field(const std::vector<Range>& ranges, Kind kind, std::size_t index) {
    const Range& range = ranges[index];
    return range.begin != nullptr ? pointer(range) : place(layout_.find(kind, index)->offset);
  }
  llvm::Value* stored(const Range& range, const Store& store, std::size_t index) {
    return pointer(range, store.tensors[index].offset);
  }

  llvm::Value* bound(const Binding& binding) {
    using enum Binding::Kind;
    switch (binding.kind) {
      case input:
        return field(inputs_, Kind::input, binding.index);
      case output:
        return field(outputs_, Kind::output, binding.index);
      case parameter:
        return stored(parameters_, interface_.parameters, binding.index);
      case constant:
        return stored(constants_, interface_.constants, binding.index);
      case state:
        return stored(state_, interface_.state, binding.index);
      case gradient:
        return stored(gradients_, interface_.parameters, binding.index);
      case dimension:
        return b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), dims_, binding.index);
      default:
        return nullptr;  // is_known
    }
  }

  void set_buffers() {
    std::size_t next = 0;
    const auto set = [&](llvm::Value* value) {
      b_.CreateStore(value, b_.CreateConstInBoundsGEP1_64(b_.getPtrTy(), buffers_, next++));
    };
    for (const Binding& binding : entry_.code.arguments) set(bound(binding));
    for (const Binding& binding : entry_.results) set(bound(binding));
    for (llvm::Value* slot : slots_) set(b_.CreateIntToPtr(slot, b_.getPtrTy()));
    for (std::size_t i = 0; i < entry_.dimensions.size(); ++i)
      b_.CreateStore(value(dlvm::Extent::dimension(entry_.dimensions[i].name)),
                     b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), dims_, i));
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      if (outputs_[i].begin != nullptr) set_output(i, entry_.outputs[i].tensor);
  }

  /// Writes where an output is, and its extents, to the struct.
  void set_output(std::size_t index, const Tensor& tensor) {
    b_.CreateStore(outputs_[index].begin, place(layout_.find(Kind::output, index)->offset));
    if (layout_.find(Kind::output_extents, index) == nullptr) return;
    for (std::size_t axis = 0; axis < tensor.extents.size(); ++axis)
      b_.CreateStore(value(tensor.extents[axis]), extent_place(Kind::output_extents, index, axis));
  }

  llvm::IRBuilder<> b_;
  llvm::Value *arguments_, *buffers_, *dims_;
  const Interface& interface_;
  const Entry& entry_;
  const Arguments layout_;
  llvm::Value* wrong_;
  ExtentEmitter extents_;
  std::vector<Range> inputs_, outputs_;
  std::vector<llvm::Value*> is_placed_;  ///< whether an output is in the workspace; null for scalars
  Range parameters_, constants_, state_, gradients_, workspace_;
  std::vector<llvm::Value*> slots_;  ///< where they begin
};

}  // namespace

llvm::Function* write_placement(llvm::Module& module, const Interface& interface, const Entry& entry,
                                bool is_for_devices, const std::string& name) {
  if (!is_placed_by_code(entry)) return nullptr;
  llvm::IRBuilder<> types(module.getContext());
  auto* type = llvm::FunctionType::get(types.getInt32Ty(),
                                       {types.getPtrTy(), types.getPtrTy(), types.getPtrTy()}, false);
  auto* function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, module);
  PlacementWriter(*function, interface, entry).write(is_for_devices);
  return function;
}

}  // namespace codegen::object
