#include "codegen/kernel/build/called_program.h"

#include <bit>
#include <ranges>

namespace codegen::kernel {

CalledProgram::CalledProgram(BuiltCallee built) : program_(std::move(built.program)) {
  launches_ = collect<Launch>(program_.body);
  find_dependences(built.sets);
}

// Launches stand behind those that they depend on, and one launch writes a value.
void CalledProgram::find_dependences(const std::vector<std::uint32_t>& sets) {
  std::vector<std::uint32_t> wanted = sets;  // by launch
  std::vector<std::size_t> writer(program_.values.size(), launches_.size());
  std::size_t parameters = 0;
  for (const Value& value : program_.values) parameters += value.place == Value::Place::input ? 1 : 0;
  std::uint32_t all = 0;
  for (const std::uint32_t own : sets) all |= own;
  for (std::size_t l = 0; l < launches_.size(); ++l)
    for (std::size_t i = 0; i < launch(l).values.size(); ++i)
      if (writes(l, i)) writer[launch(l).values[i]] = l;
  for (std::size_t l = launches_.size(); l-- > 0;)
    for (const ValueId value : launch(l).values)
      if (writer[value] < l) wanted[writer[value]] |= wanted[l];
  needed_.assign(static_cast<std::size_t>(std::bit_width(all)), std::vector<bool>(launches_.size()));
  for (std::size_t s = 0; s < needed_.size(); ++s)
    for (std::size_t l = 0; l < launches_.size(); ++l) needed_[s][l] = ((wanted[l] >> s) & 1) != 0;

  std::vector<std::vector<bool>> reads(launches_.size(), std::vector<bool>(parameters));
  common_parameters_.resize(parameters);
  for (std::size_t l = 0; l < launches_.size(); ++l) {
    for (const ValueId value : launch(l).values) {
      if (program_.values[value].place == Value::Place::input) reads[l][program_.values[value].index] = true;
      if (writer[value] >= l) continue;
      for (std::size_t p = 0; p < parameters; ++p) reads[l][p] = reads[l][p] || reads[writer[value]][p];
    }
    if (wanted[l] != all) continue;
    for (std::size_t p = 0; p < parameters; ++p) common_parameters_[p] = common_parameters_[p] || reads[l][p];
  }
  for (const auto& own : reads) {
    bool common = true;
    for (std::size_t p = 0; p < parameters; ++p) common = common && (!own[p] || common_parameters_[p]);
    is_common_.push_back(common);
  }
}

}  // namespace codegen::kernel
