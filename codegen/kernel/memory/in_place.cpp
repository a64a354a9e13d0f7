#include "codegen/kernel/memory/in_place.h"

#include <algorithm>

#include "codegen/kernel/ir/walk.h"

namespace codegen::kernel {
namespace {

/// Describes what the stages of a kernel do with two of its buffers.
class Uses {
 public:
  Uses(const Kernel& kernel, BufferId read, BufferId written) : read_(read), written_(written) {
    const auto &a = kernel.buffers[read], &b = kernel.buffers[written];
    same_type = a.shape == b.shape && a.element == b.element;
    walk<Stage>(kernel.root, [this](const Stage& stage) { visit(stage); });
  }

  bool same_type;
  int stores = 0;            ///< statements that write the written buffer
  int stages = 0;            ///< stages that access either buffer
  bool reads_there = true;   ///< each load of the read buffer is of the element that its stage stores
  bool reads_early = false;  ///< such a load is evaluated at each point of a reduction
  bool reduces = false;      ///< a stage that loads the read buffer has a reduction
  bool reads_back = false;   ///< the written buffer is read

 private:
  void visit(const Stage& stage) {
    const Store* store = nullptr;
    for (const Store& candidate : stage.stores)
      if (candidate.access.buffer == written_) {
        store = &candidate;
        ++stores;
      }
    bool touches = store != nullptr;
    visit_accesses(stage, [&](const Access& access, const std::vector<Bound>&, bool is_load) {
      if (!is_load) return;
      touches = touches || access.buffer == read_ || access.buffer == written_;
      reads_back = reads_back || access.buffer == written_;
      if (access.buffer != read_) return;
      reduces = reduces || stage.reduction;
      reads_there = reads_there && store != nullptr && !store->combine && store->bounds.empty() &&
                    access.indices == store->access.indices;
    });
    stages += static_cast<int>(touches);
    reads_early =
        reads_early || (stage.reduction && std::ranges::any_of(stage.body, [&](const Scalar& scalar) {
                          const auto* load = std::get_if<Scalar::Load>(&scalar.definition);
                          return load != nullptr && load->access.buffer == read_;
                        }));
  }

  BufferId read_, written_;
};

}  // namespace

bool may_overwrite(const Kernel& kernel, BufferId read, BufferId written) {
  const Uses uses(kernel, read, written);
  return uses.same_type && uses.stores == 1 && uses.reads_there && !uses.reduces;
}

bool may_update(const Kernel& kernel, BufferId read, BufferId written) {
  const Uses uses(kernel, read, written);
  return uses.same_type && uses.stores == 1 && uses.stages == 1 && uses.reads_there && !uses.reads_early &&
         !uses.reads_back;
}

Kernel update_in_place(Kernel kernel, BufferId read, BufferId written) {
  const BufferId both = read < written ? read : read - 1;
  walk<Stage>(kernel.root, [&](Stage& stage) {
    visit_accesses(stage, [&](Access& access, const auto&, bool) {
      if (access.buffer == written)
        access.buffer = both;
      else if (access.buffer > written)
        --access.buffer;
    });
  });
  kernel.buffers.erase(kernel.buffers.begin() + written);
  kernel.buffers[both].written = kernel.buffers[both].updated = true;
  return kernel;
}

}  // namespace codegen::kernel
