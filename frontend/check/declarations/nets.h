// Nets in expressions: `fc(x)`, `x |> tower`, `tower.0.W`, `fc.encode(x)`.
#pragma once

#include <optional>
#include <string>

#include "frontend/check/calls/call.h"

namespace frontend::check {

/// Says which net a name in an expression means: one instance, or an array of instances.
struct NetPlace {
  const NetType* type = nullptr;      ///< null after an error
  const NetInstance* root = nullptr;  ///< of the module; null for what the net that is checked declares
  std::size_t first = 0;              ///< the number of its first tensor among those of the root
  std::optional<std::int64_t> elements = std::nullopt;  ///< the extent of an array
  std::string name = {};                                ///< as it is written
  Location declared = {};

  NetPlace element(std::int64_t index) const;
};

/// Returns the net that the expression means; nothing if it means none.
std::optional<NetPlace> find_net(BodyContext& context, const ast::Expression& e);
/// Returns the net itself in one of its functions.
NetPlace own_net(const BodyContext& context);
/// Returns the tensor number `number` of the net.
Node* net_tensor(BodyContext& context, const NetPlace& net, std::size_t number, Location location);

/// Returns the value of `W`, of a net's own function; nothing if the net has no such param or const.
std::optional<Node*> check_own_member(BodyContext& context, const ast::NameReference& e);
/// Checks `fc.W`.
Node* check_net_member(BodyContext& context, const NetPlace& net, const ast::Member& e);
/// Checks `fc(x)`.
Node* call_net(BodyContext& context, const NetPlace& net, std::vector<Argument> arguments, Location location,
               Hint hint);
/// Checks `fc.encode(x)`.
Node* call_net_function(BodyContext& context, const NetPlace& net, const ast::Name& function,
                        std::vector<Argument>& arguments, Location location, Hint hint);
/// Reports a net in the place of a value. `index` is the index of which it is the object, if that is known.
void report_net_as_value(BodyContext& context, const NetPlace& net, Location location,
                         const ast::Index* index = nullptr);

}  // namespace frontend::check
