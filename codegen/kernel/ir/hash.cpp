#include "codegen/kernel/ir/hash.h"

namespace codegen::kernel {
namespace {

void add(Hash& hash, const Stage& stage) {
  for (const Axis& axis : stage.axes) hash.add(axis.extent);
  for (const Scalar& scalar : stage.body) hash.add(scalar);
  for (const Scalar& scalar : stage.epilogue) hash.add(scalar);
  for (const Store& store : stage.stores) hash.add(store.access);
  hash.add(stage.reduction.has_value());
}

void add(Hash& hash, const Block& block) {
  for (const Axis& axis : block.axes) hash.add(axis.extent);
  for (const auto& child : block.children) {
    hash.add(child.index());
    std::visit([&](const auto& node) { add(hash, node); }, child);
  }
}

}  // namespace

void Hash::add(const Extent& extent) {
  for (const Extent::Term& term : extent.terms()) {
    add(static_cast<std::size_t>(term.coefficient));
    for (const Extent::Atom& atom : term.atoms) add(std::hash<std::string>()(atom.name));
  }
}

void Hash::add(const Index& index) {
  add(index.constant);
  for (const Index::Term& term : index.terms) {
    add(term.coefficient);
    if (const auto* axis = std::get_if<AxisId>(&term.atom)) add(*axis);
  }
}

void Hash::add(const Access& access) {
  add(access.buffer);
  for (const Index& index : access.indices) add(index);
}

void Hash::add(const Scalar& scalar) {
  add(static_cast<std::size_t>(scalar.type));
  add(scalar.definition.index());
  if (const auto* load = std::get_if<Scalar::Load>(&scalar.definition)) add(load->access);
  if (const auto* operation = std::get_if<Scalar::Operation>(&scalar.definition)) {
    add(static_cast<std::size_t>(operation->opcode));
    for (const ScalarId operand : operation->operands) add(operand);
  }
}

std::size_t hash(const Kernel& kernel) {
  Hash hash;
  for (const Buffer& buffer : kernel.buffers) {
    hash.add(static_cast<std::size_t>(buffer.element));
    for (const Extent& extent : buffer.shape) hash.add(extent);
  }
  add(hash, kernel.root);
  return hash.value();
}

}  // namespace codegen::kernel
