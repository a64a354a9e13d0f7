#include "codegen/target/nvptx/parts.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <array>
#include <map>

namespace codegen::target::nvptx {
namespace {

using Parts = std::map<const llvm::GlobalValue*, std::size_t>;

bool is_kernel(const llvm::Function& function) {
  return !function.isDeclaration() && !function.hasLocalLinkage();
}

/// The kernels with the number of their part. Parts have about as many instructions.
Parts parts_of(const llvm::Module& module, PartLimits limits, std::size_t& count) {
  std::size_t all = 0;
  for (const llvm::Function& function : module)
    if (is_kernel(function)) all += function.getInstructionCount();
  count = std::clamp<std::size_t>(all / limits.instructions, 1, limits.parts);
  Parts parts;
  std::size_t before = 0;
  for (const llvm::Function& function : module) {
    if (!is_kernel(function)) continue;
    parts[&function] = std::min(before * count / std::max<std::size_t>(all, 1), count - 1);
    before += function.getInstructionCount();
  }
  return parts;
}

std::string bitcode_of_part(const llvm::Module& module, const Parts& parts, std::size_t number) {
  llvm::ValueToValueMapTy map;
  const auto is_in = [&](const llvm::GlobalValue* value) {
    const auto at = parts.find(value);
    return at == parts.end() || at->second == number;
  };
  const auto part = llvm::CloneModule(module, map, is_in);
  for (const auto& [kernel, its_part] : parts)
    if (its_part != number) llvm::cast<llvm::GlobalValue>(map[kernel])->eraseFromParent();
  for (llvm::GlobalValue& value : part->global_values())
    if (value.hasLocalLinkage()) value.setName(value.getName() + ".part" + llvm::Twine(number));
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::WriteBitcodeToFile(*part, stream);
  return {bytes.data(), bytes.size()};
}

/// What every part has and one PTX has once.
bool is_of_head(llvm::StringRef line) {
  constexpr std::array<llvm::StringRef, 5> heads{"//", ".version ", ".target ", ".address_size ",
                                                 ".extern .shared "};
  return std::ranges::any_of(heads, [&](llvm::StringRef head) { return line.starts_with(head); });
}

}  // namespace

std::vector<std::string> split(const llvm::Module& module, PartLimits limits) {
  std::size_t count = 0;
  const Parts parts = parts_of(module, limits, count);
  std::vector<std::string> bitcode;
  for (std::size_t i = 0; i < count; ++i) bitcode.push_back(bitcode_of_part(module, parts, i));
  return bitcode;
}

std::string join_ptx(const std::vector<std::string>& parts) {
  std::string ptx = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) {
    llvm::SmallVector<llvm::StringRef> lines;
    llvm::StringRef(parts[i]).split(lines, '\n');
    for (const llvm::StringRef line : lines)
      if (!is_of_head(line)) ptx += line.str() + "\n";
  }
  return ptx;
}

}  // namespace codegen::target::nvptx
