#include "frontend/check/declarations/automatic_nets.h"

#include <algorithm>
#include <utility>

#include "frontend/check/declarations/net_arguments.h"
#include "frontend/check/names/net_names.h"

namespace frontend::check {

// A net that contains itself, or is nested too deeply, is an error elsewhere: here it need only have an end.
bool AutomaticNets::contains(const Net& net, const NetParameters& nets) {
  std::vector<const Net*> key{&net};
  for (const auto& [name, given] : nets) key.push_back(given);
  const auto [place, is_new] = known_.try_emplace(std::move(key), false);
  if (!is_new || depth_ == net_nesting_limit) return place->second;
  ++depth_;
  place->second = std::ranges::any_of(
      net.members, [&](const Net::Member& member) { return is_automatic(member, net, nets); });
  --depth_;
  return place->second;
}

bool AutomaticNets::is_automatic(const Net::Member& member, const Net& net, const NetParameters& nets) {
  if (member.declaration != nullptr) return member.declaration->type.is_automatic();
  const std::string* parameter = net.net_parameter(*member.instance);
  const Net* inner = parameter != nullptr ? nets.find(*parameter)->second : member.net;
  if (inner == nullptr || inner->failed) return false;
  const auto given = given_nets(*member.instance, *inner, net, nets);
  return given && contains(*inner, *given);
}

}  // namespace frontend::check
