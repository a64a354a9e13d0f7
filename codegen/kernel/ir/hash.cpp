#include "codegen/kernel/ir/hash.h"

#include "codegen/kernel/ir/walk.h"

namespace codegen::kernel {
namespace {

void add(Hash& hash, const Stage& stage) {
  for (const Axis& axis : stage.axes) hash.add(axis.extent);
  hash.add(stage.accumulated.size());
  visit_scalars(stage, [&](const Scalar& scalar) { hash.add(scalar); });
  for (const Store& store : stage.stores) {
    hash.add(store.access);
    hash.add(store.distinct);
  }
  hash.add(stage.reduction.has_value());
  if (stage.sorting) {
    hash.add(stage.sorting->keys);
    hash.add(stage.sorting->positions);
  }
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
  for (const Index::Term& term : index.terms) add(term.coefficient);
  visit_atoms(index, dlvm::Overloaded{[this](AxisId axis) { add(std::size_t{axis}); },
                                      [this](Loaded loaded) { add(std::size_t{loaded.scalar}); }});
}

void Hash::add(const Access& access) {
  add(access.buffer);
  for (const Index& index : access.indices) add(index);
}

void Hash::add(const Scalar& scalar) {
  add(static_cast<std::size_t>(scalar.type));
  add(scalar.definition.index());
  visit_uses(scalar, [this](const auto& use) { add(use); });
  std::visit(dlvm::Overloaded{[this](const Scalar::Load& load) { add(std::size_t{load.access.buffer}); },
                              [this](const Scalar::Operation& operation) {
                                add(static_cast<std::size_t>(operation.opcode));
                              },
                              [](const auto&) {}},
             scalar.definition);
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
