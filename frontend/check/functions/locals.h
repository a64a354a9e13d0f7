#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace frontend::check {

/// The names that a function's body has declared so far, each with the number of its variable. A name ends
/// with the block that declares it.
class Locals {
 public:
  void open_block() { blocks_.push_back(names_.size()); }
  /// Returns the variables whose names end.
  std::vector<std::size_t> close_block() {
    std::vector<std::size_t> ended;
    for (std::size_t i = blocks_.back(); i < names_.size(); ++i) ended.push_back(names_[i].second);
    names_.resize(blocks_.back());
    blocks_.pop_back();
    return ended;
  }
  void declare(std::string name, std::size_t variable) { names_.emplace_back(std::move(name), variable); }
  std::optional<std::size_t> find(std::string_view name) const {
    for (auto each = names_.rbegin(); each != names_.rend(); ++each)
      if (each->first == name) return each->second;
    return std::nullopt;
  }
  std::vector<std::string_view> names() const {
    std::vector<std::string_view> all;
    for (const auto& [name, variable] : names_) all.push_back(name);
    return all;
  }

 private:
  std::vector<std::pair<std::string, std::size_t>> names_;
  std::vector<std::size_t> blocks_;
};

}  // namespace frontend::check
