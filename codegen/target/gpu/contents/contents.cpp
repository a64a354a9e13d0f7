#include "codegen/target/gpu/contents/contents.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace codegen::target::gpu {
namespace {

// A line is a keyword and its words. What belongs to a network stands between `network` and `end`, what
// belongs to a kernel behind its line.
constexpr std::string_view header = "tel-devices 1";
constexpr std::size_t longest_name = 1000, longest_section = std::size_t{16} << 20;

bool is_name(std::string_view word) {
  return !word.empty() && word.size() <= longest_name &&
         std::all_of(word.begin(), word.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

bool is_count(std::string_view word, std::int64_t& value) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc() && end == word.data() + word.size() && value >= 0;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t space = line.find(' ');
    words.push_back(line.substr(0, space));
    if (space == std::string_view::npos) return words;
    line.remove_prefix(space + 1);
  }
}

class Reader {
 public:
  explicit Reader(std::vector<ObjectContents>& networks) : networks_(networks) {}

  /// Takes a line; false where it cannot stand here.
  bool take(std::string_view line) {
    if (line == header) return !std::exchange(inside_, true) && (networks_.emplace_back(), true);
    if (!inside_) return false;
    if (line == "end") return inside_ = false, is_name(networks_.back().module);
    const auto words = words_of(line);
    return std::all_of(words.begin(), words.end(), is_name) && take(words, networks_.back());
  }

  bool complete() const { return !inside_; }

 private:
  static bool take(const std::vector<std::string_view>& words, ObjectContents& network) {
    const std::string_view key = words.front();
    const auto is = [&](std::string_view name, std::size_t count) {
      return key == name && words.size() == count + 1;
    };
    const auto text = [&](std::size_t i) { return std::string(words[i]); };
    if (is("module", 1)) return network.module = text(1), true;
    if (is("entry", 1)) return network.entries.push_back(text(1)), true;
    if (is("emulator", 0)) return network.emulator = true;
    if (is("ptx", 2) || is("cubin", 2)) {
      network.images.push_back({text(1), key == "ptx", 0});
      return is_count(words[2], network.images.back().bytes);
    }
    if (is("kernel", 3)) {
      KernelContents& kernel = network.kernels.emplace_back();
      kernel.name = text(1);
      return is_count(words[2], kernel.threads) && is_count(words[3], kernel.shared);
    }
    if (!is("code", 4) || network.kernels.empty()) return false;
    KernelCode& code = network.kernels.back().code.emplace_back();
    code.architecture = text(1);
    return is_count(words[2], code.registers) && is_count(words[3], code.spilled) &&
           is_count(words[4], code.stack);
  }

  std::vector<ObjectContents>& networks_;
  bool inside_ = false;
};

}  // namespace

std::string write_contents(const ObjectContents& contents) {
  std::string text = fmt::format("{}\nmodule {}\n", header, contents.module);
  for (const std::string& entry : contents.entries) text += fmt::format("entry {}\n", entry);
  if (contents.emulator) text += "emulator\n";
  for (const ImageContents& image : contents.images)
    text += fmt::format("{} {} {}\n", image.is_ptx ? "ptx" : "cubin", image.architecture, image.bytes);
  for (const KernelContents& kernel : contents.kernels) {
    text += fmt::format("kernel {} {} {}\n", kernel.name, kernel.threads, kernel.shared);
    for (const KernelCode& code : kernel.code)
      text += fmt::format("code {} {} {} {}\n", code.architecture, code.registers, code.spilled, code.stack);
  }
  return text + "end\n";
}

bool read_contents(std::string_view section, std::vector<ObjectContents>& networks, std::string& why) {
  if (section.size() > longest_section) {
    why = fmt::format("its section {} has over {} bytes", contents_section, longest_section);
    return false;
  }
  Reader reader(networks);
  for (std::size_t number = 1; !section.empty(); ++number) {
    const std::size_t end = section.find('\n');
    const bool whole = end != std::string_view::npos;
    if (!whole || !reader.take(section.substr(0, end))) {
      why = fmt::format("line {} of its section {} is not one of telc's", number, contents_section);
      return false;
    }
    section.remove_prefix(end + 1);
  }
  if (reader.complete()) return true;
  why = fmt::format("its section {} is cut off", contents_section);
  return false;
}

}  // namespace codegen::target::gpu
