#include "codegen/schedule/ir/hash.h"

#include "codegen/kernel/ir/hash.h"

namespace codegen::schedule {
namespace {

void add(kernel::Hash& hash, const Body& body) {
  for (const Statement& statement : body) {
    hash.add(statement.node.index());
    if (const auto* let = std::get_if<Let>(&statement.node)) hash.add(let->scalar);
    if (const auto* store = std::get_if<Store>(&statement.node)) hash.add(store->access);
    if (const auto* loop = std::get_if<Loop>(&statement.node)) {
      hash.add(static_cast<std::size_t>(loop->kind));
      hash.add(loop->extent);
      add(hash, loop->body);
    }
  }
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
