#include "codegen/interface/interface.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <map>
#include <optional>
#include <set>

namespace codegen::interface {
namespace {

constexpr std::int64_t alignment = 64;
constexpr std::int64_t largest_store = std::int64_t{1} << 62;

/// Returns the name with `$` and the number of each byte in the place of what symbols cannot have, such as a
/// backslash, and of `$` itself. Different names stay different.
std::string in_symbol(const std::string& name) {
  std::string out;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool stays = byte >= 0x80 || std::isalnum(byte) != 0 || c == '_' || c == '.' || c == '-';
    out += stays ? std::string(1, c) : fmt::format("${:02x}", byte);
  }
  return out;
}

std::optional<std::int64_t> bytes_of(const Tensor& tensor) {
  std::int64_t bytes = dlvm::info(tensor.type).bytes;
  for (const dlvm::Extent& extent : tensor.extents) {
    const auto value = extent.constant();
    if (!value || *value < 0 || __builtin_mul_overflow(bytes, *value, &bytes)) return std::nullopt;
  }
  return bytes;
}

using Names = std::set<std::string>;

Names names_of(const dlvm::Extent& extent) {
  Names names;
  extent.collect_names(names);
  return names;
}

/// The scale and offset of `extent` as a linear function of `name`, where the rest is over `bound` names.
std::optional<Dimension> linear_in(const dlvm::Extent& extent, const std::string& name, const Names& bound) {
  Dimension found;
  found.name = name;
  found.scale = 0;
  for (const auto& term : extent.terms())
    if (term.atoms.size() == 1 && !term.atoms[0].floor && term.atoms[0].name == name)
      found.scale = term.coefficient;
  if (found.scale == 0) return std::nullopt;
  found.offset = extent - dlvm::Extent(found.scale) * dlvm::Extent::dimension(name);
  const Names rest = names_of(found.offset);
  if (!found.offset.valid() || !std::includes(bound.begin(), bound.end(), rest.begin(), rest.end()))
    return std::nullopt;
  return found;
}

/// The first axis of an input that gives dimension `name`, one where it stands alone if there is one.
std::optional<Dimension> binding_of(const Entry& entry, const std::string& name, const Names& bound) {
  std::optional<Dimension> first;
  for (std::size_t i = 0; i < entry.inputs.size(); ++i) {
    const auto& [tensor, role] = entry.inputs[i];
    if (role == Input::Role::dimension) {
      if (tensor.name == name) return Dimension{name, i, 0, 1, {}};
      continue;
    }
    for (std::size_t axis = 0; axis < tensor.extents.size(); ++axis) {
      auto found = linear_in(tensor.extents[axis], name, bound);
      if (!found) continue;
      found->input = i;
      found->axis = axis;
      if (found->scale == 1 && found->offset.is(0)) return found;
      if (!first) first = found;
    }
  }
  return first;
}

/// All names that the entry's extents use, in order of first use: those of inputs come first. Those with
/// which only its function computes come last.
std::vector<std::string> dimension_names(const Entry& entry, const std::vector<std::string>& computed_with) {
  std::vector<std::string> ordered;
  Names seen;
  const auto add = [&](const dlvm::Extent& extent) {
    for (const auto& name : names_of(extent))
      if (seen.insert(name).second) ordered.push_back(name);
  };
  for (const auto& input : entry.inputs) {
    if (input.role == Input::Role::dimension) add(dlvm::Extent::dimension(input.tensor.name));
    for (const auto& extent : input.tensor.extents) add(extent);
  }
  for (const auto& output : entry.outputs)
    for (const auto& extent : output.tensor.extents) add(extent);
  for (const auto& check : entry.checks) add(check.left), add(check.right);
  for (const auto& site : entry.index_sites) {
    for (const auto& extent : site.extents) add(extent);
    add(site.first);
    add(site.bound);
  }
  for (const auto& slot : entry.code.slots)
    for (const auto& size : slot) add(size);
  for (const std::string& name : computed_with) add(dlvm::Extent::dimension(name));
  return ordered;
}

/// Text of an extent in which dimensions are numbered, so that a name made up for `?` does not matter.
std::string numbered(const dlvm::Extent& extent, const dlvm::Extent::Substitution& numbers) {
  return extent.substitute(numbers).text();
}

std::string signature(const Tensor& tensor, const dlvm::Extent::Substitution& numbers) {
  std::string text = fmt::format("{} {} [", tensor.name, dlvm::info(tensor.type).name);
  for (const auto& extent : tensor.extents) text += numbered(extent, numbers) + " x ";
  for (const std::string& name : tensor.structs) text += " struct " + name;
  if (!tensor.enumeration.empty()) text += " enum " + tensor.enumeration;
  for (const std::string& name : tensor.cases) text += " case " + name;
  return text + "]";
}

std::string signature(const char* what, const Store& store) {
  std::string text = what;
  for (const auto& stored : store.tensors)
    text += fmt::format(" {} at {};", signature(stored.tensor, {}), stored.offset);
  return text + fmt::format(" {}\n", store.size);
}

std::string signature(const Entry& entry) {
  dlvm::Extent::Substitution numbers;
  for (const auto& dimension : entry.dimensions)
    numbers.emplace(dimension.name, dlvm::Extent::dimension(fmt::format("d{}", numbers.size())));
  std::string text = fmt::format("entry {} {}", entry.name, static_cast<int>(entry.kind));
  for (const auto& [tensor, role] : entry.inputs)
    text += fmt::format(" in{} {};", static_cast<int>(role), signature(tensor, numbers));
  for (const auto& [tensor, in_gradient] : entry.outputs)
    text += fmt::format(" out{} {};", in_gradient, signature(tensor, numbers));
  return text + fmt::format(" {} {} {} {} {}{}{}\n", entry.takes_parameters(),
                            entry.reads(Binding::Kind::constant), entry.writes_gradients(),
                            entry.takes_state(), entry.updates_state(),
                            entry.updates_parameters() ? " updates the parameters" : "",
                            entry.takes_frozen() ? " takes frozen parameters" : "");
}

}  // namespace

bool lay_out(Store& store) {
  std::vector<dlvm::ElementType> types;
  for (const auto& stored : store.tensors)
    if (std::find(types.begin(), types.end(), stored.tensor.type) == types.end())
      types.push_back(stored.tensor.type);
  store.size = 0;
  for (const auto type : types) {
    for (auto& stored : store.tensors) {
      if (stored.tensor.type != type) continue;
      const auto bytes = bytes_of(stored.tensor);
      if (!bytes || *bytes > largest_store - alignment - store.size) return false;
      stored.offset = store.size;
      store.size = (store.size + *bytes + alignment - 1) / alignment * alignment;
    }
  }
  return true;
}

bool Entry::reads(Binding::Kind kind) const {
  return std::ranges::any_of(code.arguments, [&](const Binding& b) { return b.kind == kind; });
}

bool Entry::writes(Binding::Kind kind) const {
  return std::any_of(results.begin(), results.end(), [&](const Binding& b) { return b.kind == kind; });
}

bool Entry::writes_gradients() const { return writes(Binding::Kind::gradient); }

bool Entry::updates_state() const {
  return writes(Binding::Kind::next) || writes(Binding::Kind::updated) ||
         writes(Binding::Kind::updated_alone);
}

bool Entry::updates_parameters() const {
  return writes(Binding::Kind::trained) || writes(Binding::Kind::updated_parameter);
}

bool Entry::takes_parameters() const { return reads(Binding::Kind::parameter) || updates_parameters(); }

bool Entry::takes_frozen() const {
  return reads(Binding::Kind::parameter) && !writes_gradients() && !updates_parameters();
}

bool Entry::takes_state() const { return reads(Binding::Kind::state) || updates_state(); }

void bind_dimensions(Entry& entry, const std::vector<std::string>& computed_with) {
  std::vector<std::string> open = dimension_names(entry, computed_with);
  Names bound;
  entry.dimensions.clear();
  while (!open.empty()) {
    bool progress = false;
    for (auto name = open.begin(); name != open.end();) {
      if (auto found = binding_of(entry, *name, bound)) {
        bound.insert(*name);
        entry.dimensions.push_back(std::move(*found));
        name = open.erase(name);
        progress = true;
      } else {
        ++name;
      }
    }
    if (!progress)
      entry.inputs.push_back({{open.front(), dlvm::ElementType::i64, {}, {}}, Input::Role::dimension});
  }
}

std::string interface_hash(const Interface& interface) {
  std::string text = fmt::format("tel 1 {}\n", interface.module);
  text += signature("parameters", interface.parameters) + signature("constants", interface.constants) +
          signature("state", interface.state);
  for (const auto& entry : interface.entries) text += signature(entry);
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return fmt::format("{:016x}", hash);
}

SymbolNames::SymbolNames(const Interface& interface)
    : module_(in_symbol(interface.module)), hash_(interface_hash(interface)) {}

std::string SymbolNames::of(const Entry& entry, const std::string& part) const {
  const std::string name = in_symbol(entry.name) + (part.empty() ? "" : "." + part);
  return fmt::format("{}.{}.{}", module_, name, hash_);
}

std::string SymbolNames::of(const std::string& name) const {
  return fmt::format("tel.{}.{}.{}", name, module_, hash_);
}

}  // namespace codegen::interface
