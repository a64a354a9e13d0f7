#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "codegen/target/gpu/contents/contents.h"

namespace codegen::target::gpu {
namespace {

/// Columns as wide as their widest word: the first to the left, numbers to the right.
std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i == widths.size()) widths.push_back(0);
      widths[i] = std::max(widths[i], row[i].size());
    }
  std::string text;
  for (const auto& row : rows) {
    text += " ";
    for (std::size_t i = 0; i < row.size(); ++i)
      text += i == 0 ? fmt::format(" {:<{}}", row[i], widths[i]) : fmt::format("  {:>{}}", row[i], widths[i]);
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  return text;
}

/// Returns the architectures for which there is machine code, in order.
std::vector<std::string> architectures(const ObjectContents& network) {
  std::vector<std::string> names;
  for (const ImageContents& image : network.images)
    if (!image.is_ptx && std::find(names.begin(), names.end(), image.architecture) == names.end())
      names.push_back(image.architecture);
  return names;
}

std::string images(const ObjectContents& network) {
  std::vector<std::vector<std::string>> rows;
  for (const ImageContents& image : network.images)
    rows.push_back(
        {image.is_ptx ? "PTX" : "machine code", image.architecture, fmt::format("{} bytes", image.bytes)});
  if (network.emulator) rows.push_back({"emulator"});
  return table(rows);
}

std::string registers(const KernelContents& kernel, const std::string& architecture) {
  for (const KernelCode& code : kernel.code)
    if (code.architecture == architecture)
      return code.spilled == 0 ? std::to_string(code.registers)
                               : fmt::format("{}, spills {} bytes", code.registers, code.spilled);
  return "-";
}

std::string kernels(const ObjectContents& network) {
  const auto columns = architectures(network);
  std::vector<std::vector<std::string>> rows{{"kernel", "threads", "shared bytes"}};
  for (const std::string& architecture : columns) rows[0].push_back("registers " + architecture);
  for (const KernelContents& kernel : network.kernels) {
    auto& row = rows.emplace_back();
    row = {kernel.name, std::to_string(kernel.threads), std::to_string(kernel.shared)};
    for (const std::string& architecture : columns) row.push_back(registers(kernel, architecture));
  }
  return table(rows);
}

}  // namespace

std::string report(const std::vector<ObjectContents>& networks) {
  std::string text;
  for (const ObjectContents& network : networks) {
    text += (text.empty() ? "" : "\n") + network.module + ":";
    for (const std::string& entry : network.entries) text += " " + entry;
    text += "\n" + images(network) + "\n" + kernels(network);
  }
  return text;
}

std::string report_json(const std::vector<ObjectContents>& networks) {
  using Json = nlohmann::ordered_json;
  Json all = Json::array();
  for (const ObjectContents& network : networks) {
    Json images = Json::array(), kernels = Json::array();
    for (const ImageContents& image : network.images)
      images.push_back({{"architecture", image.architecture},
                        {"kind", image.is_ptx ? "ptx" : "cubin"},
                        {"bytes", image.bytes}});
    for (const KernelContents& kernel : network.kernels) {
      Json code = Json::array();
      for (const KernelCode& one : kernel.code)
        code.push_back({{"architecture", one.architecture},
                        {"registers", one.registers},
                        {"spilled_bytes", one.spilled},
                        {"stack_bytes", one.stack}});
      kernels.push_back({{"name", kernel.name},
                         {"threads", kernel.threads},
                         {"shared_bytes", kernel.shared},
                         {"code", std::move(code)}});
    }
    all.push_back({{"module", network.module},
                   {"entries", network.entries},
                   {"emulator", network.emulator},
                   {"images", std::move(images)},
                   {"kernels", std::move(kernels)}});
  }
  return all.dump(2) + "\n";
}

}  // namespace codegen::target::gpu
