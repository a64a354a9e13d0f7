// One signature held against the arguments of one call.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/check/body_context.h"
#include "frontend/check/calls/call.h"
#include "frontend/check/declarations/nets.h"

namespace frontend::check {

class FunctionMatch {
 public:
  FunctionMatch(BodyContext& context, Function& function, std::vector<Argument>& arguments, Location location,
                const NetPlace* net)
      : context_(context),
        function_(function),
        syntax_(*function.syntax),
        arguments_(arguments),
        location_(location),
        net_(net) {}

  /// Whether names and number of the arguments, their kinds of element type and their ranks fit: all that
  /// tells signatures apart.
  bool fits();

  /// Returns whether the ranks of the arguments fit, so that a `s...` stands for one number of axes in all of
  /// them. Their element types fit as well, or are floating where the function wants integers.
  bool fits_ranks();

  /// The call with two of its arguments swapped, where it fits then and does not as it is; else empty.
  std::string swapped();

  /// The value of the call; null after a mistake, which is reported.
  Node* call(Hint hint);

 private:
  std::string name() const { return function_.name(); }

  /// The tensors of its net that the function uses are further arguments.
  bool take_tensors(const Instance& callee);

  dlvm::Diagnostic& with_signature(dlvm::Diagnostic& report) const;

  std::string written_call(const std::vector<Argument>& arguments) const;

  /// Arguments to parameters; without `diagnostics` a mistake is only an answer.
  bool assign(dlvm::Diagnostics* diagnostics);

  bool bind_constants();

  bool take_values(Hint hint);

  /// A default means what it means where the function is written.
  Node* default_value(const ast::Expression& e);

  std::string signature_with_integers(const ast::Parameter& parameter) const;
  std::string fix_of_shape(const Node* value, const ast::Parameter& parameter);
  bool is_transposed(const Shape& actual, const ast::Parameter& parameter);
  std::optional<std::size_t> axis_that_is_last(const Shape& actual, const ast::Parameter& parameter);
  std::string fix_of_net(const Node* value, const ast::Parameter& parameter);
  std::string fix_of_axes(const Node* value, const ast::Parameter& parameter) const;

  /// Returns the struct or enum that the parameter declares; null for a tensor.
  const DeclaredType* declared(const ast::Parameter& parameter) const;

  /// Whether each argument is a tensor, or of the struct or enum, as its parameter declares.
  bool check_declared();

  void report_element(const Node* value, const ast::Parameter& parameter, std::string_view wanted);

  bool bind_elements(Hint hint);

  /// Generic dimensions from the arguments' extents: first where a name stands alone, then where it is the
  /// only one left in an extent that is linear in it.
  bool bind_dimensions();

  bool bind_plain(Node* value, const ast::Parameter& parameter);

  void bind_linear(const ast::Extent& written, const Extent& actual);

  std::optional<Extent> lookup(const ast::Extent& name, dlvm::Diagnostics& diagnostics);
  std::optional<Extent> lookup(const std::string& name, Location location, dlvm::Diagnostics& diagnostics);

  bool is_generic(const std::string& name) const;

  /// Every argument has the shape that its parameter has with the dimensions bound; so `parameters` are
  /// known.
  bool check_shapes();

  /// Returns the struct or enum with the extents that the parameter has for its dimensions; null after a
  /// mistake.
  Node* with_bound_extents(Node* value, const ast::Parameter& parameter);

  bool fits_extent(const Extent& wanted, const Extent& actual, const Node* value,
                   const ast::Parameter& parameter);

  /// Returns the shape of the parameter with the dimensions that are known; nothing where one is not.
  std::optional<Shape> expected_shape(const ast::Parameter& parameter);
  /// Adds notes that say where the argument's shape comes from, and which one the function wants.
  void explain_shape(dlvm::Diagnostic& report, const Node* value, const ast::Parameter& parameter);

  /// A dimension, or `s...`, that has another value in the argument.
  struct Clash {
    std::string name, value;
    const Node* first;  ///< the argument that gave it the value; null where none did
  };
  std::vector<Clash> clashes(const Node* value, const ast::Parameter& parameter);
  /// Returns the first argument whose parameter has this dimension or `s...` as an extent.
  const Node* first_with(const ast::Extent& dimension) const;

  bool report_shape(const Node* value, const ast::Parameter& parameter);

  BodyContext& context_;
  Function& function_;
  const ast::Function& syntax_;
  std::vector<Argument>& arguments_;
  Location location_;
  const NetPlace* net_;
  std::vector<Argument*> slots_;  ///< one a parameter
  std::vector<Node*> values_;     ///< one a parameter that is a value
  std::vector<const ast::Parameter*> parameters_;
  Instance instance_;
};

}  // namespace frontend::check
