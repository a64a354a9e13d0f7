// The nets that have shapes to be found: each of their instances has shapes of its own.
#pragma once

#include <map>
#include <vector>

#include "frontend/check/checked_nets.h"

namespace frontend::check {

class AutomaticNets {
 public:
  /// Returns whether the net, with these nets for its parameters, declares a `param[auto]` or has an instance
  /// of a net that does.
  bool contains(const Net& net, const NetParameters& nets);

 private:
  bool is_automatic(const Net::Member& member, const Net& net, const NetParameters& nets);

  std::map<std::vector<const Net*>, bool> known_;  ///< by the net, then the nets of its parameters
  std::size_t depth_ = 0;
};

}  // namespace frontend::check
