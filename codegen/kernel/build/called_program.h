#pragma once

#include <map>

#include "codegen/kernel/build/calls.h"
#include "codegen/kernel/build/program_parts.h"

namespace codegen::kernel {

/// The program of a shared function, from which calls take launches.
class CalledProgram {
 public:
  explicit CalledProgram(BuiltCallee built);

  const Program& program() const { return program_; }
  std::size_t launch_count() const { return launches_.size(); }
  /// Returns a launch by its position in the program.
  const Launch& launch(std::size_t position) const { return *launches_[position]; }
  /// Returns whether the launch writes the value that is its argument `i`.
  bool writes(std::size_t position, std::size_t i) const {
    return program_.kernels[launch(position).kernel].buffers[i].written;
  }
  /// Returns the launches that the results of set `set` need, by position.
  const std::vector<bool>& needed(std::size_t set) const { return needed_[set]; }
  /// Returns the parameters on which the launches depend that every set needs.
  const std::vector<bool>& common_parameters() const { return common_parameters_; }
  /// Returns whether the launch depends on common parameters alone, so that calls which have these arguments
  /// in common can share it.
  bool is_common(std::size_t position) const { return is_common_[position]; }

  /// Where the kernels and literals of the program are in the program that calls it.
  std::unordered_map<std::uint32_t, std::uint32_t> kernels;
  std::unordered_map<ValueId, ValueId> literals;
  std::uint32_t first_site = 0;

 private:
  void find_dependences(const std::vector<std::uint32_t>& sets);

  Program program_;
  std::vector<const Launch*> launches_;
  std::vector<std::vector<bool>> needed_;
  std::vector<bool> common_parameters_, is_common_;
};

}  // namespace codegen::kernel
