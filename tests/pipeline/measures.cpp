#include "tests/pipeline/measures.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <unordered_map>

#include "dlvm/analysis/bounds.h"
#include "dlvm/analysis/dependence.h"
#include "dlvm/analysis/effects.h"
#include "dlvm/analysis/leaves.h"
#include "dlvm/analysis/memory_peaks.h"
#include "dlvm/analysis/work.h"
#include "dlvm/differentiate/rules.h"
#include "dlvm/text/print.h"

namespace pipeline {
namespace {

using namespace dlvm;

std::int64_t& count_of(Figures& figures, const Instruction& instruction) {
  switch (instruction.opcode()) {
    case Opcode::dot:
    case Opcode::convolve:
      return figures.products;
    case Opcode::reduce:
    case Opcode::reduceWindow:
    case Opcode::scan:
    case Opcode::recurrence:
    case Opcode::argmax:
    case Opcode::argmin:
    case Opcode::argsort:
    case Opcode::sort:
    case Opcode::topk:
      return figures.aggregations;
    default:
      break;
  }
  if (instruction.is(Trait::terminator) || instruction.opcode() == Opcode::apply) return figures.control;
  if (instruction.is(Trait::elementwise)) return figures.elementwise;
  return moves_elements(instruction) || instruction.is(Trait::view) ? figures.moves : figures.others;
}

/// The most bytes of values that are used later, at any instruction, where blocks follow each other as they
/// stand.
std::int64_t peak(const Function& function) {
  std::vector<const Value*> order;
  std::unordered_map<const Value*, std::size_t> last;
  for (const auto& block : function.blocks()) {
    for (const auto& argument : block->arguments()) order.push_back(argument.get());
    for (const auto& instruction : block->instructions()) {
      for (const Value* operand : instruction->operands()) last[operand] = order.size();
      order.push_back(instruction.get());
    }
  }
  std::vector<std::int64_t> change(order.size() + 1);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Instruction* instruction = as_instruction(order[i]);
    if (!last.contains(order[i]) || last[order[i]] < i ||
        (instruction != nullptr && moves_elements(*instruction)))
      continue;
    const std::int64_t bytes = typical_bytes(order[i]->type());
    change[i] += bytes;
    change[last[order[i]]] -= bytes;
  }
  std::int64_t now = 0, most = 0;
  for (const std::int64_t bytes : change) most = std::max(most, now += bytes);
  return most;
}

/// The text without locations in other files, which change when these files do.
std::string own_text(const std::string& text, const std::string& file) {
  std::istringstream lines(text);
  std::string own;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find(" at \"");
    const bool other = at != std::string::npos && line.compare(at + 5, file.size() + 1, file + "\"") != 0;
    own += (other ? line.substr(0, at) : line) + "\n";
  }
  return own;
}

void add(Figures& figures, const Function& function) {
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions()) {
      ++count_of(figures, *instruction);
      figures.work += work(*instruction);
      if (!moves_elements(*instruction)) figures.bytes += typical_bytes(instruction->type());
    }
  figures.peak = std::max(figures.peak, peak(function));
}

/// What is known of the bodies, as counts for people and as a text for the fingerprint.
struct Known {
  std::size_t loops = 0, bounded_loops = 0, integers = 0, exact_integers = 0, instructions = 0, failing = 0,
              peaks = 0;
  std::string text;
};

std::string text_of(const IntegerBounds& bounds) {
  const auto extent = [](const std::optional<Extent>& of) { return of ? of->text() : std::string("?"); };
  return fmt::format("[{}, {}] [{}, {}]", extent(bounds.lower), extent(bounds.upper),
                     static_cast<std::int64_t>(bounds.least), static_cast<std::int64_t>(bounds.most));
}

void add_bounds(Known& known, const Function& function) {
  const ControlFlow flow(function);
  const DominatorTree dominators(flow);
  const LoopNest loops(flow, dominators);
  Bounds bounds(flow, dominators, loops);
  std::unordered_map<const BasicBlock*, std::size_t> numbers;
  for (const auto& block : function.blocks()) numbers.emplace(block.get(), numbers.size());
  for (const auto& loop : loops.loops()) {
    const auto rounds = bounds.rounds(*loop);
    ++known.loops;
    known.bounded_loops += rounds ? 1 : 0;
    known.text += fmt::format("loop {} {} {}\n", rounds ? rounds->times.text() : "?",
                              rounds ? numbers.at(rounds->inside) : 0, bounds.ends(*loop));
  }
  const auto add_value = [&](const Value& value) {
    if (!value.type().is_scalar() || info(value.type().element()).kind == ElementClass::floating) return;
    const IntegerBounds of = bounds.of(value);
    ++known.integers;
    known.exact_integers += of.exact() ? 1 : 0;
    known.text += text_of(of) + "\n";
  };
  for (const auto& block : function.blocks()) {
    const auto runs = bounds.most_runs(*block);
    known.text += fmt::format("runs {}\n", runs ? runs->text() : "?");
    for (const auto& argument : block->arguments()) add_value(*argument);
    for (const auto& instruction : block->instructions()) add_value(*instruction);
  }
}

void add_effects(Known& known, const Function& function, const Effects& effects) {
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions()) {
      const bool fails = effects.may_fail(*instruction);
      ++known.instructions;
      known.failing += fails ? 1 : 0;
      known.text += fails ? 'f' : '.';
    }
  known.text += '\n';
}

void add_peaks(Known& known, const Function& function) {
  if (!function.is_straight_line()) return;
  const auto order = straight_line(function);
  const auto position = [&](const Instruction* of) { return std::ranges::find(order, of) - order.begin(); };
  for (const MemoryPeak& each : memory_peaks(function)) {
    ++known.peaks;
    known.text += fmt::format("peak {} to {}\n", position(each.first), position(each.second));
  }
}

/// Whether the function has values of the types alone that differentiation knows.
bool is_differentiable(const Function& function) {
  const auto is_known = [](const Type& type) {
    const auto is_leaf = [](const Type& part) { return part.is_tensor() || part.is_stack(); };
    return is_leaf(type) || (type.is_tuple() && std::ranges::all_of(type.elements(), is_leaf));
  };
  return std::ranges::all_of(function.blocks(), [&](const auto& block) {
    return std::ranges::all_of(block->arguments(),
                               [&](const auto& each) { return is_known(each->type()); }) &&
           std::ranges::all_of(block->instructions(),
                               [&](const auto& each) { return is_known(each->type()); });
  });
}

void add_dependence(Known& known, const Function& function, Dependence& dependence) {
  for (std::size_t leaf = 0; leaf < leaf_count(function.type().result()); ++leaf) {
    for (const Paths paths : dependence.of_result(function, leaf)) known.text += fmt::format("{} ", paths);
    known.text += '\n';
  }
}

}  // namespace

std::string fingerprint(const std::string& text) {
  std::uint32_t hash = 2166136261U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return fmt::format("{:08x}", hash);
}

std::string columns() {
  return "# function                   dots aggr elems moves ctrl rest            work        bytes         "
         "peak  text\n";
}

std::string row(const std::string& name, const Figures& figures) {
  return fmt::format("  {:26} {:4} {:4} {:5} {:5} {:4} {:4} {:15} {:12} {:12}  {}\n", name, figures.products,
                     figures.aggregations, figures.elementwise, figures.moves, figures.control,
                     figures.others, figures.work, figures.bytes, figures.peak, figures.fingerprint);
}

Figures figures_of(const Module& module, const std::string& file,
                   const std::function<bool(const Function&)>& counts) {
  Figures figures;
  std::string text;
  for (const auto& function : module.functions()) {
    if (!function->has_body() || !counts(*function)) continue;
    add(figures, *function);
    text += own_text(print(*function), file);
  }
  figures.fingerprint = fingerprint(text);
  return figures;
}

std::string analyses(const Module& module) {
  Known known;
  const Effects effects(module);
  Dependence dependence(derivative_edge);
  const bool differentiable = std::ranges::all_of(
      module.functions(), [](const auto& function) { return is_differentiable(*function); });
  for (const auto& function : module.functions()) {
    if (!function->has_body()) continue;
    known.text += function->name() + "\n";
    add_bounds(known, *function);
    add_effects(known, *function, effects);
    add_peaks(known, *function);
    if (differentiable) add_dependence(known, *function, dependence);
  }
  return fmt::format("{} of {} loops bounded, {} of {} integers exact, {} of {} may fail, {} peaks, {}",
                     known.bounded_loops, known.loops, known.exact_integers, known.integers, known.failing,
                     known.instructions, known.peaks, fingerprint(known.text));
}

}  // namespace pipeline
