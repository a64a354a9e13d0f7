#include "codegen/schedule/cpu/pack_operands.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "codegen/kernel/ir/hash.h"
#include "codegen/kernel/ir/walk.h"
#include "codegen/schedule/common/contraction_builder.h"
#include "codegen/schedule/cpu/choose.h"
#include "codegen/schedule/cpu/schedule_for_cpu.h"

namespace codegen::schedule::cpu {
namespace {

using kernel::Axis;
using kernel::AxisId;
using kernel::AxisKind;
using kernel::Kernel;
using kernel::Launch;
using kernel::Program;
using kernel::Scope;
using kernel::Sequence;
using kernel::Stage;
using kernel::Statement;
using Place = kernel::Value::Place;

Stage* only_stage(Kernel& kernel) {
  auto& root = kernel.root;
  return root.axes.empty() && root.children.size() == 1 ? std::get_if<Stage>(&root.children[0]) : nullptr;
}

/// A product that packs an operand, a tensor in memory: the right one, or the left one of a product of
/// pixels.
struct Product {
  BufferId tensor = 0;            ///< the kernel's argument
  kernel::ScalarId operand = 0;   ///< loads the tensor
  std::int64_t width = 0;         ///< of a panel
  Axis across;                    ///< along which elements are next to each other in panels
  std::vector<Axis> terms;        ///< the axes of k
  bool is_fixed = false;          ///< no dimension is part of the indices into the tensor
  std::optional<Extent> small_m;  ///< the number of rows, where few of them have a variant

  Extent term_count() const {
    Extent count = 1;
    for (const Axis& axis : terms) count = count * axis.extent;
    return count;
  }
  /// Returns the shape of the panels: [panel, term, place across].
  dlvm::Shape panels() const {
    return {Extent::floor_divide(across.extent + Extent(width - 1), width), term_count(), width};
  }
  /// Returns the number of the term whose positions along the axes of k these are.
  Index term(const std::vector<Index>& positions) const {
    Index term = constant_index(0);
    for (std::size_t i = 0; i < terms.size(); ++i) term = term * terms[i].extent + positions[i];
    return term;
  }
};

const Axis& axis_of(const Stage& stage, AxisId id) { return *std::ranges::find(stage.axes, id, &Axis::id); }

/// Adds the names of the dimensions that are part of the index.
void collect_dimensions(const Index& index, std::set<std::string>& names) {
  index.constant.collect_names(names);
  for (const Index::Term& term : index.terms) {
    term.coefficient.collect_names(names);
    const auto* quotient = std::get_if<std::shared_ptr<const Index::Quotient>>(&term.atom);
    if (quotient == nullptr) continue;
    (*quotient)->divisor.collect_names(names);
    collect_dimensions((*quotient)->index, names);
  }
}

std::optional<Product> find_product(Kernel& kernel, const CpuTarget& target) {
  const Stage* stage = only_stage(kernel);
  if (stage == nullptr || !stage->contraction || !kernel.guards.empty()) return std::nullopt;
  const kernel::Contraction& c = *stage->contraction;
  const std::vector<Buffer> buffers = buffers_of(kernel);
  const auto plan = choose_product(*stage, buffers, target, false, true);
  if (!plan || plan->right_direct || plan->right_panels || plan->left_panels) return std::nullopt;
  const bool is_left = plan->form == ProductForm::pixels;
  if (!is_left && (plan->form != ProductForm::panels || c.k.size() != 1)) return std::nullopt;
  const std::vector<AxisId>& across = is_left ? c.m : c.n;
  if (!c.batch.empty() || c.m.empty() || across.size() != 1) return std::nullopt;
  Product product;
  product.operand = is_left ? c.left : c.right;
  const Access* access = plain_access(*stage, product.operand);
  if (access == nullptr || buffers[access->buffer].element != stage->reduction->types[0]) return std::nullopt;
  // All of the kernel's accesses to the tensor are this one.
  bool is_only = true;
  kernel::visit_accesses(*stage, [&](const Access& other, const auto&, bool) {
    is_only = is_only && (other.buffer != access->buffer || other == *access);
  });
  const auto is_of_tensor = [&](const Index& index) {
    return std::ranges::all_of(kernel::axes_of(index), [&](AxisId axis) {
      return axis == across[0] || std::ranges::find(c.k, axis) != c.k.end();
    });
  };
  if (!is_only || !std::ranges::all_of(access->indices, is_of_tensor)) return std::nullopt;
  std::set<std::string> dimensions;
  for (const Index& index : access->indices) collect_dimensions(index, dimensions);
  product.tensor = access->buffer;
  product.width = plan->columns;
  product.across = axis_of(*stage, across[0]);
  for (const AxisId axis : c.k) product.terms.push_back(axis_of(*stage, axis));
  product.is_fixed = dimensions.empty();
  if (!is_left) product.small_m = small_m_extent(*stage, buffers, target);
  return product;
}

/// Lets products read panels in place of matrices that do not change.
class OperandPacking {
 public:
  OperandPacking(Program& program, const CpuTarget& target) : program_(program), target_(target) {}

  /// Packs in front of loops.
  void run() {
    hoist(program_.body);
    remove_unused_kernels();
  }

  /// Packs inputs of the program before all calls.
  std::vector<FrozenOperand> freeze(const std::set<std::uint32_t>& inputs) {
    for (const kernel::Value& value : program_.values)
      if (value.place == Place::input) inputs_ = std::max(inputs_, value.index + 1);
    is_unchanged_ = [&](kernel::ValueId id) {
      const kernel::Value& value = program_.values[id];
      return value.place == Place::input && inputs.contains(value.index);
    };
    Sequence before;
    is_frozen_ = true;
    pack_in(program_.body, before);
    if (!frozen_.empty()) remove_unused_kernels();
    return std::move(frozen_);
  }

 private:
  /// Returns the values that launches and swaps of the sequence write.
  std::set<kernel::ValueId> written(const Sequence& sequence) const {
    std::set<kernel::ValueId> values;
    kernel::walk(sequence, [&](const Statement& statement) {
      if (const auto* swap = std::get_if<kernel::Swap>(&statement.node)) {
        values.insert({swap->first, swap->second});
      } else if (const auto* launch = std::get_if<Launch>(&statement.node)) {
        const Kernel& kernel = program_.kernels[launch->kernel];
        for (std::size_t i = 0; i < launch->values.size(); ++i)
          if (kernel.buffers[i].written) values.insert(launch->values[i]);
      }
    });
    return values;
  }

  /// Packs in front of the sequence's loops, then of those inside.
  void hoist(Sequence& sequence) {
    Sequence result;
    for (Statement& statement : sequence) {
      if (auto* scope = std::get_if<Scope>(&statement.node)) {
        if (scope->kind == Scope::Kind::loop) {
          is_unchanged_ = [changed = written(scope->body)](kernel::ValueId id) {
            return !changed.contains(id);
          };
          panels_.clear();
          pack_in(scope->body, result);
        }
        hoist(scope->body);
      } else if (auto* branch = std::get_if<kernel::Branch>(&statement.node)) {
        hoist(branch->then), hoist(branch->otherwise);
      }
      result.push_back(std::move(statement));
    }
    sequence = std::move(result);
  }

  /// Lets the sequence's products read panels, and appends the launches that write these to `before`, unless
  /// they are frozen.
  void pack_in(Sequence& sequence, Sequence& before) {
    Sequence result;
    for (Statement& statement : sequence) {
      if (auto* scope = std::get_if<Scope>(&statement.node)) pack_in(scope->body, before);
      if (auto* branch = std::get_if<kernel::Branch>(&statement.node))
        pack_in(branch->then, before), pack_in(branch->otherwise, before);
      if (auto* launch = std::get_if<Launch>(&statement.node)) {
        pack(*launch, before, result);
        continue;
      }
      result.push_back(std::move(statement));
    }
    sequence = std::move(result);
  }

  void pack(const Launch& launch, Sequence& before, Sequence& result) {
    const auto [known, is_new] = products_.try_emplace(launch.kernel);
    if (is_new) known->second = find_product(program_.kernels[launch.kernel], target_);
    const std::optional<Product>& found = known->second;
    if (!found || !is_unchanged_(launch.values[found->tensor]) ||
        (is_frozen_ && !has_constant_size(*found))) {
      result.push_back({launch});
      return;
    }
    const Product& product = *found;
    std::vector<Guard> few, many;
    if (product.small_m && !is_frozen_) {
      few.push_back({*product.small_m, 0, small_m_rows + 1});
      many.push_back({*product.small_m, small_m_rows + 1, std::nullopt});
      Kernel guarded = program_.kernels[launch.kernel];
      guarded.guards = few;
      result.push_back({Launch{add(std::move(guarded)), launch.values}});
    }
    const kernel::ValueId matrix = launch.values[product.tensor];
    Kernel pack = packing_kernel(launch, product, many);
    Launch packed = launch;
    packed.values[product.tensor] = panels_of(matrix, std::move(pack), before);
    packed.kernel = add(reading_kernel(launch, product, many));
    result.push_back({std::move(packed)});
  }

  /// Returns whether the operand is the same for all calls: no dimension says which part of the matrix it is.
  static bool has_constant_size(const Product& product) {
    return product.across.extent.constant() && product.term_count().constant() && product.is_fixed;
  }

  /// Returns the panels that the kernel makes of the matrix.
  kernel::ValueId panels_of(kernel::ValueId matrix, Kernel pack, Sequence& before) {
    const auto known = std::ranges::find_if(panels_, [&](const Panels& each) {
      return each.matrix == matrix && without_annotations(each.pack) == without_annotations(pack);
    });
    if (known != panels_.end()) return known->value;
    const kernel::ValueId value = add_value(pack.buffers[1]);
    panels_.push_back({matrix, pack, value});
    if (is_frozen_) {
      kernel::Value& input = program_.values[value];
      input.place = Place::input;
      input.index = inputs_++;
      frozen_.push_back({program_.values[matrix].index, std::move(pack)});
    } else {
      before.push_back({Launch{add(std::move(pack)), {matrix, value}}});
    }
    return value;
  }

  /// Returns the kernel that writes panels: place j of term k in panel t is the operand's element for term k
  /// and row or column t * width + j, or 0 beyond these.
  Kernel packing_kernel(const Launch& launch, const Product& product, std::vector<Guard> guards) const {
    Kernel source = program_.kernels[launch.kernel];
    const Stage& stage = *only_stage(source);
    kernel::Buffer tensor = source.buffers[product.tensor];
    kernel::Buffer packed{tensor.name + "_panels", tensor.element, product.panels()};
    packed.written = true;
    Kernel kernel;
    kernel.name = "pack";
    kernel.guards = std::move(guards);
    Stage pack;
    pack.name = "pack";
    pack.locations = stage.locations;
    pack.axes.push_back({0, "t", packed.shape[0], AxisKind::parallel});
    std::vector<Index> positions;
    Renaming renaming;
    for (const Axis& axis : product.terms) {
      const auto id = static_cast<AxisId>(pack.axes.size());
      const std::string name = product.terms.size() == 1 ? "k" : axis.name;
      pack.axes.push_back({id, name, axis.extent, AxisKind::parallel});
      positions.push_back(kernel::axis_index(id));
      renaming.axes[axis.id] = positions.back();
    }
    const auto last = static_cast<AxisId>(pack.axes.size());
    pack.axes.push_back({last, "j", product.width, AxisKind::parallel});
    const Index t = kernel::axis_index(0), j = kernel::axis_index(last);
    const Index place = t * Extent(product.width) + j;
    renaming.axes[product.across.id] = place;
    Scalar::Load load{rename(*plain_access(stage, product.operand), renaming), {}, 0};
    load.access.buffer = 0;
    const auto all = product.across.extent.constant();
    if (!all || *all % product.width != 0) load.bounds.push_back({place, product.across.extent});
    pack.body.push_back({tensor.element, Scalar::Literal{dlvm::Tensor(tensor.element, {})}});
    pack.body.push_back({tensor.element, std::move(load)});
    pack.stores.push_back({{1, {t, product.term(positions), j}}, {}, 1, std::nullopt});
    kernel.buffers = {std::move(tensor), std::move(packed)};
    kernel.root.children.emplace_back(std::move(pack));
    return kernel;
  }

  /// Returns the product's kernel with panels in place of the tensor.
  Kernel reading_kernel(const Launch& launch, const Product& product, std::vector<Guard> guards) const {
    Kernel kernel = program_.kernels[launch.kernel];
    kernel.guards = std::move(guards);
    kernel.buffers[product.tensor].shape = product.panels();
    std::vector<Index> positions;
    for (const Axis& axis : product.terms) positions.push_back(kernel::axis_index(axis.id));
    using Kind = Index::Quotient::Kind;
    const Index across = kernel::axis_index(product.across.id);
    const std::vector<Index> indices{kernel::quotient_index({Kind::floor, across, product.width}),
                                     product.term(positions),
                                     kernel::quotient_index({Kind::modulo, across, product.width})};
    kernel::visit_accesses(*only_stage(kernel), [&](Access& access, const auto&, bool) {
      if (access.buffer == product.tensor) access.indices = indices;
    });
    return kernel;
  }

  void remove_unused_kernels() {
    std::map<std::uint32_t, std::uint32_t> used;  // the new position of each kernel that is launched
    rewrite_launches(program_.body, [&](Launch& launch) { used.emplace(launch.kernel, 0); });
    std::vector<Kernel> kernels;
    for (auto& [before, after] : used) {
      after = static_cast<std::uint32_t>(kernels.size());
      kernels.push_back(std::move(program_.kernels[before]));
    }
    program_.kernels = std::move(kernels);
    rewrite_launches(program_.body, [&](Launch& launch) { launch.kernel = used.at(launch.kernel); });
  }

  template <typename Change>
  static void rewrite_launches(Sequence& sequence, const Change& change) {
    for (Statement& statement : sequence) {
      if (auto* launch = std::get_if<Launch>(&statement.node)) change(*launch);
      if (auto* scope = std::get_if<Scope>(&statement.node)) rewrite_launches(scope->body, change);
      if (auto* branch = std::get_if<kernel::Branch>(&statement.node))
        rewrite_launches(branch->then, change), rewrite_launches(branch->otherwise, change);
    }
  }

  std::uint32_t add(Kernel kernel) {
    for (; looked_at_ < program_.kernels.size(); ++looked_at_)
      known_.try_emplace(without_annotations(program_.kernels[looked_at_]), looked_at_);
    const auto next = static_cast<std::uint32_t>(program_.kernels.size());
    const auto [known, is_new] = known_.try_emplace(without_annotations(kernel), next);
    if (is_new) program_.kernels.push_back(std::move(kernel));
    return known->second;
  }

  kernel::ValueId add_value(const kernel::Buffer& buffer) {
    kernel::Value value;
    value.place = Place::arena;
    value.element = buffer.element;
    value.shape = buffer.shape;
    value.name = buffer.name;
    if (names_.empty())
      for (const kernel::Value& each : program_.values) names_.insert(each.name);
    for (int& i = counts_[buffer.name]; !names_.insert(value.name).second;)
      value.name = buffer.name + std::to_string(++i);
    program_.values.push_back(std::move(value));
    return static_cast<kernel::ValueId>(program_.values.size() - 1);
  }

  /// A matrix that is packed, by a kernel, into a value.
  struct Panels {
    kernel::ValueId matrix = 0;
    Kernel pack;
    kernel::ValueId value = 0;
  };

  Program& program_;
  const CpuTarget& target_;
  std::function<bool(kernel::ValueId)> is_unchanged_;  ///< in the loop, or in all calls
  std::vector<Panels> panels_;                         ///< of the loop, or of all calls
  bool is_frozen_ = false;
  std::map<std::uint32_t, std::optional<Product>> products_;             ///< by kernel
  std::unordered_map<Kernel, std::uint32_t, kernel::KernelHash> known_;  ///< kernels without annotations
  std::uint32_t looked_at_ = 0;            ///< kernels of the program that are among these
  std::unordered_set<std::string> names_;  ///< of the values
  std::map<std::string, int> counts_;      ///< the last number behind a name
  std::uint32_t inputs_ = 0;               ///< the number of the program's inputs
  std::vector<FrozenOperand> frozen_;
};

}  // namespace

void pack_operands(Program& program, const CpuTarget& target) { OperandPacking(program, target).run(); }

std::vector<FrozenOperand> freeze_operands(Program& program, const std::set<std::uint32_t>& inputs,
                                           const CpuTarget& target) {
  return OperandPacking(program, target).freeze(inputs);
}

}  // namespace codegen::schedule::cpu
