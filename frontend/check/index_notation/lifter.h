// The parts of the third step share this class, which only this folder includes.
//
// A value of one element becomes a tensor with an axis for each index that it depends on, in any order: its
// labels. An axis may also run over the positions s*i + d*u of a window (see `Window`), then its label is
// that of the window.
#pragma once

#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "frontend/check/index_notation/equation.h"
#include "frontend/check/index_notation/lift.h"

namespace frontend::check {

/// An index, or a window.
using Label = std::size_t;
using Labels = std::vector<Label>;
inline constexpr Label first_window = Label{1} << 32;
/// While an access is built: an axis that a gather will replace.
inline constexpr Label first_gathered = Label{1} << 33;

struct Lifted {
  Node* node = nullptr;
  Labels labels;  ///< one for each axis
};

/// The positions base + stride * position + step * tap of an axis, seen as one axis of its own.
struct Window {
  IndexId position = 0, tap = 0;
  std::int64_t stride = 1, step = 1;
  Extent constant;  ///< of the subscript
  Label label = 0;
  Extent base;    ///< the least position
  Extent extent;  ///< the number of positions from the least to the last one

  std::int64_t spacing() const { return step < 0 ? -step : step; }
  /// Returns whether the subscripts are the same.
  bool matches(const Window& other) const;
};

/// Returns the accesses and indices in a value of one element.
std::vector<const Node*> leaves_of(const Node* element);

bool contains(const Labels& labels, Label label);
/// Returns the labels of both in ascending order; the order of one that has all.
Labels joined(const Labels& a, const Labels& b);

class Lifter {
 public:
  using Lifts = std::unordered_map<const Node*, Lifted>;

  Lifter(BodyContext& context, const Equation& equation) : context_(context), equation_(equation) {
    find_labels();
  }

  /// Returns the tensor of a value; its node is null after an error.
  Lifted lift(Node* element) { return lift(element, lifts_); }
  /// Returns the tensor with these axes, stretched where it lacks some.
  Node* with_axes(const Lifted& x, const Labels& axes, Location location);

 private:
  // Values (lift.cpp).
  Lifted lift(Node* element, Lifts& lifts);
  /// Lifts a node whose operands have been lifted.
  Lifted lift_node(Node* node, Lifts& lifts);
  Lifted lift_index(const Node& node);
  Lifted operation(const Node& node, const std::vector<Lifted>& operands);
  Lifted call(const Node& node, const std::vector<Lifted>& arguments, std::size_t depth);
  /// Lifts a node in the body of a function that is called, whose operands and variables have been lifted.
  /// Returns false after an error.
  bool lift_in_call(const Node& node, const std::vector<Lifted>& arguments,
                    const std::unordered_map<std::size_t, Lifted>& variables, Lifts& lifts,
                    std::size_t depth);
  Lifted choice(const Node& node, const std::vector<Lifted>& operands);
  /// Reports a value that cannot be computed for all elements at once.
  Lifted not_one_element(const Node& node);
  /// Returns the value with its axes in this order, and axes of extent 1 for the labels that it lacks.
  Node* aligned(const Lifted& x, const Labels& labels, Location location);
  Node* transposed(const Lifted& x, const Labels& labels, Location location);
  Lifted combined(dlvm::Opcode opcode, const Lifted& a, const Lifted& b, Location location);
  Lifted broken() const { return {}; }

  // Accesses (access.cpp).
  Lifted access(const Node& node, Lifts& lifts);
  std::vector<bool> gathered_axes(const Access& access);
  Lifted gathered(const Lifted& x, const std::vector<const Position*>& positions, const Node& node,
                  Lifts& lifts);
  Lifted index_values(const Position& position, const Node& node, Element element, Lifts& lifts);
  /// Returns the window in force that the subscript is, or null.
  const Window* window_of(const Position& position) const;

  // Reductions (reduction.cpp).
  Lifted reduction(const Node& node, Lifts& lifts);
  Lifted mean(const Node& node, const Labels& over, Lifts& lifts);
  Lifted sum(Node* element, const Labels& over, Location location, Lifts& lifts);
  Lifted sum_of_factors(const std::vector<Node*>& factors, const Labels& over, Location location,
                        Lifts& lifts);
  /// Returns the tensor with these axes combined; it is stretched along those that it lacks.
  Lifted reduced(const Lifted& x, dlvm::Opcode opcode, const Labels& over, Location location);
  /// Returns the indices on which a value of one element depends.
  const Labels& labels_of(const Node* element) const;
  Labels position_labels(const Access& access, const Position& position) const;
  void find_labels();

  // Contractions (contraction.cpp).
  /// Returns the sum over the labels of the product; each of them is one of a factor.
  Lifted contraction(std::vector<Lifted> factors, const Labels& over, Location location);
  Lifted contracted(Lifted a, Lifted b, const Labels& over, Location location);
  Lifted dot(const Lifted& a, const Lifted& b, const Labels& over, Location location);

  // Windows (windows.cpp).
  /// Returns the windows in the value whose taps are among the labels `over`.
  std::vector<Window> windows_in(const Node* element, const Labels& over);
  bool only_in(const Window& window, const std::vector<const Node*>& leaves) const;
  void set_range(Window& window, const std::vector<const Node*>& leaves);
  Lifted windowed_reduction(Node* element, dlvm::Opcode opcode, const Labels& over, Location location,
                            Lifts& lifts);
  /// Returns the convolution that the product of the factors is, or nothing if it is none.
  std::optional<Lifted> convolution(const std::vector<Node*>& factors, const Labels& over, Lifts& lifts,
                                    Location location);
  Lifted convolve(Lifted input, Lifted kernel, const std::vector<Window>& windows, const Labels& over,
                  Location location);
  Lifted lift_with(Node* element, const std::vector<Window>& windows);
  Lifted settled(Lifted x, Location location);

  Extent extent_of(Label label) const;
  Shape extents_of(const Labels& labels) const;
  Node* operation(dlvm::Opcode opcode, std::vector<Node*> operands, std::vector<dlvm::Attribute> attributes,
                  Location location, std::optional<Element> element = {});

  BodyContext& context_;
  const Equation& equation_;
  Lifts lifts_;
  std::unordered_map<const Node*, Labels> labels_;
  std::vector<Window> windows_;  ///< in force while values with windows are lifted
  std::map<Label, Extent> window_extents_;
  std::size_t inlined_ = 0;  ///< operations of functions that were called
  Location call_;            ///< the call whose body is lifted
};

}  // namespace frontend::check
