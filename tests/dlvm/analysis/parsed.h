#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "dlvm/text/parse.h"

/// A module of DLVM text, with the blocks of its function `f` by name.
namespace parsed {

using namespace dlvm;

class Text {
 public:
  explicit Text(const std::string& text) {
    Diagnostics diagnostics;
    module_ = parse(*sources_.add("test.dl", text), sources_, diagnostics);
    REQUIRE_MESSAGE(module_ != nullptr, render(diagnostics));
  }

  Module& module() const { return *module_; }
  Function& function(std::string_view name = "f") const { return *module_->function(name); }
  BasicBlock* block(std::string_view name) const {
    for (const auto& block : function().blocks())
      if (block->name() == name) return block.get();
    return nullptr;
  }

 private:
  Sources sources_;
  std::unique_ptr<Module> module_;
};

/// The names of a list of blocks, with spaces between them.
template <typename Blocks>
std::string names(const Blocks& blocks) {
  std::string all;
  for (const auto& block : blocks) all += (all.empty() ? "" : " ") + block->name();
  return all;
}

}  // namespace parsed
