// What the tests of the frontend share.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "dlvm/support/diagnostic.h"
#include "frontend/parse/parse.h"

/// A text, its syntax tree and what was reported; owns all three.
struct Parsed {
  dlvm::Sources sources;
  dlvm::Diagnostics diagnostics;
  const dlvm::Source* source;
  std::unique_ptr<frontend::ast::Module> module;

  explicit Parsed(std::string text, std::string name = "test.tel")
      : source(sources.add(std::move(name), std::move(text))),
        module(frontend::parse(*source, diagnostics)) {}

  std::string messages() const { return dlvm::render(diagnostics); }
  /// The codes reported, in order, with a blank between.
  std::string codes() const {
    std::string all;
    for (const auto& each : diagnostics.all()) (all += all.empty() ? "" : " ") += each.kind->code;
    return all;
  }
};

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
