#include "codegen/schedule/ir/walk.h"

namespace codegen::schedule {
namespace {

class Walk {
 public:
  explicit Walk(const Visit& visit) : visit_(visit) {}

  void operator()(Let& let) {
    if (auto* load = std::get_if<Scalar::Load>(&let.scalar.definition)) read(load->access);
  }
  void operator()(Store& store) { place(store.access, store.combine.has_value(), true); }
  void operator()(Prefetch& prefetch) { place(prefetch.access, false, false); }
  void operator()(Loop& loop) { visit_buffer_accesses(loop.body, visit_); }
  void operator()(Fill& fill) { write(fill.to); }
  void operator()(Copy& copy) { read(copy.from), write(copy.to); }
  void operator()(Convert& convert) { read(convert.from), write(convert.to); }
  void operator()(MultiplyAccumulate& multiply) {
    read(multiply.left), read(multiply.right), place(multiply.to, true, true);
    if (multiply.ahead) place(*multiply.ahead, false, false);
  }
  void operator()(Reduce& reduce) {
    for (Tile& from : reduce.from) read(from);
    for (Access& to : reduce.to) write(to);
  }
  void operator()(Sort& sort) {
    place(sort.keys, true, true), write(sort.positions);
    for (Tile& tile : sort.scratch) place(tile, true, true);
  }
  void operator()(Origin&) {}
  void operator()(Allocate&) {}
  void operator()(Commit&) {}
  void operator()(Wait&) {}
  void operator()(Barrier&) {}

 private:
  void read(auto& of) { place(of, true, false); }
  void write(auto& of) { place(of, false, true); }
  void place(Access& access, bool read, bool written) {
    visit_({access.buffer, access.indices, nullptr, read, written});
  }
  void place(Tile& tile, bool read, bool written) {
    visit_({tile.buffer, tile.origin, tile.strides.empty() ? &tile.sizes : nullptr, read, written});
  }

  const Visit& visit_;
};

}  // namespace

const Loop* inner_core_loop(const Loop& loop) {
  if (loop.body.empty()) return nullptr;
  const auto* last = std::get_if<Loop>(&loop.body.back().node);
  return last != nullptr && last->kind == LoopKind::core ? last : nullptr;
}

bool has_core_loops(const Schedule& schedule) {
  bool found = false;
  for (const Variant& variant : schedule.variants)
    walk<Loop>(variant.body, [&](const Loop& loop) { found = found || loop.kind == LoopKind::core; });
  return found;
}

Extent core_iterations(const Loop& loop) {
  const Extent own = Extent::floor_divide(loop.extent + Extent(loop.step - 1), loop.step);
  const Loop* inner = inner_core_loop(loop);
  return inner != nullptr ? own * core_iterations(*inner) : own;
}

std::vector<const Loop*> perfect_nest(const Loop& loop) {
  std::vector<const Loop*> loops{&loop};
  while (loops.back()->body.size() == 1) {
    const auto* inner = std::get_if<Loop>(&loops.back()->body[0].node);
    if (inner == nullptr || inner->kind != loop.kind) break;
    loops.push_back(inner);
  }
  return loops;
}

void BufferAccess::put_in_front(const Index& index) const {
  indices.insert(indices.begin(), index);
  if (sizes != nullptr) sizes->insert(sizes->begin(), 1);
}

void visit_buffer_accesses(Statement& statement, const Visit& visit) {
  std::visit(Walk(visit), statement.node);
}

void visit_buffer_accesses(Body& body, const Visit& visit) {
  for (Statement& statement : body) visit_buffer_accesses(statement, visit);
}

}  // namespace codegen::schedule
