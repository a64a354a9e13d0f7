#include "codegen/target/nvptx/parts.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

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

/// Whether every part has the line and one PTX has it once.
bool is_of_head(llvm::StringRef line) {
  constexpr std::array<llvm::StringRef, 4> heads{"//", ".version ", ".target ", ".address_size "};
  return std::ranges::any_of(heads, [&](llvm::StringRef head) { return line.starts_with(head); });
}

/// Whether the line declares memory of the parts that use it, which one PTX declares once, in front of its
/// uses.
bool is_declaration(llvm::StringRef line) { return line.starts_with(".extern .shared "); }

}  // namespace

std::vector<std::string> split(const llvm::Module& module, PartLimits limits) {
  std::size_t count = 0;
  const Parts parts = parts_of(module, limits, count);
  std::vector<std::string> bitcode;
  for (std::size_t i = 0; i < count; ++i) bitcode.push_back(bitcode_of_part(module, parts, i));
  return bitcode;
}

std::string join_ptx(const std::vector<std::string>& parts) {
  std::string ptx;
  std::set<llvm::StringRef> declared;
  for (const std::string& part : parts) {
    for (llvm::StringRef rest = part, line; !rest.empty();) {
      std::tie(line, rest) = rest.split('\n');
      const bool repeats =
          is_declaration(line) ? !declared.insert(line).second : &part != &parts.front() && is_of_head(line);
      if (!repeats) ptx += line.str() + "\n";
    }
  }
  return ptx;
}

}  // namespace codegen::target::nvptx
