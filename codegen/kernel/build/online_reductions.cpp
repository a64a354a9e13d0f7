#include "codegen/kernel/build/online_reductions.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "codegen/kernel/build/expressions.h"
#include "codegen/kernel/ir/rename_axes.h"
#include "codegen/kernel/ir/walk.h"
#include "dlvm/ir/identity.h"
#include "dlvm/support/overloaded.h"

namespace codegen::kernel {
namespace {

using dlvm::Opcode;
using dlvm::Tensor;

/// Rows of at most this many columns stay as they are.
constexpr std::int64_t few_columns = 128;

std::vector<Scalar> scalars_of(const Stage& stage) {
  std::vector<Scalar> all = stage.body;
  all.insert(all.end(), stage.epilogue.begin(), stage.epilogue.end());
  return all;
}

/// Returns the stage's only axis of that kind.
const Axis* only_axis(const Stage& stage, AxisKind kind) {
  const Axis* found = nullptr;
  for (const Axis& axis : stage.axes)
    if (axis.kind == kind && std::exchange(found, &axis) != nullptr) return nullptr;
  return found;
}

bool has_no(const Stage& stage, AxisKind kind) {
  return std::ranges::count(stage.axes, kind, &Axis::kind) == 0;
}

/// Returns whether the stage is a reduction by that instruction alone.
bool reduces_by(const Stage& stage, Opcode opcode) {
  return stage.reduction && stage.reduction->named == std::vector{opcode} && stage.accumulated.empty();
}

/// Returns whether the stage has scalars that must not be computed again, or in float32.
bool has_fixed_scalars(const Stage& stage) {
  bool found = false;
  visit_scalars(stage, [&](const Scalar& scalar) {
    const auto* load = std::get_if<Scalar::Load>(&scalar.definition);
    found = found || std::holds_alternative<Scalar::Check>(scalar.definition) ||
            std::holds_alternative<Scalar::Random>(scalar.definition) ||
            (load != nullptr && !load->bounds.empty() && is_short_float(scalar.type));
  });
  return found;
}

/// Rewrites one kernel.
class Rewriter {
 public:
  explicit Rewriter(Kernel kernel) : kernel_(std::move(kernel)) {}

  std::optional<Kernel> run() {
    rows_ = &kernel_.root;
    if (rows_->axes.empty() && rows_->children.size() == 1) {
      rows_ = std::get_if<Block>(&rows_->children.front());
      depth_ = 1;
    }
    if (rows_ == nullptr || rows_->axes.empty() || !classify()) return std::nullopt;
    if (maximum_->reduction->types[0] != type_ || product_->reduction->types[0] != type_) return std::nullopt;
    auto online = combined();
    if (!online) return std::nullopt;
    replace_stages(std::move(*online));
    remove_buffers();
    return std::move(kernel_);
  }

 private:
  // ------------------------------------------------------------------------------------ what stands there

  /// Finds the role of each stage. Contractions and elementwise stages over columns may stand before and
  /// after the maximum, sums after it.
  bool classify() {
    for (const auto& child : rows_->children) {
      const auto* stage = std::get_if<Stage>(&child);
      if (stage == nullptr || stage->sorting || has_fixed_scalars(*stage)) return false;
      if (!(maximum_ == nullptr && reduces_by(*stage, Opcode::max) ? add_maximum(*stage) : add(*stage)))
        return false;
    }
    const bool are_few = column_ && column_->extent.constant().value_or(few_columns + 1) <= few_columns;
    return maximum_ != nullptr && !sums_.empty() && product_ != nullptr && !are_few;
  }

  bool add_maximum(const Stage& stage) {
    const Axis* axis = only_axis(stage, AxisKind::reduced);
    if (axis == nullptr || stage.contraction || !is_column(*axis) || !has_no(stage, AxisKind::parallel))
      return false;
    maximum_ = &stage;
    return result_buffer(stage).has_value();
  }

  bool add(const Stage& stage) {
    if (!stage.accumulated.empty() || !has_no(stage, AxisKind::ordered)) return false;
    if (!stage.reduction) return add_elements(stage);
    if (maximum_ == nullptr) return stage.contraction && add_product(stage);
    const Axis* axis = only_axis(stage, AxisKind::reduced);
    if (axis == nullptr || !is_column(*axis) || !reduces_by(stage, Opcode::add)) return false;
    // Only the last sum has axes of its own.
    if (!sums_.empty() && !has_no(*sums_.back(), AxisKind::parallel)) return false;
    sums_.push_back(&stage);
    return stage.stores.size() == 1;
  }

  /// A contraction that gives an element for each column.
  bool add_product(const Stage& stage) {
    const Axis* axis = only_axis(stage, AxisKind::parallel);
    if (product_ != nullptr || axis == nullptr || !is_column(*axis) || !column_of(stage, *axis)) return false;
    product_ = &stage;
    bool reads_locals = false;
    visit_accesses(stage, [&](const Access& access, const auto&, bool is_load) {
      reads_locals =
          reads_locals || (is_load && kernel_.buffers[access.buffer].space == Buffer::Space::local);
    });
    return is_product(stage) && !reads_locals && stage.contraction->n == std::vector{axis->id};
  }

  /// Returns whether the stage adds up the products of its operands, float32, without masks.
  static bool is_product(const Stage& stage) {
    if (!stage.contraction || !reduces_by(stage, Opcode::add) ||
        stage.body[stage.contraction->left].type != type_ ||
        stage.body[stage.contraction->right].type != type_)
      return false;
    const auto* input = std::get_if<Scalar::Operation>(&stage.body[stage.reduction->inputs[0]].definition);
    return input != nullptr && input->opcode == Opcode::multiply &&
           input->operands == std::vector{stage.contraction->left, stage.contraction->right};
  }

  /// A stage that computes one value for each column.
  bool add_elements(const Stage& stage) {
    const Axis* axis = only_axis(stage, AxisKind::parallel);
    if (axis == nullptr || !is_column(*axis)) return false;
    const auto buffer = column_of(stage, *axis);
    if (buffer) elements_[*buffer] = &stage;
    return buffer.has_value();
  }

  /// Returns whether the axis has as many points as there are columns; the first one that is asked for says.
  bool is_column(const Axis& axis) {
    if (!column_) column_ = axis;
    return column_->extent == axis.extent;
  }

  /// Returns the local buffer where the stage stores its element of that column, if that is all it stores.
  std::optional<BufferId> column_of(const Stage& stage, const Axis& axis) const {
    if (stage.stores.size() != 1) return std::nullopt;
    const Store& store = stage.stores[0];
    const Buffer& buffer = kernel_.buffers[store.access.buffer];
    const bool is_element = buffer.space == Buffer::Space::local && buffer.depth == depth_ &&
                            store.bounds.empty() && !store.combine &&
                            store.access.indices == Indices{axis_index(axis.id)};
    return is_element ? std::optional(store.access.buffer) : std::nullopt;
  }

  /// Returns the local buffer of no axes where the stage stores its result, if that is all it stores.
  std::optional<BufferId> result_buffer(const Stage& stage) const {
    if (stage.stores.size() != 1) return std::nullopt;
    const Store& store = stage.stores[0];
    const Buffer& buffer = kernel_.buffers[store.access.buffer];
    const bool is_result = buffer.space == Buffer::Space::local && buffer.shape.empty() &&
                           buffer.depth == depth_ && store.bounds.empty() && !store.combine;
    return is_result ? std::optional(store.access.buffer) : std::nullopt;
  }

  /// Returns the scalar that stands for the result in `body_`; what is computed from it becomes a part of the
  /// epilogue.
  ScalarId result(BufferId id) { return body_.add({type_, Scalar::Load{{id, {}}, {}, 0}}); }

  bool is_of_columns(BufferId id) const {
    return elements_.contains(id) || id == product_->stores[0].access.buffer;
  }

  // ------------------------------------------------------------------------------------- the new reduction

  /// Copies a scalar of the stage to `body_`: its axis over columns is that of the new block, and elements
  /// that elementwise stages compute are computed here. What belongs to a column is read for this one only.
  ScalarId element(const Stage& stage, ScalarId id) {
    const std::vector<Scalar> scalars = scalars_of(stage);
    const Axis* own = only_axis(stage, stage.reduction ? AxisKind::reduced : AxisKind::parallel);
    Copier copier(scalars, body_, [&](const Scalar& scalar) -> std::optional<ScalarId> {
      const auto* load = std::get_if<Scalar::Load>(&scalar.definition);
      if (load == nullptr) return std::nullopt;
      if (results_.contains(load->access.buffer)) {
        is_refused_ = is_refused_ || !load->bounds.empty();
        return result(load->access.buffer);
      }
      if (!is_of_columns(load->access.buffer)) return std::nullopt;
      if (load->access.indices != Indices{axis_index(own->id)} || !load->bounds.empty()) is_refused_ = true;
      const auto found = elements_.find(load->access.buffer);
      if (found == elements_.end() || is_refused_) return std::nullopt;
      const auto [value, is_new] = values_.try_emplace(found->first);
      if (is_new) value->second = element(*found->second, found->second->stores[0].value);
      return value->second;
    });
    copier.rename(own->id, column_->id);
    return copier.copy(id);
  }

  /// What a scalar of `body_` depends on.
  struct Dependence {
    bool column = false, result = false, weight = false;
  };
  Dependence dependence(ScalarId id) {
    for (auto next = static_cast<ScalarId>(dependences_.size()); next <= id; ++next) {
      Dependence own;
      const auto add = [&](const Dependence& of) {
        own = {own.column || of.column, own.result || of.result, own.weight || of.weight};
      };
      const dlvm::Overloaded in_index{[&](AxisId axis) { add({axis == column_->id, false, false}); },
                                      [&](Loaded loaded) { add(dependences_[loaded.scalar]); }};
      visit_uses(body_.all[next],
                 dlvm::Overloaded{[&](ScalarId operand) { add(dependences_[operand]); },
                                  [&](const Index& index) { visit_atoms(index, in_index); }});
      if (const auto* load = std::get_if<Scalar::Load>(&body_.all[next].definition))
        add({false, results_.contains(load->access.buffer), false});
      add({false, false, next == weight_});
      dependences_.push_back(own);
    }
    return dependences_[id];
  }

  /// Factors of a sum that do not depend on the column, and whether they divide.
  using Outer = std::vector<std::pair<ScalarId, bool>>;
  /// The factors of a sum's elements.
  struct Factors {
    std::size_t weights = 0;         ///< exp(x - maximum)
    std::vector<ScalarId> elements;  ///< what depends on the column, but on no result
    Outer outer;
    bool are_others = false;  ///< there is a factor of another kind
  };
  /// Adds the factors of the scalar: the operands of its multiplications and divisions down to the weight.
  void add_factors(ScalarId id, Factors& factors) {
    while (dependence(id).weight && id != weight_) {
      const auto* operation = std::get_if<Scalar::Operation>(&body_.all[id].definition);
      const auto is = [&](Opcode opcode) { return operation != nullptr && operation->opcode == opcode; };
      if (!is(Opcode::multiply) && !is(Opcode::divide)) break;
      ScalarId next = operation->operands[0], other = operation->operands[1];
      if (is(Opcode::multiply) && !dependence(next).weight) std::swap(next, other);
      add_factor(other, is(Opcode::divide), factors);
      id = next;
    }
    if (id == weight_)
      ++factors.weights;
    else
      add_factor(id, false, factors);
  }
  void add_factor(ScalarId id, bool divides, Factors& factors) {
    const Dependence of = dependence(id);
    if (!of.column) {
      factors.outer.emplace_back(id, divides);
      return;
    }
    factors.elements.push_back(id);
    factors.are_others = factors.are_others || divides || of.result || of.weight;
  }

  ScalarId product_of(const std::vector<ScalarId>& factors) {
    if (factors.empty()) return body_.literal(type_, 1);
    ScalarId product = factors[0];
    for (const ScalarId factor : std::span(factors).subspan(1))
      product = body_.operation(Opcode::multiply, type_, {product, factor});
    return product;
  }

  /// Returns the type of the scalar, or that of the 16-bit float from which it is converted.
  static ElementType source_type(const Stage& stage, ScalarId id) {
    const auto* operation = std::get_if<Scalar::Operation>(&stage.body[id].definition);
    if (operation == nullptr || operation->opcode != Opcode::dataTypeCast) return stage.body[id].type;
    const ElementType type = stage.body[operation->operands[0]].type;
    return is_short_float(type) ? type : stage.body[id].type;
  }

  /// Finds the factors of the last sum, which is a contraction over the same rows as the scores. What is
  /// weighted stays its left operand.
  bool add_operands(const Stage& sum, Stage& online, Factors& factors) {
    if (!is_product(sum) || !std::ranges::is_permutation(sum.contraction->m, product_->contraction->m))
      return false;
    Contraction c = *sum.contraction;
    // Weights take the place of scores, and are multiplied with the right operand.
    if (kernel_.buffers[product_->stores[0].access.buffer].element != source_type(sum, c.right)) return false;
    Factors right;
    add_factors(element(sum, c.left), factors);
    add_factors(element(sum, c.right), right);
    c.k = {column_->id};
    c.left = product_of(factors.elements);
    c.right = product_of(right.elements);
    online.contraction = std::move(c);
    factors.outer.insert(factors.outer.end(), right.outer.begin(), right.outer.end());
    factors.are_others = factors.are_others || right.are_others || right.weights > 0;
    return true;
  }

  std::optional<Stage> combined() {
    Stage online;
    const ScalarId x = element(*maximum_, maximum_->reduction->inputs[0]);
    const BufferId maximum = *result_buffer(*maximum_);
    results_[maximum] = 0;
    weight_ =
        body_.operation(Opcode::exp, type_, {body_.operation(Opcode::subtract, type_, {x, result(maximum)})});
    std::vector<ScalarId> inputs{x};
    std::vector<Outer> outer{{}};
    for (const Stage* sum : sums_) {
      if (sum->reduction->types[0] != type_) return std::nullopt;
      Factors factors;
      if (sum == sums_.back()) {
        if (!add_operands(*sum, online, factors)) return std::nullopt;
        inputs.push_back(
            body_.operation(Opcode::multiply, type_, {online.contraction->left, online.contraction->right}));
      } else {
        add_factors(element(*sum, sum->reduction->inputs[0]), factors);
        inputs.push_back(product_of(factors.elements));
        const auto result = result_buffer(*sum);
        if (!result) return std::nullopt;
        results_[*result] = inputs.size() - 1;
      }
      if (factors.weights != 1 || factors.are_others || is_refused_) return std::nullopt;
      outer.push_back(std::move(factors.outer));
    }
    if (dependence(x).result || is_refused_) return std::nullopt;

    online.name = sums_.back()->name;
    online.locations = sums_.back()->locations;
    for (const Axis& axis : sums_.back()->axes)
      if (axis.kind == AxisKind::parallel) online.axes.push_back(axis);
    online.accumulated = {column_->id};
    Expressions body;
    Copier kept(body_.all, body);
    for (ScalarId& input : inputs) input = kept.copy(input);
    for (ScalarId* operand : {&online.contraction->left, &online.contraction->right})
      *operand = kept.copy(*operand);
    online.body = std::move(body.all);
    online.reduction = reduction(inputs);
    finish(online, outer);
    if (is_refused_) return std::nullopt;
    return online;
  }

  /// Returns the monoid of a maximum and sums for it.
  Reduction reduction(std::vector<ScalarId> inputs) const {
    const std::size_t n = inputs.size();
    Reduction result;
    result.inputs = std::move(inputs);
    result.types.assign(n, type_);
    result.identity.assign(n, Tensor(type_, {}));
    result.identity[0] = dlvm::identity_of(Opcode::max, type_);
    result.any_order = true;
    Expressions e;
    for (std::size_t i = 0; i < 2 * n; ++i) e.state(type_, i);
    const ScalarId right = static_cast<ScalarId>(n), largest = e.operation(Opcode::max, type_, {0, right});
    // The maximum itself has the weight 1, also where it is infinite. What belongs to -inf has none: it would
    // be multiplied by 0 later, which infinite sums do not become.
    const ScalarId lowest = e.add({type_, Scalar::Literal{result.identity[0]}});
    const auto weight = [&](ScalarId of) {
      const auto select = [&](double value, ScalarId otherwise, ScalarId where) {
        return e.operation(Opcode::select, type_,
                           {e.literal(type_, value), otherwise,
                            e.operation(Opcode::equal, ElementType::boolean, {of, where})});
      };
      const ScalarId difference = e.operation(Opcode::subtract, type_, {of, largest});
      return select(0, select(1, e.operation(Opcode::exp, type_, {difference}), largest), lowest);
    };
    const ScalarId of_left = weight(0), of_right = weight(right);
    result.results = {largest};
    for (ScalarId i = 1; i < n; ++i)
      result.results.push_back(e.operation(Opcode::add, type_,
                                           {e.operation(Opcode::multiply, type_, {i, of_left}),
                                            e.operation(Opcode::multiply, type_, {right + i, of_right})}));
    result.combine = std::move(e.all);
    return result;
  }

  // -------------------------------------------------------------------------------------------- results

  /// Returns the sum, or 0 if there are no columns: then it has no terms, and its factors do not matter.
  ScalarId or_none(ScalarId sum, Expressions& epilogue) const {
    if (column_->extent.constant()) return sum;
    constexpr ElementType integer = ElementType::i64;
    const ScalarId columns = epilogue.add({integer, Scalar::Position{constant_index(column_->extent)}}),
                   none = epilogue.add({integer, Scalar::Literal{Tensor(integer, {})}});
    return epilogue.operation(Opcode::select, type_,
                              {epilogue.literal(type_, 0), sum,
                               epilogue.operation(Opcode::equal, ElementType::boolean, {columns, none})});
  }

  /// Adds the epilogue and the stores.
  void finish(Stage& online, const std::vector<Outer>& outer) {
    Expressions epilogue;
    const ScalarId maximum = epilogue.state(type_, 0);
    std::vector<ScalarId> states{maximum};  // by component; of sums, as they are in the stages
    // Copies to the epilogue have results in the place of the buffers that hold them.
    std::function<ScalarId(std::size_t)> result_of;
    const auto replace = [&](std::size_t component) {
      return [&, component](const Scalar& scalar) -> std::optional<ScalarId> {
        if (std::holds_alternative<Scalar::State>(scalar.definition)) return states[component];
        const auto* load = std::get_if<Scalar::Load>(&scalar.definition);
        if (load == nullptr) return std::nullopt;
        if (is_of_columns(load->access.buffer)) is_refused_ = true;
        if (!results_.contains(load->access.buffer)) return std::nullopt;
        is_refused_ = is_refused_ || !load->bounds.empty();
        return result_of(results_.at(load->access.buffer));
      };
    };
    const auto copy = [&](const Stage& stage, std::size_t component, ScalarId id) {
      const std::vector<Scalar> scalars = scalars_of(stage);
      return Copier(scalars, epilogue, replace(component)).copy(id);
    };
    result_of = [&](std::size_t component) {
      const Stage& stage = component == 0 ? *maximum_ : *sums_[component - 1];
      return copy(stage, component, stage.stores[0].value);
    };
    // exp(x - shift) is exp(x - maximum) exp(maximum - shift), of which the last is mostly 1.
    const ScalarId correction = epilogue.operation(
        Opcode::exp, type_, {epilogue.operation(Opcode::subtract, type_, {maximum, result_of(0)})});
    for (std::size_t c = 1; c < outer.size(); ++c) {
      ScalarId sum = epilogue.operation(Opcode::multiply, type_, {epilogue.state(type_, c), correction});
      for (const auto& [factor, divides] : outer[c]) {
        const ScalarId by = Copier(body_.all, epilogue, replace(c)).copy(factor);
        sum = epilogue.operation(divides ? Opcode::divide : Opcode::multiply, type_, {sum, by});
      }
      states.push_back(or_none(sum, epilogue));
    }
    const std::vector<Scalar> scalars = scalars_of(*sums_.back());
    Copier last(scalars, epilogue, replace(outer.size() - 1));
    for (Store store : sums_.back()->stores) {
      visit_uses(store, dlvm::Overloaded{[&](ScalarId& value) { value = last.copy(value); },
                                         [&](Index& index) { index = last.copy(index); }});
      if (const ElementType stored = kernel_.buffers[store.access.buffer].element; is_short_float(stored))
        store.value = epilogue.operation(Opcode::dataTypeCast, stored, {store.value});
      online.stores.push_back(std::move(store));
    }
    // An epilogue's scalars follow those of the body.
    const auto first = static_cast<ScalarId>(online.body.size());
    const dlvm::Overloaded shift_index{[](AxisId axis) { return axis_index(axis); },
                                       [&](Loaded loaded) { return loaded_index(loaded.scalar + first); }};
    const dlvm::Overloaded shift{[&](ScalarId& operand) { operand += first; },
                                 [&](Index& index) { index = substitute(index, shift_index); }};
    online.epilogue = std::move(epilogue.all);
    for (Scalar& scalar : online.epilogue) visit_uses(scalar, shift);
    for (Store& store : online.stores) visit_uses(store, shift);
  }

  // ----------------------------------------------------------------------------------------- the new tree

  void replace_stages(Stage online) {
    Block columns;
    columns.axes.push_back(*column_);
    columns.axes[0].kind = AxisKind::parallel;
    Stage product = *product_;
    const AxisId own = only_axis(product, AxisKind::parallel)->id;
    std::erase_if(product.axes, [&](const Axis& axis) { return axis.id == own; });
    rename_axes(product, {{own, column_->id}});
    Access& score = product.stores[0].access;
    kernel_.buffers[score.buffer].shape.clear();
    kernel_.buffers[score.buffer].depth = depth_ + 1;
    score.indices.clear();
    visit_accesses(online, [&](Access& access, const auto&, bool) {
      if (access.buffer == score.buffer) access.indices.clear();
    });
    columns.children.emplace_back(std::move(product));
    columns.children.emplace_back(std::move(online));
    rows_->children.clear();
    rows_->children.emplace_back(std::move(columns));
  }

  /// Removes the local buffers that no stage accesses any longer.
  void remove_buffers() {
    std::set<BufferId> accessed;
    walk<Stage>(std::as_const(kernel_.root), [&](const Stage& stage) {
      visit_accesses(stage, [&](const Access& access, const auto&, bool) { accessed.insert(access.buffer); });
    });
    std::map<BufferId, BufferId> names;
    std::vector<Buffer> buffers;
    for (BufferId id = 0; id < kernel_.buffers.size(); ++id) {
      if (kernel_.buffers[id].space == Buffer::Space::local && !accessed.contains(id)) continue;
      names[id] = static_cast<BufferId>(buffers.size());
      buffers.push_back(std::move(kernel_.buffers[id]));
    }
    kernel_.buffers = std::move(buffers);
    walk<Stage>(kernel_.root, [&](Stage& stage) {
      visit_accesses(stage,
                     [&](Access& access, const auto&, bool) { access.buffer = names.at(access.buffer); });
    });
  }

  Kernel kernel_;
  Block* rows_ = nullptr;
  std::uint32_t depth_ = 0;  ///< of `rows_`
  const Stage *product_ = nullptr, *maximum_ = nullptr;
  std::vector<const Stage*> sums_;
  std::map<BufferId, const Stage*> elements_;  ///< the elementwise stage that computes each buffer
  std::optional<Axis> column_;                 ///< the axis of the new block
  static constexpr ElementType type_ = ElementType::f32;

  Expressions body_;
  std::map<BufferId, ScalarId> values_;  ///< the elements of buffers that are computed there
  ScalarId weight_ = 0;
  std::vector<Dependence> dependences_;      ///< of the scalars of `body_`
  std::map<BufferId, std::size_t> results_;  ///< the component of the state of each buffer of a result
  bool is_refused_ = false;                  ///< a column reads an element of another one
};

}  // namespace

std::optional<Kernel> combine_online(const Kernel& kernel) { return Rewriter(kernel).run(); }

}  // namespace codegen::kernel
