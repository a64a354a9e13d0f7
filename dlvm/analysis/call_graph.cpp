#include "dlvm/analysis/call_graph.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace dlvm {
namespace {

bool has_function_part(Opcode opcode) {
  return std::ranges::any_of(definition(opcode).parts, [](const Part& part) {
    return part.kind == PartKind::function || part.kind == PartKind::combinator;
  });
}

/// Returns whether instructions of the opcode may name functions.
bool names_functions(Opcode opcode) {
  static const auto named = [] {
    std::array<bool, opcode_count> all{};
    for (std::size_t i = 0; i < opcode_count; ++i) all[i] = has_function_part(static_cast<Opcode>(i));
    return all;
  }();
  return named[static_cast<std::size_t>(opcode)];
}

}  // namespace

std::vector<const Function*> references(const Instruction& instruction) {
  std::vector<const Function*> out;
  if (!names_functions(instruction.opcode())) return out;
  for (const Attribute& attribute : instruction.attributes()) {
    if (const auto* callee = std::get_if<const Function*>(&attribute);
        callee != nullptr && *callee != nullptr)
      out.push_back(*callee);
    if (const auto* combinator = std::get_if<Combinator>(&attribute))
      if (combinator->function != nullptr) out.push_back(combinator->function);
  }
  return out;
}

std::vector<const Function*> references(const Function& function) {
  std::vector<const Function*> out;
  if (function.gradient) out.push_back(function.gradient->of);
  if (function.adjoint != nullptr) out.push_back(function.adjoint);
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions())
      for (const Function* each : references(*instruction)) out.push_back(each);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::unordered_set<const Function*> reached_functions(std::vector<const Function*> open) {
  std::unordered_set<const Function*> reached;
  while (!open.empty()) {
    const Function* function = open.back();
    open.pop_back();
    if (!reached.insert(function).second) continue;
    for (const Function* left : references(*function)) open.push_back(left);
  }
  return reached;
}

std::unordered_set<const Function*> differentiated_functions(const Module& module) {
  std::vector<const Function*> declared;
  for (const auto& function : module.functions())
    if (function->gradient) declared.push_back(function.get());
  return reached_functions(std::move(declared));
}

namespace {

using Edges = std::vector<const Function*> (*)(const Function&);

std::vector<Component> components_of(const Module& module, Edges edges) {
  struct Node {
    std::vector<const Function*> edges;
    std::size_t next = 0, order = 0, low = 0;
    bool open = false, self = false;
  };
  std::unordered_map<const Function*, Node> nodes;
  std::unordered_map<const Function*, Function*> owned;
  for (const auto& function : module.functions()) owned[function.get()] = function.get();
  std::vector<const Function*> walk, open;
  std::vector<Component> out;
  std::size_t count = 0;
  const auto enter = [&](const Function* function) {
    Node& node = nodes[function];
    node.edges = edges(*function);
    node.self = std::find(node.edges.begin(), node.edges.end(), function) != node.edges.end();
    node.order = node.low = ++count;
    node.open = true;
    walk.push_back(function);
    open.push_back(function);
  };
  const auto close = [&](const Function* root, bool self) {
    Component component;
    const Function* last = nullptr;
    do {
      last = open.back();
      open.pop_back();
      nodes[last].open = false;
      if (const auto found = owned.find(last); found != owned.end())
        component.functions.push_back(found->second);
    } while (last != root);
    component.recursive = self || component.functions.size() > 1;
    out.push_back(std::move(component));
  };
  for (const auto& start : module.functions()) {
    if (nodes.contains(start.get())) continue;
    enter(start.get());
    while (!walk.empty()) {
      const Function* function = walk.back();
      Node& node = nodes[function];
      if (node.next < node.edges.size()) {
        const Function* to = node.edges[node.next++];
        const auto found = nodes.find(to);
        if (found == nodes.end())
          enter(to);
        else if (found->second.open)
          node.low = std::min(node.low, found->second.order);
        continue;
      }
      walk.pop_back();
      if (!walk.empty()) nodes[walk.back()].low = std::min(nodes[walk.back()].low, node.low);
      if (node.low == node.order) close(function, node.self);
    }
  }
  return out;
}

}  // namespace

std::vector<Component> call_components(const Module& module) { return components_of(module, references); }

std::vector<Component> differentiated_components(const Module& module) {
  return components_of(module, [](const Function& function) {
    return function.adjoint == nullptr ? references(function) : std::vector<const Function*>();
  });
}

}  // namespace dlvm
