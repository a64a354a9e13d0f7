#include "dlvm/call/weights.h"

#include <fmt/format.h>

#include <algorithm>

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

/// What a file has to have for the tensor.
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

}  // namespace

std::optional<NamedTensors> weights_of_file(const Module& module, NamedTensors file,
                                            std::vector<std::string>& problems) {
  const std::size_t before = problems.size();
  std::vector<std::string> known;
  for (const StoredTensor& stored : module.tensors) known.push_back(stored.name_in_file());
  NamedTensors weights;
  for (NamedTensor& given : file) {
    const auto found =
        std::ranges::find(module.tensors, given.name, [](const StoredTensor& t) { return t.name_in_file(); });
    if (found == module.tensors.end()) {
      problems.push_back(fmt::format("the module has no parameter, constant or state '{}'{}{}", given.name,
                                     known.empty() ? "" : "; it has ", fmt::join(known, ", ")));
      continue;
    }
    const Type expected = type_in_file(*found);
    const ElementType wanted = expected.element(), written = given.tensor.element();
    const bool converts =
        (is_floating(written) && is_floating(wanted)) || (is_integer(written) && is_integer(wanted));
    if ((written != wanted && !converts) || !same_extents(given.tensor, expected)) {
      problems.push_back(fmt::format("{} {} is {}, not {}", word(found->role), subject(*found),
                                     spelling(given.tensor), spelling(expected)));
      continue;
    }
    if (found->transposed_in_file) given.tensor = transposed(given.tensor);
    if (written != wanted && is_floating(wanted)) given.tensor = elements::converted(given.tensor, wanted);
    weights.push_back({found->name, std::move(given.tensor)});
  }
  if (problems.size() != before) return std::nullopt;
  return weights;
}

}  // namespace dlvm
