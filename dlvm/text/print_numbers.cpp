#include <fmt/format.h>

#include <map>
#include <set>

#include "dlvm/text/print_parts.h"

namespace dlvm::printing {
namespace {

class ErasedNumbers {
 public:
  explicit ErasedNumbers(const Function& function) {
    for (const Type& type : function.type().parameters()) count(type);
    count(function.type().result());
    for (const Requirement& requirement : function.requirements) {
      count(requirement.left, 2);
      count(requirement.right, 2);
    }
    for (const auto& block : function.blocks()) {
      // The arguments of the entry block are the parameters.
      if (block.get() != &function.entry())
        for (const auto& argument : block->arguments()) count(argument->type(), 2);
      for (const auto& instruction : block->instructions())
        for (const Attribute& attribute : instruction->attributes()) count(attribute);
    }
  }
  const Numbering& numbers() const { return numbers_; }

 private:
  void count(const Extent& extent, int times) {
    std::set<std::string> names;
    extent.collect_names(names);
    for (const std::string& name : names) {
      if (!name.starts_with('_')) continue;
      if ((seen_[name] += times) > 1)
        numbers_.try_emplace(name, Extent::dimension(fmt::format("_#{}", numbers_.size() + 1)));
    }
  }
  void count(const Type& type, int times = 1) {
    if (type.is_tensor())
      for (const Extent& extent : type.shape()) count(extent, times);
    else
      for (const Type& part : type.parts()) count(part, times);
  }
  void count(const Attribute& attribute) {
    if (const auto* shape = std::get_if<Shape>(&attribute))
      for (const Extent& extent : *shape) count(extent, 2);
    if (const auto* type = std::get_if<Type>(&attribute)) count(*type, 2);
    if (const auto* pairs = std::get_if<ExtentPairs>(&attribute))
      for (const auto& [before, after] : *pairs) {
        count(before, 2);
        count(after, 2);
      }
  }

  std::map<std::string, int> seen_;
  Numbering numbers_;
};

}  // namespace

Numbering erased_numbers(const Function& function) { return ErasedNumbers(function).numbers(); }

}  // namespace dlvm::printing
