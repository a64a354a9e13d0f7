#include "codegen/schedule/gpu/collapse_axes.h"

#include <algorithm>
#include <map>
#include <set>

#include "codegen/schedule/ir/index.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::Axis;
using kernel::AxisKind;
using kernel::Kernel;
using kernel::Stage;

class AxisCollapser {
 public:
  AxisCollapser(const Kernel& kernel, const GpuTarget& target) : result_(kernel), target_(target) {}

  std::optional<Kernel> run() {
    if (!result_.root.axes.empty()) return std::nullopt;
    for (auto& child : result_.root.children) {
      auto* stage = std::get_if<Stage>(&child);
      if (stage == nullptr || !collapse(*stage)) return std::nullopt;
    }
    if (!gains_) return std::nullopt;
    for (const BufferId id : flat_) {
      kernel::Buffer& buffer = result_.buffers[id];
      if (whole_.count(id) > 0) return std::nullopt;
      buffer.shape = {dlvm::unit_count(buffer.shape)};
    }
    return std::move(result_);
  }

 private:
  bool collapse(Stage& stage) {
    if (stage.reduction || stage.sorting || stage.axes.size() < 2) return false;
    total_ = 1;
    strides_.clear();
    for (std::size_t i = stage.axes.size(); i-- > 0; total_ = total_ * stage.axes[i].extent) {
      if (stage.axes[i].kind != AxisKind::parallel) return false;
      if (!stage.axes[i].extent.is(1)) strides_[stage.axes[i].id] = total_;
    }
    const Axis flat{stage.axes[0].id, stage.axes[0].name, total_, AxisKind::parallel};
    std::int64_t widest = 1;
    for (Scalar& scalar : stage.body) {
      auto* load = std::get_if<Scalar::Load>(&scalar.definition);
      const bool plain = std::holds_alternative<Scalar::Literal>(scalar.definition) ||
                         std::holds_alternative<Scalar::Operation>(scalar.definition);
      if (!plain && (load == nullptr || !load->bounds.empty() || !collapse(load->access, flat, widest)))
        return false;
    }
    for (kernel::Store& store : stage.stores)
      if (store.combine || !store.bounds.empty() || !collapse(store.access, flat, widest)) return false;
    const auto row = stage.axes.back().extent.constant();
    gains_ = gains_ || !row || *row * widest % target_.access_bytes != 0;
    stage.axes = {flat};
    return true;
  }

  bool collapse(Access& access, const Axis& flat, std::int64_t& widest) {
    const kernel::Buffer& buffer = result_.buffers[access.buffer];
    if (buffer.space != kernel::Buffer::Space::argument) return false;
    widest = std::max<std::int64_t>(widest, dlvm::info(buffer.element).bytes);
    const Index place = offset(access, dense_layout(buffer.shape));
    if (place.terms.empty()) {
      whole_.insert(access.buffer);
      return true;
    }
    if (!place.constant.is(0) || place.terms.size() != strides_.size()) return false;
    for (const Index::Term& term : place.terms) {
      const auto* axis = std::get_if<kernel::AxisId>(&term.atom);
      const auto stride = axis == nullptr ? strides_.end() : strides_.find(*axis);
      if (stride == strides_.end() || stride->second != term.coefficient) return false;
    }
    if (dlvm::unit_count(buffer.shape) != total_) return false;
    access.indices = {variable(flat.id)};
    flat_.insert(access.buffer);
    return true;
  }

  Kernel result_;
  const GpuTarget& target_;
  bool gains_ = false;
  std::set<BufferId> flat_, whole_;           ///< read and written at the point, at one element for all
  Extent total_;                              ///< points of the stage under way
  std::map<kernel::AxisId, Extent> strides_;  ///< of its axes
};

}  // namespace

std::optional<Kernel> collapse_axes(const Kernel& kernel, const GpuTarget& target) {
  return AxisCollapser(kernel, target).run();
}

}  // namespace codegen::schedule::gpu
