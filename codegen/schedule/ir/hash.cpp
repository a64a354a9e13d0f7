#include "codegen/schedule/ir/hash.h"

#include "codegen/kernel/ir/hash.h"
#include "codegen/schedule/ir/walk.h"

namespace codegen::schedule {
namespace {

void add(kernel::Hash& hash, const Let& let) { hash.add(let.scalar); }
void add(kernel::Hash& hash, const Store& store) { hash.add(store.access); }
void add(kernel::Hash& hash, const Loop& loop) {
  hash.add(static_cast<std::size_t>(loop.kind));
  hash.add(loop.extent);
}
void add(kernel::Hash& hash, const auto& node) {
  visit_uses(node, [&](const auto& use) { hash.add(use); });
}

void add(kernel::Hash& hash, const Body& body) {
  walk<Statement>(body, [&](const Statement& statement) {
    hash.add(statement.node.index());
    std::visit([&](const auto& node) { add(hash, node); }, statement.node);
  });
}

}  // namespace

std::size_t hash(const Schedule& schedule) {
  kernel::Hash hash;
  for (const Buffer& buffer : schedule.buffers) {
    hash.add(static_cast<std::size_t>(buffer.element));
    for (const Extent& extent : buffer.shape) hash.add(extent);
  }
  for (const Variant& variant : schedule.variants) add(hash, variant.body);
  return hash.value();
}

}  // namespace codegen::schedule
