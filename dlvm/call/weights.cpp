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

/// The first names that files of the module have.
std::string names_of(const Module& module) {
  constexpr std::size_t shown = 6;
  std::string text;
  for (std::size_t i = 0; i < module.tensors.size() && i < shown; ++i)
    text += (i == 0 ? "; it has " : ", ") + module.tensors[i].name_in_file();
  if (module.tensors.size() > shown) text += fmt::format(" and {} more", module.tensors.size() - shown);
  return text;
}

}  // namespace

std::optional<NamedTensors> weights_of_file(const Module& module, NamedTensors file,
                                            std::vector<std::string>& problems) {
  const std::size_t before = problems.size();
  std::unordered_map<std::string_view, const StoredTensor*> known;
  for (const StoredTensor& stored : module.tensors) known.emplace(stored.name_in_file(), &stored);
  NamedTensors weights;
  for (NamedTensor& given : file) {
    const auto found = known.find(given.name);
    if (found == known.end()) {
      problems.push_back(
          fmt::format("the module has no parameter, constant or state '{}'{}", given.name, names_of(module)));
      continue;
    }
    const StoredTensor& stored = *found->second;
    const Type expected = type_in_file(stored);
    const ElementType wanted = expected.element(), written = given.tensor.element();
    const bool converts = is_floating(written) && is_floating(wanted);  // as the runtime loads them
    if ((written != wanted && !converts) || !same_extents(given.tensor, expected)) {
      problems.push_back(fmt::format("{} {} is {}, not {}", word(stored.role), subject(stored),
                                     spelling(given.tensor), spelling(expected)));
      continue;
    }
    if (stored.transposed_in_file) given.tensor = transposed(given.tensor);
    if (written != wanted) given.tensor = elements::converted(given.tensor, wanted);
    weights.push_back({stored.name, std::move(given.tensor)});
  }
  if (problems.size() != before) return std::nullopt;
  return weights;
}

}  // namespace dlvm
