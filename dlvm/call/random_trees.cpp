#include "dlvm/call/random_trees.h"

#include <algorithm>

namespace dlvm {
namespace {

/// The names of the enum and of its cases, of the number of a case or of a node; none for other arguments.
std::vector<std::string> enumeration(const EntryPoint::Argument& argument) {
  const auto dots = std::ranges::count(argument.name, '.');
  if (std::ssize(argument.structs) <= dots) return {};
  return {argument.structs.begin() + dots, argument.structs.end()};
}

class TreeDraw {
 public:
  TreeDraw(const EntryPoint& entry, const Function& function, EntryInputs& given, Draw& draw)
      : entry_(entry), function_(function), given_(given), draw_(draw) {}

  /// Draws the tree of which the argument is the cases of the nodes, if it is that of one.
  void run(std::size_t kind, std::int64_t& extent) {
    const EntryPoint::Argument& argument = entry_.arguments[kind];
    const Type& type = type_of(kind);
    enumeration_ = enumeration(argument);
    constexpr std::string_view ending = ".kind";
    if (enumeration_.empty() || !argument.name.ends_with(ending) || type.rank() != 1 ||
        type.element() != ElementType::i32)
      return;
    name_ = argument.name.substr(0, argument.name.size() - ending.size() + 1);
    find_tables();
    const auto cases = enumeration_.size() - 1;
    if (const Tensor* kinds = given(argument.name)) {
      take(*kinds);
    } else {
      const std::optional<std::int64_t> count = bound(type.shape()[0], extent);
      if (!count) return;
      Tensor drawn(type.element(), {*count});
      for (std::int64_t i = 0; i < *count; ++i)
        drawn.set(static_cast<std::size_t>(i), draw_case(cases, i == 0, i > 0 && i == *count - 1));
      take(drawn);
      given_.inputs.push_back({argument.name, std::move(drawn)});
    }
    bind_rows();
    for (std::size_t i = 0; i < entry_.arguments.size(); ++i)
      if (is_node(i) && given(entry_.arguments[i].name) == nullptr) draw_nodes(i);
  }

 private:
  const Type& type_of(std::size_t i) const { return function_.type().parameters()[i]; }

  const Tensor* given(const std::string& name) const {
    const auto found = std::ranges::find(given_.inputs, name, &NamedTensor::name);
    return found != given_.inputs.end() ? &found->tensor : nullptr;
  }

  bool is_root(std::size_t i) const { return entry_.arguments[i].name == name_ + "root"; }

  /// The case in whose tables the argument is; nothing for other arguments. `t.node_0` is of the case `node`.
  std::optional<std::size_t> case_of(std::size_t i) const {
    const std::string& name = entry_.arguments[i].name;
    if (entry_.arguments[i].role != ArgumentRole::input || !name.starts_with(name_)) return std::nullopt;
    const std::string part = name.substr(name_.size(), name.find('.', name_.size()) - name_.size());
    const auto found =
        std::find(enumeration_.begin() + 1, enumeration_.end(), part.substr(0, part.rfind('_')));
    if (found == enumeration_.end() || part.find('_') == std::string::npos) return std::nullopt;
    return static_cast<std::size_t>(found - enumeration_.begin()) - 1;
  }

  /// Whether the argument is the number of a node of this tree, or a table of such.
  bool is_node(std::size_t i) const {
    return type_of(i).element() == ElementType::i64 && enumeration(entry_.arguments[i]) == enumeration_ &&
           (is_root(i) || case_of(i));
  }

  void find_tables() {
    holds_nodes_.assign(enumeration_.size() - 1, false);
    for (std::size_t i = 0; i < entry_.arguments.size(); ++i)
      if (is_node(i) && !is_root(i)) holds_nodes_[*case_of(i)] = true;
  }

  /// A case that holds no nodes for the first node, and one that does for the last, where there is one.
  std::int64_t draw_case(std::size_t cases, bool first, bool last) {
    std::vector<std::int64_t> possible;
    for (std::size_t i = 0; i < cases; ++i)
      if (holds_nodes_[i] ? !first : !last) possible.push_back(static_cast<std::int64_t>(i));
    if (possible.empty()) return 0;
    return possible[static_cast<std::size_t>(draw_.integer(0, std::ssize(possible)))];
  }

  /// The positions of the nodes of each case.
  void take(const Tensor& kinds) {
    count_ = static_cast<std::int64_t>(kinds.size());
    positions_.assign(enumeration_.size() - 1, {});
    for (std::size_t i = 0; i < kinds.size(); ++i)
      if (const std::int64_t kind = kinds.integer(i); kind >= 0 && kind < std::ssize(positions_))
        positions_[static_cast<std::size_t>(kind)].push_back(static_cast<std::int64_t>(i));
  }

  /// The number of a dimension, which is `extent` where nothing has given it one.
  std::optional<std::int64_t> bound(const Extent& dimension, std::int64_t& extent) {
    if (const auto known = dimension.evaluate(given_.dimensions)) return known;
    std::set<std::string> names;
    dimension.collect_names(names);
    if (names.size() != 1 || !(dimension == Extent::dimension(*names.begin()))) return std::nullopt;
    return given_.dimensions[*names.begin()] = extent++;
  }

  void bind_rows() {
    for (std::size_t i = 0; i < entry_.arguments.size(); ++i)
      if (const auto of_case = case_of(i)) {
        std::int64_t rows = std::ssize(positions_[*of_case]);
        bound(type_of(i).shape()[0], rows);
      }
  }

  void draw_nodes(std::size_t i) {
    const auto of_case = case_of(i);
    std::vector<std::int64_t> extents;
    for (const Extent& extent : type_of(i).shape()) {
      const auto known = extent.evaluate(given_.dimensions);
      if (!known) return;
      extents.push_back(*known);
    }
    if (of_case ? extents[0] != std::ssize(positions_[*of_case]) : count_ == 0) return;
    Tensor nodes(ElementType::i64, extents);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      const std::int64_t end = of_case ? positions_[*of_case][k] : count_;
      nodes.set(k, of_case || !extents.empty() ? draw_.integer(0, end) : end - 1);
    }
    given_.inputs.push_back({entry_.arguments[i].name, std::move(nodes)});
  }

  const EntryPoint& entry_;
  const Function& function_;
  EntryInputs& given_;
  Draw& draw_;
  std::vector<std::string> enumeration_;              ///< its name and its cases
  std::string name_;                                  ///< what the names of the tables begin with: `t.`
  std::vector<bool> holds_nodes_;                     ///< of each case
  std::int64_t count_ = 0;                            ///< of nodes
  std::vector<std::vector<std::int64_t>> positions_;  ///< of the nodes of each case
};

}  // namespace

void draw_trees(const EntryPoint& entry, const Function& function, EntryInputs& given, std::int64_t& extent,
                Draw& draw) {
  for (std::size_t i = 0; i < entry.arguments.size(); ++i)
    if (entry.arguments[i].role == ArgumentRole::input && function.type().parameters()[i].is_tensor())
      TreeDraw(entry, function, given, draw).run(i, extent);
}

}  // namespace dlvm
