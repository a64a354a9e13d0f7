#include "codegen/schedule/transform/rename.h"

namespace codegen::schedule {
namespace {

class Rename {
 public:
  explicit Rename(const Renaming& renaming) : renaming_(renaming) {}

  void operator()(Let& let) const { let.scalar = rename(let.scalar, renaming_); }
  void operator()(Store& store) const {
    store.access = rename(store.access, renaming_);
    store.bounds = rename(store.bounds, renaming_);
    const auto found = renaming_.values.find(store.value);
    if (found != renaming_.values.end()) store.value = found->second;
  }
  void operator()(Loop& loop) const { loop.bounds = rename(loop.bounds, renaming_); }
  void operator()(Fill& fill) const { tile(fill.to); }
  void operator()(Copy& copy) const {
    tile(copy.from), tile(copy.to);
    copy.bounds = rename(copy.bounds, renaming_);
  }
  void operator()(Convert& convert) const { tile(convert.from), tile(convert.to); }
  void operator()(MultiplyAccumulate& multiply) const {
    tile(multiply.to), tile(multiply.left), tile(multiply.right);
    for (Index* index : {&multiply.rows, &multiply.columns, &multiply.count})
      *index = rename(*index, renaming_);
  }
  void operator()(Reduce& reduce) const {
    for (Tile& from : reduce.from) tile(from);
    for (Access& to : reduce.to) to = rename(to, renaming_);
  }
  void operator()(Origin&) const {}
  void operator()(Allocate&) const {}
  void operator()(Commit&) const {}
  void operator()(Wait&) const {}
  void operator()(Barrier&) const {}

 private:
  void tile(Tile& tile) const {
    for (Index& index : tile.origin) index = rename(index, renaming_);
  }

  const Renaming& renaming_;
};

}  // namespace

void rename(Statement& statement, const Renaming& renaming) { std::visit(Rename(renaming), statement.node); }

Body copy_of(const Body& body, Renaming renaming, LoopId& next_loop, ValueId& next_value) {
  Body result = body;
  for (Statement& statement : result) {
    auto* loop = std::get_if<Loop>(&statement.node);
    if (loop != nullptr) {
      renaming.axes[loop->id] = variable(next_loop);
      loop->id = next_loop++;
    }
    rename(statement, renaming);
    if (loop != nullptr) loop->body = copy_of(loop->body, renaming, next_loop, next_value);
    if (auto* let = std::get_if<Let>(&statement.node)) {
      renaming.values[let->id] = next_value;
      let->id = next_value++;
    }
  }
  return result;
}

}  // namespace codegen::schedule
