#include "telc/outputs.h"

#include <fmt/format.h>

#include "dlvm/support/files.h"

namespace telc {

std::optional<std::string> collision(const std::vector<Output>& outputs,
                                     const std::vector<std::string>& read) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto overwrites = [&](const std::string& what) {
      return fmt::format("{} '{}' would overwrite {}", outputs[i].option, outputs[i].file, what);
    };
    for (const std::string& file : read)
      if (file != "-" && dlvm::same_file(outputs[i].file, file))
        return overwrites(fmt::format("the input '{}'", file));
    for (std::size_t j = 0; j < i; ++j)
      if (dlvm::same_file(outputs[i].file, outputs[j].file))
        return overwrites(fmt::format("the file of {}", outputs[j].option));
  }
  return std::nullopt;
}

std::vector<std::string> names_of(const dlvm::Sources& sources) {
  std::vector<std::string> all;
  for (const auto& source : sources.all())
    if (source->text()) all.push_back(source->name());
  return all;
}

}  // namespace telc
