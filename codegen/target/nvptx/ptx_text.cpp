#include "codegen/target/nvptx/ptx_text.h"

#include <string_view>

namespace codegen::target::nvptx {

std::string with_one_block(const std::string& ptx, const KernelNames& kernels) {
  std::string text = ptx;
  for (const std::string& name : kernels) {
    const std::size_t entry = text.find(".entry " + name + "(");
    const std::size_t body = entry == std::string::npos ? entry : text.find("\n{", entry);
    if (body != std::string::npos) text.insert(body, "\n.minnctapersm 1");
  }
  return text;
}

std::string with_entries(const std::string& ptx, const KernelNames& kernels) {
  constexpr std::string_view begin = "\n.visible .entry ", end = "\n}\n";
  std::string text;
  std::size_t from = 0;
  for (std::size_t at; (at = ptx.find(begin, from)) != std::string::npos;) {
    const std::size_t name = at + begin.size(), close = ptx.find(end, name);
    if (close == std::string::npos) break;
    const std::size_t next = close + end.size() - 1;
    text.append(ptx, from, at - from);
    if (kernels.contains(ptx.substr(name, ptx.find('(', name) - name))) text.append(ptx, at, next - at);
    from = next;
  }
  return text.append(ptx, from, std::string::npos);
}

}  // namespace codegen::target::nvptx
