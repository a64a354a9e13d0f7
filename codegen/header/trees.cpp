#include "codegen/header/trees.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "codegen/header/members.h"

namespace codegen::header {
namespace {

const Enumeration& cases_of(const Structs& structs, const std::string& source) {
  return *std::ranges::find(structs.enumerations(), source, &Enumeration::source);
}

/// The tables of a class; all structs that it gives have the same ones.
std::span<const Member> tables_of(const Structs& structs, const NodeClass& shown) {
  const std::vector<Member>& members = structs.all()[shown.structs[0]].members;
  return {members.data(), members.size() - 1};  // without the root
}

/// The type of one row of a table, as a parameter.
std::string row_type(const Structs& structs, const Tensor& table) {
  if (is_node(table)) return "Node";
  if (const std::string name = structs.enum_of_elements(table); !name.empty()) return name;
  if (table.extents.size() == 1) return cpp_type(table.type);
  Tensor row = table;
  row.extents.erase(row.extents.begin());
  return fmt::format("tel::View<{}>", view_arguments(row, true));
}

/// `leaf(float leaf_0)`
std::string head_of_case(const Structs& structs, const NodeClass& shown, const Struct::Case& made) {
  std::string parameters;
  for (const Member& each : tables_of(structs, shown))
    if (Struct::is_payload(each, made))
      parameters +=
          fmt::format("{}{} {}", parameters.empty() ? "" : ", ", row_type(structs, *each.tensor), each.name);
  return fmt::format("{}({})", made.name, parameters);
}

/// The function that adds a node of the case.
std::string define_case(const Structs& structs, const NodeClass& shown, std::size_t position) {
  const Enumeration& numbers = cases_of(structs, shown.source);
  const Struct::Case& made = shown.cases[position];
  std::string rows, held;
  for (const Member& each : tables_of(structs, shown)) {
    if (!Struct::is_payload(each, made)) continue;
    const bool is_case = !is_node(*each.tensor) && !structs.enum_of_elements(*each.tensor).empty();
    rows += fmt::format("    tables_.{}.add({});\n", each.name,
                        is_case ? fmt::format("static_cast<std::int32_t>({})", each.name)
                        : each.tensor->extents.size() > 1 ? each.name + ".flat()"
                                                          : each.name);
    if (is_node(*each.tensor)) held += (held.empty() ? "" : ", ") + each.name;
  }
  return fmt::format("  Node {} {{\n{}    return add({}::{}, {{{}}});\n  }}\n",
                     head_of_case(structs, shown, made), rows, numbers.name, numbers.enumerators[position],
                     held);
}

/// The parameter of `rooted` for the struct.
std::string roots_of(const Struct& given) {
  return given.is_batch()
             ? fmt::format("tel::View<{}> roots", view_arguments(*given.members.back().tensor, true))
             : "Node root";
}

/// How many elements a row of the table has.
std::int64_t row_size(const Tensor& table) {
  std::int64_t size = 1;
  for (std::size_t i = 1; i < table.extents.size(); ++i) size *= table.extents[i].constant().value();
  return size;
}

std::string define_rooted(const Struct& given) {
  std::string values;
  for (const Member& each : given.members)
    if (&each != &given.members.back())
      values += fmt::format(".{0} = {{tables_.{0}.data(), tables_.{0}.rows({1})}},\n            ", each.name,
                            row_size(*each.tensor));
  return fmt::format("  {} rooted({}) const noexcept {{\n    return {{{}.{} = {}}};\n  }}\n", given.name,
                     roots_of(given), values, given.members.back().name, given.is_batch() ? "roots" : "root");
}

std::string define_class(const Structs& structs, const NodeClass& shown) {
  std::string text = fmt::format("class {} {{\n public:\n  using Node = std::int64_t;\n\n", shown.name);
  for (std::size_t i = 0; i < shown.cases.size(); ++i) text += define_case(structs, shown, i);
  for (const std::size_t each : shown.structs) text += define_rooted(structs.all()[each]);
  const std::string kinds = cases_of(structs, shown.source).name;
  text += fmt::format(R"(  std::size_t size() const noexcept {{ return depths_.size(); }}
  std::size_t depth() const noexcept {{ return depth_; }}
  std::size_t depth(Node node) const noexcept {{
    const auto position = static_cast<std::size_t>(node);
    return position < depths_.size() ? depths_[position] : 0;
  }}
  void clear() noexcept {{ *this = {{}}; }}

 private:
  Node add({0} of, std::initializer_list<Node> held) {{
    std::size_t below = 0;
    for (const Node node : held)
      if (depth(node) > below) below = depth(node);
    tables_.kind.add(static_cast<std::int32_t>(of));
    depths_.push_back(below + 1);
    if (depths_.back() > depth_) depth_ = depths_.back();
    return static_cast<Node>(depths_.size()) - 1;
  }}

  struct Tables {{
)",
                      kinds);
  for (const Member& each : tables_of(structs, shown))
    text += fmt::format("    detail::Table<{}> {};\n", cpp_type(each.tensor->type), each.name);
  return text +
         "  } tables_;\n"
         "  std::vector<std::size_t> depths_;  // of each node\n"
         "  std::size_t depth_ = 0;\n};\n\n";
}

/// Returns the text of the comment behind a member of the struct.
std::string describe(const Structs& structs, const Struct& shown, const Member& member) {
  const Enumeration& numbers = cases_of(structs, shown.tables_of);
  if (&member == &shown.members.back())
    return shown.is_batch() ? "the numbers of the nodes that are the values"
                            : "the number of the node that is the value";
  if (&member == &shown.members.front())
    return fmt::format("the case of each node, a number of `{}`", numbers.name);
  const auto of = std::ranges::find_if(
      numbers.cases, [&](const std::string& each) { return Struct::is_payload(member, {each, ""}); });
  const std::string each = fmt::format("for each node of the case `{}`", *of);
  if (is_node(*member.tensor)) return each + ", the number of a node";
  const std::string cases = structs.enum_of_elements(*member.tensor);
  return cases.empty() ? each : fmt::format("{}, a number of `{}`", each, cases);
}

}  // namespace

std::string print_tables(const Structs& structs, const Struct& shown) {
  const auto nodes = std::ranges::find(structs.node_classes(), shown.tables_of, &NodeClass::source);
  std::string text = fmt::format(
      "/// {} of the enum `{}` of the network, for inputs: tables of nodes, as a `{}` gives them.\n"
      "/// Every view must be set. A node stands behind those that it holds.\nstruct {} {{\n",
      shown.is_batch() ? "Several values" : "A value", shown.tables_of, nodes->name, shown.name);
  for (const Member& each : shown.members) {
    const bool is_scalar = each.tensor->extents.empty();
    text += fmt::format("  {} {} = {};  ///< {}\n",
                        is_scalar ? cpp_type(each.tensor->type)
                                  : fmt::format("tel::Input<{}>", view_arguments(*each.tensor, true)),
                        each.name, is_scalar ? "0" : "{}", describe(structs, shown, each));
  }
  return text + "};\n\n";
}

std::string declare_node_classes(const Structs& structs) {
  std::string text;
  for (const NodeClass& shown : structs.node_classes()) {
    text += fmt::format(
        "/// Makes values of the enum `{0}` of the network for inputs. A function for each case adds a node, "
        "and\n"
        "/// returns its number, which a node behind it may hold, several of them as well:\n///\n",
        shown.source);
    for (const Struct::Case& each : shown.cases)
      text += fmt::format("///     Node {}\n", head_of_case(structs, shown, each));
    for (const std::size_t each : shown.structs)
      text += fmt::format("///     {} rooted({}) const\n", structs.all()[each].name,
                          roots_of(structs.all()[each]));
    text += fmt::format(
        "///\n/// `rooted` gives an input. It views the tables of this object, so that it is valid until a "
        "node is added\n"
        "/// or the object ends. A number of no node is an error of the call. `size()` is the number of "
        "nodes, `depth()`\n"
        "/// how many stand above each other at most, `depth(node)` the same from a node on; `clear()` "
        "removes all.\n"
        "class {};\n\n",
        shown.name);
  }
  return text;
}

std::string define_node_classes(const Structs& structs) {
  if (structs.node_classes().empty()) return {};
  std::string text = R"(namespace detail {

/// Rows of elements, one behind the other.
template <class T>
class Table {
  using Stored = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;

 public:
  /// A view that is not set adds no row, which the call finds.
  void add(std::span<const T> row) {
    for (std::size_t i = 0; row.data() && i < row.size(); ++i) add(row[i]);
  }
  void add(T element) { elements_.push_back(static_cast<Stored>(element)); }
  const T* data() const noexcept { return reinterpret_cast<const T*>(elements_.data()); }
  /// How many rows of so many elements there are.
  std::size_t rows(std::size_t elements) const noexcept { return elements_.size() / elements; }

 private:
  std::vector<Stored> elements_;
};

}  // namespace detail

)";
  for (const NodeClass& shown : structs.node_classes()) text += define_class(structs, shown);
  return text;
}

}  // namespace codegen::header
