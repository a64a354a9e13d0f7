// The arguments of a call, and what stands for them in TEL.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/python/call.h"
#include "frontend/python/translate.h"

namespace frontend::python {

/// Returns the words of the text, which have blanks between them.
std::vector<std::string_view> words(std::string_view text);
/// Returns the integer that the whole text is.
std::optional<std::int64_t> integer(std::string_view text);
/// Returns the shape of these extents as TEL writes it.
std::string shape_text(const std::vector<std::string>& extents);

/// Binds the arguments of a call to the parameters of a row.
class Binding {
 public:
  Binding(std::span<const Argument> arguments, const Surroundings& surroundings)
      : arguments_(arguments), surroundings_(surroundings) {}

  /// Returns whether the arguments fit the parameters of a row.
  bool bind(std::string_view parameters);
  /// Returns what a row says with the arguments that were bound last; nothing where one is missing. `name` is
  /// that of the call.
  std::optional<std::string> fill(std::string_view name, std::string_view tel) const;

  /// Returns the argument of a parameter, or null.
  const Value* find(std::string_view name) const {
    const auto found = bound_.find(std::string(name));
    return found == bound_.end() ? nullptr : &found->second;
  }
  /// Returns the axis that an argument names, counted from the front, among `rank` axes.
  std::optional<std::size_t> axis(std::string_view name, std::size_t rank) const;
  /// Returns the extents of an argument, if each has a name or a number.
  std::optional<std::vector<std::string>> shape(std::string_view name = "x") const {
    const Value* x = find(name);
    return x == nullptr ? std::nullopt : shape_of(x->text);
  }
  std::optional<std::vector<std::string>> shape_of(std::string_view value) const {
    return surroundings_.shape(value);
  }

 private:
  bool bind_rest(std::string_view parameter, std::size_t positional);
  bool is_quoted(std::string_view placeholder) const;
  std::optional<std::string> text_of(std::string_view placeholder, bool as_operand) const;

  std::span<const Argument> arguments_;
  const Surroundings& surroundings_;
  std::map<std::string, Value> bound_;
  std::size_t next_ = 0, named_ = 0;  ///< how many arguments have been bound, by position and by name
};

/// Returns the text of a placeholder `=name`, which follows from the shape of `x` and the numbers of the
/// call.
std::optional<std::string> computed(const Binding& call, std::string_view name);

}  // namespace frontend::python
