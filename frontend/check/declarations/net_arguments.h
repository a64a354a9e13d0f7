// The nets that instances give to parameters of their nets.
#pragma once

#include <optional>

#include "frontend/check/checked_nets.h"

namespace frontend::check {

/// Returns what the parameters of `net` stand for that are nets, where `written` is an instance of it in the
/// net `outer`, and `nets` are the nets that the parameters of that one stand for. Nothing where the
/// arguments have a mistake, which is not reported.
std::optional<NetParameters> given_nets(const ast::NetInstance& written, const Net& net, const Net& outer,
                                        const NetParameters& nets);

}  // namespace frontend::check
