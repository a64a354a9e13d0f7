#include "dlvm/call/weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "dlvm/ir/elements.h"
#include "dlvm/ir/spelling.h"

namespace dlvm {
namespace {

using Extents = std::vector<std::int64_t>;

Extents swapped(Extents extents) {
  std::swap(extents[extents.size() - 1], extents[extents.size() - 2]);
  return extents;
}

/// With the last two axes in the other order.
Tensor transposed(const Tensor& tensor) {
  Tensor result(tensor.element(), swapped(tensor.extents()));
  elements::copy(tensor, {0, swapped(elements::strides_of(tensor.extents()))}, result,
                 {0, elements::strides_of(result.extents())}, result.extents());
  return result;
}

/// The contents that a file must have for the tensor.
Type type_in_file(const StoredTensor& stored) {
  Shape shape = stored.type.shape();
  if (stored.transposed_in_file) std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  return Type::tensor(stored.type.element(), std::move(shape));
}

bool same_extents(const Tensor& tensor, const Type& type) {
  return std::ranges::equal(tensor.extents(), type.shape(),
                            [](std::int64_t extent, const Extent& expected) { return expected.is(extent); });
}

std::string subject(const StoredTensor& stored) {
  if (stored.file_name.empty() && !stored.transposed_in_file) return fmt::format("'{}'", stored.name);
  return fmt::format("'{}' ({}{})", stored.name_in_file(), stored.name,
                     stored.transposed_in_file ? ", transposed" : "");
}

/// Returns the names that files of the module have and this one lacks.
std::vector<std::string_view> missing_names(const Module& module, const NamedTensors& file) {
  std::vector<std::string_view> missing;
  for (const StoredTensor& stored : module.tensors)
    if (std::ranges::find(file, stored.name_in_file(), &NamedTensor::name) == file.end())
      missing.push_back(stored.name_in_file());
  return missing;
}

/// Returns the likely fix where the file has the last two axes in the other order.
std::string fix_of_order(const StoredTensor& stored, const Tensor& given, const Type& expected) {
  if (expected.rank() < 2 || given.extents().size() != expected.rank()) return "";
  Shape shape = expected.shape();
  std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  if (!same_extents(given, Type::tensor(expected.element(), shape))) return "";
  if (stored.transposed_in_file) return "; the file has its axes in the module's order: leave the ^T out";
  return fmt::format("; the file has its last two axes in the other order: from \"{}\"^T",
                     stored.name_in_file());
}

/// Returns whether this is the counter that PyTorch's batch normalizations keep beside their running
/// statistics, and that nothing here needs. The runtime passes over the same ones.
bool is_counter_of_batches(const NamedTensor& given) {
  return given.name.ends_with("num_batches_tracked") && given.tensor.element() == ElementType::i64 &&
         given.tensor.extents().empty();
}

}  // namespace

std::optional<NamedTensors> weights_of_file(const Module& module, NamedTensors file,
                                            std::vector<std::string>& problems) {
  const std::size_t before = problems.size();
  const std::vector<std::string_view> missing = missing_names(module, file);
  bool has_unknown = false;
  std::unordered_map<std::string_view, const StoredTensor*> known;
  for (const StoredTensor& stored : module.tensors) known.emplace(stored.name_in_file(), &stored);
  NamedTensors weights;
  for (NamedTensor& given : file) {
    const auto found = known.find(given.name);
    if (found == known.end()) {
      if (is_counter_of_batches(given)) continue;
      problems.push_back(fmt::format("the module has no parameter, constant or state '{}'", given.name));
      has_unknown = true;
      continue;
    }
    const StoredTensor& stored = *found->second;
    const Type expected = type_in_file(stored);
    const ElementType wanted = expected.element(), written = given.tensor.element();
    const bool converts = is_floating(written) && is_floating(wanted);  // as the runtime loads them
    if ((written != wanted && !converts) || !same_extents(given.tensor, expected)) {
      problems.push_back(fmt::format("{} {} is {} in the file, but the module needs {}{}", word(stored.role),
                                     subject(stored), spelling(given.tensor), spelling(expected),
                                     fix_of_order(stored, given.tensor, expected)));
      continue;
    }
    if (stored.transposed_in_file) given.tensor = transposed(given.tensor);
    if (written != wanted) given.tensor = elements::converted(given.tensor, wanted);
    weights.push_back({stored.name, std::move(given.tensor)});
  }
  if (has_unknown && !missing.empty())
    problems.push_back(fmt::format("the module has what the file lacks: {}", fmt::join(missing, ", ")));
  if (problems.size() != before) return std::nullopt;
  return weights;
}

}  // namespace dlvm
