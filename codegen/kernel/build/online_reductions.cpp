#include "codegen/kernel/build/online_reductions.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "codegen/kernel/build/expressions.h"
#include "codegen/kernel/build/monoid.h"
#include "codegen/kernel/build/weighted_rows.h"
#include "codegen/kernel/ir/contraction.h"
#include "codegen/kernel/ir/rename_axes.h"
#include "codegen/kernel/ir/walk.h"
#include "dlvm/support/overloaded.h"

namespace codegen::kernel {
namespace {

using dlvm::Opcode;
using dlvm::Tensor;

/// The type of the maximum and of the sums.
constexpr ElementType sum_type = ElementType::f32;

std::vector<Scalar> scalars_of(const Stage& stage) {
  std::vector<Scalar> all = stage.body;
  all.insert(all.end(), stage.epilogue.begin(), stage.epilogue.end());
  return all;
}

/// Rewrites one kernel.
class Rewriter {
 public:
  explicit Rewriter(Kernel kernel) : kernel_(std::move(kernel)) {}

  std::optional<Kernel> run() {
    auto rows = find_weighted_rows(kernel_);
    if (!rows || rows->column.extent.constant().value_or(few_columns + 1) <= few_columns) return std::nullopt;
    rows_ = std::move(*rows);
    auto online = combine();
    if (!online) return std::nullopt;
    replace_stages(std::move(*online));
    remove_buffers();
    return std::move(kernel_);
  }

 private:
  /// Returns the scalar that stands for the result in `body_`; what is computed from it becomes a part of the
  /// epilogue.
  ScalarId result(const Access& access) { return body_.add({sum_type, Scalar::Load{access, {}, 0}}); }
  /// Refuses the kernel if the result is read elsewhere than where it is stored.
  void check_result(const Scalar::Load& load) {
    const Result& result = results_.at(load.access.buffer);
    is_refused_ = is_refused_ || !load.bounds.empty() || load.access.indices != result.store->access.indices;
  }

  // ------------------------------------------------------------------------------------- the new reduction

  /// Copies a scalar of the stage to `body_`: its axis over columns is that of the new block, and elements
  /// that elementwise stages compute are computed here. What belongs to a column is read for this one only.
  ScalarId copy_element(const Stage& stage, ScalarId id) {
    const std::vector<Scalar> scalars = scalars_of(stage);
    const Axis* own = only_axis(stage, stage.reduction ? AxisKind::reduced : AxisKind::parallel);
    Copier copier(scalars, body_, [&](const Scalar& scalar) -> std::optional<ScalarId> {
      const auto* load = std::get_if<Scalar::Load>(&scalar.definition);
      if (load == nullptr) return std::nullopt;
      if (results_.contains(load->access.buffer)) {
        check_result(*load);
        return result(load->access);
      }
      if (!rows_.is_of_columns(load->access.buffer)) return std::nullopt;
      if (load->access.indices != Indices{axis_index(own->id)} || !load->bounds.empty()) is_refused_ = true;
      const auto found = rows_.elements.find(load->access.buffer);
      if (found == rows_.elements.end() || is_refused_) return std::nullopt;
      const auto [value, is_new] = values_.try_emplace(found->first);
      if (is_new) value->second = copy_element(*found->second.stage, found->second.value);
      return value->second;
    });
    copier.rename(own->id, rows_.column.id);
    return copier.copy(id);
  }

  /// Says what a scalar of `body_` depends on.
  struct Dependence {
    bool column = false, result = false, weight = false;
  };
  Dependence dependence(ScalarId id) {
    for (auto next = static_cast<ScalarId>(dependences_.size()); next <= id; ++next) {
      Dependence own;
      const auto add = [&](const Dependence& of) {
        own = {own.column || of.column, own.result || of.result, own.weight || of.weight};
      };
      const dlvm::Overloaded in_index{[&](AxisId axis) { add({axis == rows_.column.id, false, false}); },
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
    if (factors.empty()) return body_.literal(sum_type, 1);
    ScalarId product = factors[0];
    for (const ScalarId factor : std::span(factors).subspan(1))
      product = body_.operation(Opcode::multiply, sum_type, {product, factor});
    return product;
  }

  /// Finds the factors of the last sum, and returns its contraction if it is over the same rows as the
  /// scores. What is weighted stays its left operand.
  std::optional<Contraction> operands_of(const Stage& sum, Factors& factors) {
    if (!std::ranges::is_permutation(sum.contraction->m, rows_.product->contraction->m)) return std::nullopt;
    Contraction c = *sum.contraction;
    // Weights take the place of scores, and are multiplied with the right operand.
    if (kernel_.buffers[rows_.product->stores[0].access.buffer].element !=
        sum.body[source_of(sum, c.right)].type)
      return std::nullopt;
    Factors right;
    add_factors(copy_element(sum, c.left), factors);
    add_factors(copy_element(sum, c.right), right);
    c.k = {rows_.column.id};
    c.left = product_of(factors.elements);
    c.right = product_of(right.elements);
    factors.outer.insert(factors.outer.end(), right.outer.begin(), right.outer.end());
    factors.are_others = factors.are_others || right.are_others || right.weights > 0;
    return c;
  }

  /// Returns the stage that computes the maximum and all sums, or nothing if they are of another form.
  std::optional<Stage> combine() {
    const ScalarId x = copy_element(*rows_.maximum, rows_.maximum->reduction->inputs[0]);
    add_result(*rows_.maximum, 0);
    weight_ = body_.operation(Opcode::exp, sum_type,
                              {body_.operation(Opcode::subtract, sum_type, {x, result(shift().access)})});
    std::vector<ScalarId> inputs{x};
    std::optional<Contraction> contraction;
    for (const Stage* sum : rows_.sums) {
      if (sum->reduction->types[0] != sum_type) return std::nullopt;
      Factors factors;
      if (sum == rows_.sums.back()) {
        contraction = operands_of(*sum, factors);
        if (!contraction) return std::nullopt;
        inputs.push_back(
            body_.operation(Opcode::multiply, sum_type, {contraction->left, contraction->right}));
      } else {
        add_factors(copy_element(*sum, sum->reduction->inputs[0]), factors);
        inputs.push_back(product_of(factors.elements));
        add_result(*sum, inputs.size() - 1);
      }
      if (factors.weights != 1 || factors.are_others || is_refused_) return std::nullopt;
      outer_.push_back(std::move(factors.outer));
    }
    if (dependence(x).result || is_refused_) return std::nullopt;

    Stage online;
    online.name = rows_.sums.back()->name;
    online.locations = rows_.sums.back()->locations;
    for (const Axis& axis : rows_.sums.back()->axes)
      if (axis.kind == AxisKind::parallel) online.axes.push_back(axis);
    online.accumulated = {rows_.column.id};
    Expressions body;
    Copier kept(body_.all, body);
    for (ScalarId& input : inputs) input = kept.copy(input);
    for (ScalarId* operand : {&contraction->left, &contraction->right}) *operand = kept.copy(*operand);
    online.contraction = std::move(contraction);
    online.body = std::move(body.all);
    online.reduction = build_weighted_sums_monoid(inputs.size() - 1, sum_type);
    online.reduction->inputs = std::move(inputs);
    finish(online);
    if (is_refused_) return std::nullopt;
    return online;
  }

  /// Lets what follows read the result of the component where the stage stores it.
  void add_result(const Stage& stage, std::size_t component) {
    for (const Store& store : stage.stores) {
      results_[store.access.buffer] = {component, &store};
      if (is_argument(store)) kept_.insert(component);
    }
  }
  bool is_argument(const Store& store) const {
    return kernel_.buffers[store.access.buffer].space == Buffer::Space::argument;
  }

  /// Returns the store of what is subtracted from scores.
  const Store& shift() const { return rows_.maximum->stores[0]; }

  const Stage& stage_of(std::size_t component) const {
    return component == 0 ? *rows_.maximum : *rows_.sums[component - 1];
  }

  // -------------------------------------------------------------------------------------------- results

  /// Returns the sum, or 0 if there are no columns: then it has no terms, and its factors do not matter.
  ScalarId or_none(ScalarId sum, Expressions& epilogue) const {
    if (rows_.column.extent.constant()) return sum;
    constexpr ElementType integer = ElementType::i64;
    const ScalarId columns = epilogue.add({integer, Scalar::Position{constant_index(rows_.column.extent)}}),
                   none = epilogue.add({integer, Scalar::Literal{Tensor(integer, {})}});
    return epilogue.operation(Opcode::select, sum_type,
                              {epilogue.literal(sum_type, 0), sum,
                               epilogue.operation(Opcode::equal, ElementType::boolean, {columns, none})});
  }

  /// Adds the epilogue and the stores.
  void finish(Stage& online) {
    Expressions epilogue;
    const ScalarId maximum = epilogue.state(sum_type, 0);
    std::vector<ScalarId> states{maximum};  // by component; of sums, as they are in the stages
    // Copies to the epilogue have results in the place of the buffers that hold them.
    std::function<ScalarId(const Result&)> result_of;
    const auto replace = [&](std::size_t component) {
      return [&, component](const Scalar& scalar) -> std::optional<ScalarId> {
        if (std::holds_alternative<Scalar::State>(scalar.definition)) return states[component];
        const auto* load = std::get_if<Scalar::Load>(&scalar.definition);
        if (load == nullptr) return std::nullopt;
        if (rows_.is_of_columns(load->access.buffer)) is_refused_ = true;
        if (!results_.contains(load->access.buffer)) return std::nullopt;
        check_result(*load);
        return result_of(results_.at(load->access.buffer));
      };
    };
    result_of = [&](const Result& result) {
      const std::vector<Scalar> scalars = scalars_of(stage_of(result.component));
      return Copier(scalars, epilogue, replace(result.component)).copy(result.store->value);
    };
    // exp(x - shift) is exp(x - maximum) exp(maximum - shift), of which the last is mostly 1.
    const ScalarId correction = epilogue.operation(
        Opcode::exp, sum_type,
        {epilogue.operation(Opcode::subtract, sum_type, {maximum, result_of({0, &shift()})})});
    for (std::size_t c = 1; c < outer_.size(); ++c) {
      ScalarId sum =
          epilogue.operation(Opcode::multiply, sum_type, {epilogue.state(sum_type, c), correction});
      for (const auto& [factor, divides] : outer_[c]) {
        const ScalarId by = Copier(body_.all, epilogue, replace(c)).copy(factor);
        sum = epilogue.operation(divides ? Opcode::divide : Opcode::multiply, sum_type, {sum, by});
      }
      states.push_back(or_none(sum, epilogue));
    }
    const auto add_stores = [&](std::size_t component, const std::vector<Bound>& bounds) {
      const std::vector<Scalar> scalars = scalars_of(stage_of(component));
      Copier last(scalars, epilogue, replace(component));
      for (Store store : stage_of(component).stores) {
        if (!bounds.empty() && !is_argument(store)) continue;
        visit_uses(store, dlvm::Overloaded{[&](ScalarId& value) { value = last.copy(value); },
                                           [&](Index& index) { index = last.copy(index); }});
        if (const ElementType stored = kernel_.buffers[store.access.buffer].element; is_short_float(stored))
          store.value = epilogue.operation(Opcode::dataTypeCast, stored, {store.value});
        store.bounds.insert(store.bounds.end(), bounds.begin(), bounds.end());
        store.distinct = store.distinct || !bounds.empty();
        online.stores.push_back(std::move(store));
      }
    };
    std::vector<Bound> is_first;  // of the points that have the row's maximum and sums
    for (const Axis& axis : online.axes) {
      is_first.push_back({axis_index(axis.id), 1});
      is_refused_ = is_refused_ || (!kept_.empty() && axis.extent.constant().value_or(0) == 0);
    }
    for (const std::size_t component : kept_) add_stores(component, is_first);
    add_stores(outer_.size() - 1, {});
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
    columns.axes.push_back(rows_.column);
    columns.axes[0].kind = AxisKind::parallel;
    Stage product = *rows_.product;
    const AxisId own = only_axis(product, AxisKind::parallel)->id;
    std::erase_if(product.axes, [&](const Axis& axis) { return axis.id == own; });
    rename_axes(product, {{own, rows_.column.id}});
    const BufferId score = product.stores[0].access.buffer;
    kernel_.buffers[score].shape.clear();
    kernel_.buffers[score].depth = rows_.depth + 1;
    product.stores[0].access.indices.clear();
    columns.children.emplace_back(std::move(product));
    visit_accesses(online, [&](Access& access, const auto&, bool) {
      if (access.buffer == score) access.indices.clear();
    });
    columns.children.emplace_back(std::move(online));
    Block& rows = rows_.depth == 0 ? kernel_.root : std::get<Block>(kernel_.root.children.front());
    rows.children.clear();
    rows.children.emplace_back(std::move(columns));
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
  WeightedRows rows_;
  Expressions body_;
  std::map<BufferId, ScalarId> values_;  ///< the elements of buffers that are computed there
  ScalarId weight_ = 0;
  std::vector<Dependence> dependences_;  ///< of the scalars of `body_`
  /// A result: the component of the state that it is computed from, and its store.
  struct Result {
    std::size_t component = 0;
    const Store* store = nullptr;
  };
  std::map<BufferId, Result> results_;  ///< by buffer
  std::set<std::size_t> kept_;          ///< the components of which results are arguments
  std::vector<Outer> outer_{{}};        ///< of each component
  bool is_refused_ = false;             ///< something is read that the new stage does not have
};

}  // namespace

std::optional<Kernel> combine_online(const Kernel& kernel) { return Rewriter(kernel).run(); }

}  // namespace codegen::kernel
