#include "dlvm/call/random_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "dlvm/call/random_trees.h"
#include "dlvm/interpret/evaluation.h"
#include "dlvm/ir/philox.h"

namespace dlvm {
namespace {

constexpr std::int64_t byte_limit = std::int64_t{1} << 30;

/// All dimensions that the function's types, instructions and requirements name.
std::set<std::string> dimension_names(const Function& function) {
  std::set<std::string> names;
  for (const Type& type : function.type().parameters()) type.collect_names(names);
  function.type().result().collect_names(names);
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions()) {
      if (!instruction->is(Trait::terminator)) instruction->type().collect_names(names);
      for (const Attribute& attribute : instruction->attributes())
        if (const auto* shape = std::get_if<Shape>(&attribute))
          for (const Extent& extent : *shape) extent.collect_names(names);
    }
  return names;
}

/// Returns the intersection of the demanded ranges, the first where that is empty; without any, that of the
/// others, and small numbers where there are none.
std::pair<std::int64_t, std::int64_t> bounds(const std::vector<IndexRange>& ranges, ElementType element,
                                             const Extent::Bindings& dimensions) {
  std::optional<std::pair<std::int64_t, std::int64_t>> both;
  const bool demanded = std::ranges::any_of(ranges, &IndexRange::demanded);
  for (const IndexRange& range : ranges) {
    if (range.demanded != demanded) continue;
    const auto first = range.first.evaluate(dimensions), end = range.end.evaluate(dimensions);
    if (!first || !end) continue;
    const auto narrowed = both ? std::pair{std::max(both->first, *first), std::min(both->second, *end)}
                               : std::pair{*first, *end};
    if (!both || narrowed.first < narrowed.second) both = narrowed;
  }
  if (!both)
    both = is_signed(element) ? std::pair{std::int64_t{-4}, std::int64_t{5}}
                              : std::pair{std::int64_t{0}, std::int64_t{5}};
  if (!is_signed(element)) both->first = std::max<std::int64_t>(both->first, 0);
  return *both;
}

/// The range of the number of a case, an i32, which has the names of the enum and its cases behind those of
/// the structs around it; none for other arguments.
std::vector<IndexRange> case_range(const EntryPoint::Argument& argument) {
  const auto around = std::ranges::count(argument.name, '.');
  const auto cases = std::ssize(argument.structs) - around - 1;
  if (cases < 1) return {};
  return {{Extent(0), Extent(cases)}};
}

class RandomCall {
 public:
  RandomCall(const Module& module, const EntryPoint& entry, const EntryInputs& given, Interval interval,
             Draw& draw, std::string& why, double wobble)
      : module_(module),
        entry_(entry),
        given_(given),
        interval_(interval),
        draw_(draw),
        wobble_(wobble),
        why_(why),
        function_(*module.function(entry.function)) {}

  std::optional<EntryCall> run(std::int64_t extent) {
    bind(extent);
    auto ranges = index_ranges(function_);
    for (std::size_t i = 0; i < entry_.arguments.size(); ++i) {
      const auto& argument = entry_.arguments[i];
      if (argument.role != ArgumentRole::input && argument.role != ArgumentRole::cotangent) continue;
      const std::string name = file_name(argument);
      if (std::ranges::any_of(given_.inputs, [&](const NamedTensor& tensor) { return tensor.name == name; }))
        continue;
      const Type& type = function_.type().parameters()[i];
      if (auto range = case_range(argument); !range.empty() && type.element() == ElementType::i32)
        ranges[i] = std::move(range);
      const Interval interval = argument.role == ArgumentRole::cotangent ? Interval{-1, 1} : interval_;
      auto tensor = random_tensor(type, ranges[i], interval);
      if (!tensor) return std::nullopt;
      given_.inputs.push_back({name, std::move(*tensor)});
    }
    if (!given_.weights && !draw_weights()) return std::nullopt;
    std::vector<std::string> problems;
    auto call = prepare_call(module_, entry_, given_, problems);
    why_ = fmt::format("{}", fmt::join(problems, "; "));
    return call;
  }

 private:
  /// Gives a number to each dimension that neither the caller nor a given input binds.
  void bind(std::int64_t extent) {
    std::vector<RuntimeValue> values;
    values.reserve(entry_.arguments.size());
    std::vector<TypedValue> typed;
    for (std::size_t i = 0; i < entry_.arguments.size(); ++i)
      for (const NamedTensor& tensor : given_.inputs)
        if (tensor.name == file_name(entry_.arguments[i])) {
          values.push_back(tensor.tensor);
          typed.push_back({tensor.name, &function_.type().parameters()[i], &values.back()});
        }
    bind_dimensions(typed, given_.dimensions);
    draw_trees(entry_, function_, given_, extent, draw_);
    for (const std::string& name : dimension_names(function_))
      if (given_.dimensions.try_emplace(name, extent).second) ++extent;
  }

  std::optional<Tensor> random_tensor(const Type& type, const std::vector<IndexRange>& ranges,
                                      Interval interval) {
    InterpretError error;
    const auto extents =
        evaluation::concrete_shape(type.shape(), type.element(), given_.dimensions, byte_limit, error);
    if (!extents) {
      why_ = error.text;
      return std::nullopt;
    }
    Tensor tensor(type.element(), *extents);
    const auto [first, end] = bounds(ranges, type.element(), given_.dimensions);
    if (is_integer(type.element()) && first >= end && tensor.size() > 0) {
      why_ = "no index is inside its range";
      return std::nullopt;
    }
    for (std::size_t i = 0; i < tensor.size(); ++i)
      if (is_floating(type.element()))
        tensor.set(i, draw_.real(interval.low, interval.high));
      else
        tensor.set(i, is_boolean(type.element()) ? draw_.integer(0, 2) : draw_.integer(first, end));
    return tensor;
  }

  /// The range of a constant that is the number of a case; none for others.
  std::vector<IndexRange> range_of_case(const StoredTensor& stored) const {
    if (!is_integer(stored.type.element())) return {};
    const auto argument = std::ranges::find(entry_.arguments, stored.name, &EntryPoint::Argument::name);
    return argument != entry_.arguments.end() ? case_range(*argument) : std::vector<IndexRange>();
  }

  /// Initial values, moved a little so that zeros are none; constants without a value at random.
  bool draw_weights() {
    NamedTensors weights;
    for (const StoredTensor& stored : module_.tensors) {
      const Function* initializer = module_.function(stored.initializer);
      if (initializer == nullptr) {
        auto tensor = random_tensor(stored.type, range_of_case(stored), interval_);
        if (!tensor) return false;
        weights.push_back({stored.name, std::move(*tensor)});
        continue;
      }
      auto value = interpret(*initializer, initializer_arguments(*initializer, stored, given_.seed));
      if (!value) {
        why_ = fmt::format("the initial value of '{}': {}", stored.name, value.error->text);
        return false;
      }
      Tensor tensor = value.value.tensor();
      if (stored.role == StoredTensor::Role::parameter)
        for (std::size_t i = 0; i < tensor.size(); ++i)
          tensor.set(i, tensor.real(i) + draw_.real(-wobble_, wobble_));
      weights.push_back({stored.name, std::move(tensor)});
    }
    given_.weights = std::move(weights);
    return true;
  }

  const Module& module_;
  const EntryPoint& entry_;
  EntryInputs given_;
  Interval interval_;
  Draw& draw_;
  double wobble_;
  std::string& why_;
  const Function& function_;
};

}  // namespace

std::uint64_t Draw::next() {
  const auto words = philox(seed_, 0x6472617721, count_++);
  return words[0] | static_cast<std::uint64_t>(words[1]) << 32;
}

double Draw::real(double low, double high) {
  return low + static_cast<double>(next() >> 11) * 0x1p-53 * (high - low);
}

std::int64_t Draw::integer(std::int64_t low, std::int64_t high) {
  if (high <= low) return low;
  return low + static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(high - low));
}

std::optional<EntryCall> random_call(const Module& module, const EntryPoint& entry, const EntryInputs& given,
                                     std::int64_t extent, Interval interval, Draw& draw, std::string& why,
                                     double wobble) {
  return RandomCall(module, entry, given, interval, draw, why, wobble).run(extent);
}

}  // namespace dlvm
