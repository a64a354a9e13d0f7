// What holds of every kernel:
//   buffers    (B1) arguments stand before locals; (B2) names are unique; (B3) an access has an index for
//   each axis
//              of its buffer; (B4) only locals and arguments marked `written` are stored to; (B5) a local is
//              touched only inside a block of its depth or deeper; (B6) 64 bits count the elements, and no
//              extent is negative; (B7) an argument that is updated is written, and no local is.
//   axes       (A1) ids are unique in the kernel; (A2) axes of blocks are parallel; (A3) an index uses axes
//   of the
//              enclosing blocks and of its stage, in an epilogue no reduced one; (A4) a stage has reduced or
//              ordered axes just where it has a reduction, and not both kinds; (A5) extents, bounds and
//              factors of indices are in the range of 64 bits, and divisors are not 0; (A6) stages accumulate
//              the last axes of the block around, all in a block the same ones; (A7) they store to what is
//              not of one point of the block and what nothing else in the block accesses, and no epilogue of
//              theirs reads the block's locals.
//   scalars    (S1) operands stand before their use, an epilogue uses its own scalars alone; (S2) types are
//   those
//              of the instruction table, of the buffer, of the state; (S3) State stands in epilogues and
//              combines alone; (S4) loaded indices and checks are integers.
//   reductions (R1) types, identity, inputs and results are as many as the state has components, of its
//   types;
//              (R2) a combine has states, literals and operations of the state's types.
//   stores     (T1) the value has the buffer's type, and what combines takes two elements and gives one.
//   contractions  (C1) batch, m, n and k are parallel and reduced axes around the stage, each once; k are the
//              reduced ones; (C2) the left operand depends on no axis of n, the right one on none of m.
//   sorts      (O1) stand alone in a stage of parallel axes; (O2) keys and positions are two buffers of one
//              shape, of numbers and of i32, and begin at index 0 of an axis that both have.
#include "codegen/kernel/verify/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "codegen/kernel/ir/walk.h"
#include "codegen/kernel/verify/rules.h"
#include "dlvm/support/overloaded.h"

namespace codegen::kernel {
namespace {

class Verifier {
 public:
  explicit Verifier(const Kernel& kernel) : kernel_(kernel) {}

  std::optional<std::string> run() {
    std::set<std::string> names;
    bool locals = false;
    for (const Buffer& buffer : kernel_.buffers) {
      require(names.insert(buffer.name).second, "B2", "two buffers are called " + buffer.name);
      const bool local = buffer.space == Buffer::Space::local;
      require(local || !locals, "B1", "argument " + buffer.name + " stands after a local");
      locals = locals || local;
      require(!buffer.updated || (buffer.written && !local), "B7", buffer.name + " is no argument to update");
      require(std::ranges::all_of(buffer.shape, is_extent) && dlvm::unit_count(buffer.shape).valid(), "B6",
              buffer.name + " has more elements than 64 bits count, or an extent below 0");
    }
    for (const Guard& guard : kernel_.guards)
      require(is_extent(guard.value), "G1", "a guard has no extent of 64 bits");
    block(kernel_.root, 0);
    return error_;
  }

 private:
  void require(bool holds, std::string_view label, const std::string& text) {
    if (!holds && !error_)
      error_ = fmt::format("kernel @{}{}: {} ({})", kernel_.name, stage_ ? ", stage " + stage_->name : "",
                           text, label);
  }

  void enter(const Axis& axis) {
    require(is_extent(axis.extent), "A5", fmt::format("axis {} has no extent of 64 bits", axis.id));
    require(ids_.insert(axis.id).second, "A1", fmt::format("axis {} stands twice", axis.id));
    visible_[axis.id] = axis.kind;
  }
  void leave(const std::vector<Axis>& axes) {
    for (const Axis& axis : axes) visible_.erase(axis.id);
  }

  void block(const Block& block, std::uint32_t depth) {
    for (const Axis& axis : block.axes) {
      require(axis.kind == AxisKind::parallel, "A2", "an axis of a block is not parallel");
      enter(axis);
    }
    const dlvm::Overloaded check_child{[&](const Block& inner) { this->block(inner, depth + 1); },
                                       [&](const Stage& stage) { this->stage(stage, depth); }};
    accumulation(block, depth);
    for (const auto& child : block.children) std::visit(check_child, child);
    leave(block.axes);
  }

  /// Returns whether the access is to an argument or to a local of a block around the one at `depth`; one to
  /// no buffer at all is an error that is found elsewhere.
  bool is_around(const Access& access, std::uint32_t depth) const {
    if (access.buffer >= kernel_.buffers.size()) return true;
    const Buffer& buffer = kernel_.buffers[access.buffer];
    return buffer.space == Buffer::Space::argument || buffer.depth < depth;
  }
  void accumulation(const Block& block, std::uint32_t depth) {
    const std::vector<AxisId>* accumulated = nullptr;
    for (const auto& child : block.children) {
      stage_ = std::get_if<Stage>(&child);
      if (stage_ == nullptr || stage_->accumulated.empty()) continue;
      const std::size_t count = std::min(stage_->accumulated.size(), block.axes.size());
      require(std::ranges::equal(stage_->accumulated, std::span(block.axes).last(count), {}, {}, &Axis::id) &&
                  (accumulated == nullptr || *accumulated == stage_->accumulated),
              "A6", "it accumulates other axes than the last ones");
      accumulated = &stage_->accumulated;
      std::set<BufferId> stored;
      for (const Store& store : stage_->stores)
        require(is_around(store.access, depth) && !store.combine && stored.insert(store.access.buffer).second,
                "A7", "it stores to a local of the block, twice, or combines");
      std::size_t accesses = 0;
      walk<Stage>(block, [&](const Stage& stage) {
        visit_accesses(
            stage, [&](const Access& access, const auto&, bool) { accesses += stored.count(access.buffer); });
      });
      require(accesses == stage_->stores.size(), "A7", "what it stores is accessed elsewhere");
      for (const Scalar& scalar : stage_->epilogue)
        if (const auto* load = std::get_if<Scalar::Load>(&scalar.definition))
          require(is_around(load->access, depth), "A7", "its epilogue reads a local of the block");
    }
    stage_ = nullptr;
  }

  void stage(const Stage& stage, std::uint32_t depth) {
    stage_ = &stage;
    depth_ = depth;
    bool reduced = false, ordered = false;
    for (const Axis& axis : stage.axes) {
      enter(axis);
      reduced = reduced || axis.kind == AxisKind::reduced;
      ordered = ordered || axis.kind == AxisKind::ordered;
    }
    for (const AxisId id : stage.accumulated) {
      require(visible_.contains(id), "A6", fmt::format("axis {} is not around it", id));
      visible_[id] = AxisKind::reduced;
      reduced = true;
    }
    require(!(reduced && ordered) && (reduced || ordered || !stage.reduction) &&
                (!(reduced || ordered) || stage.reduction),
            "A4", "axes and reduction do not fit");
    scalars(stage.body, 0, 0, "body");
    if (stage.reduction) reduction(*stage.reduction);
    if (stage.contraction) contraction(*stage.contraction);
    if (stage.reduction) {
      for (const Axis& axis : stage.axes)
        if (axis.kind == AxisKind::reduced) visible_.erase(axis.id);
      for (const AxisId id : stage.accumulated) visible_.erase(id);
      states_ = stage.reduction->types;
      scalars(stage.epilogue, stage.body.size(), stage.body.size(), "epilogue");
      states_.clear();
    } else {
      require(stage.epilogue.empty(), "A4", "an epilogue without a reduction");
    }
    for (const Store& s : stage.stores) store(s);
    if (stage.sorting) sorting(*stage.sorting);
    leave(stage.axes);
    for (const AxisId id : stage.accumulated) visible_[id] = AxisKind::parallel;
    types_.clear();
    stage_ = nullptr;
  }

  /// Scalars numbered from `first`; those below `floor` are not seen.
  void scalars(const std::vector<Scalar>& all, std::size_t first, std::size_t floor, std::string_view where) {
    floor_ = floor;
    types_.resize(first);
    for (std::size_t i = 0; i < all.size() && !error_; ++i) {
      current_ = fmt::format("%{} of the {}", first + i, where);
      std::visit([&](const auto& d) { definition(all[i].type, d); }, all[i].definition);
      types_.push_back(all[i].type);
    }
    current_ = where;
  }

  std::optional<ElementType> type(ScalarId id) {
    require(id >= floor_ && id < types_.size(), "S1",
            fmt::format("{} uses %{}, which is not defined there", current_, id));
    if (error_) return std::nullopt;
    return types_[id];
  }
  void typed(ScalarId id, ElementType expected) {
    if (const auto t = type(id))
      require(*t == expected, "S2",
              fmt::format("{} uses %{} as {}", current_, id, dlvm::info(expected).name));
  }

  void definition(ElementType type, const Scalar::Literal& l) {
    require(l.value.element() == type && l.value.extents().empty(), "S2",
            current_ + " is a literal of another type");
  }
  void definition(ElementType, const Scalar::Position& p) { index(p.index); }
  void definition(ElementType type, const Scalar::Load& load) {
    if (!access(load.access)) return;
    require(kernel_.buffers[load.access.buffer].element == type, "S2", current_ + " loads another type");
    bounds(load.bounds);
    if (!load.bounds.empty()) typed(load.fill, type);
  }
  void definition(ElementType result, const Scalar::Operation& operation) {
    std::vector<ElementType> operands;
    for (const ScalarId id : operation.operands)
      if (const auto t = type(id)) operands.push_back(*t);
    if (error_) return;
    if (const auto wrong = wrong_operation(operation, result, operands))
      require(false, "S2", current_ + (wrong->starts_with(':') ? "" : " ") + *wrong);
  }
  void definition(ElementType type, const Scalar::State& s) {
    require(s.component < states_.size(), "S3", current_ + " is no state");
    if (!error_) require(states_[s.component] == type, "S2", current_ + " is a state of another type");
  }
  void definition(ElementType type, const Scalar::Check& check) {
    require(dlvm::is_integer(type), "S4", current_ + " checks no integer");
    typed(check.operand, type);
    for (const Index& i : check.position) index(i);
    bounds(check.bounds);
  }
  void definition(ElementType type, const Scalar::Random& r) {
    typed(r.low, type);
    typed(r.high, type);
    typed(r.key, ElementType::u64);
    typed(r.counter, ElementType::u64);
    index(r.index);
  }

  void bounds(const std::vector<Bound>& bounds) {
    for (const Bound& bound : bounds) {
      index(bound.index);
      require(is_extent(bound.end), "A5", current_ + " has a wrong bound");
    }
  }

  void index(const Index& index) {
    if (const auto wrong = wrong_index(index)) require(false, "A5", current_ + ": " + *wrong);
    const auto check_axis = [&](AxisId axis) {
      require(visible_.contains(axis), "A3",
              fmt::format("{} uses axis {}, which is not around it", current_, axis));
    };
    const auto check_loaded = [&](Loaded loaded) {
      if (const auto t = type(loaded.scalar))
        require(dlvm::is_integer(*t), "S4", current_ + " is indexed by no integer");
    };
    visit_atoms(index, dlvm::Overloaded{check_axis, check_loaded});
  }

  bool access(const Access& access) {
    require(access.buffer < kernel_.buffers.size(), "B3", current_ + " touches no buffer of the kernel");
    if (error_) return false;
    const Buffer& buffer = kernel_.buffers[access.buffer];
    require(access.indices.size() == buffer.shape.size(), "B3", current_ + ": indices of " + buffer.name);
    require(buffer.space == Buffer::Space::argument || buffer.depth <= depth_, "B5",
            buffer.name + " is not alive here");
    for (const Index& i : access.indices) index(i);
    return !error_;
  }

  void reduction(const Reduction& r) {
    const std::size_t n = r.types.size();
    require(n > 0 && r.identity.size() == n && r.inputs.size() == n && r.results.size() == n, "R1",
            "sizes of a reduction");
    for (std::size_t i = 0; i < n && !error_; ++i) {
      require(r.identity[i].element() == r.types[i], "R1", "an identity of another type");
      typed(r.inputs[i], r.types[i]);
    }
    if (const auto wrong = wrong_combine(r)) require(false, "R2", *wrong);
  }

  void contraction(const Contraction& c) {
    std::set<AxisId> seen;
    for (const auto* group : {&c.batch, &c.m, &c.n, &c.k})
      for (const AxisId id : *group) {
        const auto found = visible_.find(id);
        require(found != visible_.end() && seen.insert(id).second, "C1",
                fmt::format("contraction axis {}", id));
        if (error_) return;
        require((found->second == AxisKind::reduced) == (group == &c.k), "C1",
                fmt::format("contraction axis {}", id));
      }
    if (!type(c.left) || !type(c.right)) return;
    require(!depends(c.left, c.n), "C2", "the left operand of a contraction depends on an axis of n");
    require(!depends(c.right, c.m), "C2", "the right operand of a contraction depends on an axis of m");
  }
  void sorting(const Sorting& s) {
    current_ = "a sort";
    require(!stage_->reduction && !stage_->contraction && stage_->body.empty() && stage_->stores.empty(),
            "O1", "a stage that sorts computes something else");
    if (!access(s.keys) || !access(s.positions)) return;
    const Buffer &keys = kernel_.buffers[s.keys.buffer], &positions = kernel_.buffers[s.positions.buffer];
    for (const Buffer* buffer : {&keys, &positions})
      require(buffer->written || buffer->space == Buffer::Space::local, "B4",
              buffer->name + " is not written");
    require(s.keys.buffer != s.positions.buffer && keys.shape == positions.shape &&
                keys.element != ElementType::boolean && positions.element == ElementType::i32,
            "O2", "a sort of " + keys.name + " into " + positions.name);
    require(s.axis < keys.shape.size() && keys.shape[s.axis] == s.extent, "O2",
            "a sort along no axis of " + keys.name);
    if (error_) return;
    for (const Access* row : {&s.keys, &s.positions}) {
      const auto first = constant(row->indices[s.axis]);
      require(first && first->is(0), "O2", "a sort of a part of a row");
    }
  }
  /// Returns whether the scalar of the stage's body depends on one of the axes.
  bool depends(ScalarId scalar, const std::vector<AxisId>& axes) const {
    bool found = false;
    std::vector<bool> used(scalar + 1);
    used[scalar] = true;
    const dlvm::Overloaded of_index{[&](AxisId axis) { found = found || std::ranges::count(axes, axis) > 0; },
                                    [&](Loaded loaded) { used[loaded.scalar] = true; }};
    for (ScalarId id = scalar + 1; id-- > 0;)
      if (used[id])
        visit_uses(stage_->body[id],
                   dlvm::Overloaded{[&](ScalarId operand) { used[operand] = true; },
                                    [&](const Index& index) { visit_atoms(index, of_index); }});
    return found;
  }

  void store(const Store& store) {
    current_ = "a store";
    if (!access(store.access)) return;
    const Buffer& buffer = kernel_.buffers[store.access.buffer];
    require(buffer.written || buffer.space == Buffer::Space::local, "B4", buffer.name + " is not written");
    bounds(store.bounds);
    if (store.combine)
      if (const auto wrong = wrong_combinator(*store.combine, buffer.element))
        require(false, "T1", "the instruction that combines " + *wrong);
    if (const auto t = type(store.value))
      require(*t == buffer.element, "T1", "a store of another type to " + buffer.name);
  }

  const Kernel& kernel_;
  const Stage* stage_ = nullptr;
  std::uint32_t depth_ = 0;
  std::set<AxisId> ids_;
  std::map<AxisId, AxisKind> visible_;
  std::vector<ElementType> types_, states_;
  std::size_t floor_ = 0;
  std::string current_;
  std::optional<std::string> error_;
};

}  // namespace

std::optional<std::string> verify(const Kernel& kernel) { return Verifier(kernel).run(); }

}  // namespace codegen::kernel
