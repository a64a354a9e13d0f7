#include "codegen/schedule/walk.h"

namespace codegen::schedule {
namespace {

class Walk {
 public:
  explicit Walk(const Visit& visit) : visit_(visit) {}

  void operator()(Let& let) {
    if (auto* load = std::get_if<Scalar::Load>(&let.scalar.definition)) read(load->access);
  }
  void operator()(Store& store) {
    if (store.combine) read(store.access);
    write(store.access);
  }
  void operator()(Loop& loop) { visit_accesses(loop.body, visit_); }
  void operator()(Fill& fill) { write(fill.to); }
  void operator()(Copy& copy) { read(copy.from), write(copy.to); }
  void operator()(Convert& convert) { read(convert.from), write(convert.to); }
  void operator()(MultiplyAccumulate& multiply) {
    read(multiply.left), read(multiply.right), read(multiply.to), write(multiply.to);
  }
  void operator()(Reduce& reduce) {
    for (Tile& from : reduce.from) read(from);
    for (Access& to : reduce.to) write(to);
  }
  void operator()(Origin&) {}
  void operator()(Allocate&) {}
  void operator()(Commit&) {}
  void operator()(Wait&) {}
  void operator()(Barrier&) {}

 private:
  void read(Access& access) { visit_(access.buffer, access.indices, false); }
  void write(Access& access) { visit_(access.buffer, access.indices, true); }
  void read(Tile& tile) { visit_(tile.buffer, tile.origin, false); }
  void write(Tile& tile) { visit_(tile.buffer, tile.origin, true); }

  const Visit& visit_;
};

}  // namespace

void visit_accesses(Statement& statement, const Visit& visit) { std::visit(Walk(visit), statement.node); }

void visit_accesses(Body& body, const Visit& visit) {
  for (Statement& statement : body) visit_accesses(statement, visit);
}

}  // namespace codegen::schedule
