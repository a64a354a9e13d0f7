#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "codegen/schedule/ir/schedule.h"

/// Schedules as text, which `--emit=schedule` prints. Print → parse → print is the identity.
///
///     schedule @row_sum(x: <N x 10 x f32>, y: <N x f32> written) {
///       registers state0: <16 x f32>
///       variant {
///         for $i0 in N {
///           allocate state0
///           fill state0[0](16) with f32 0
///           vector $k1_lane in 16 within ($k1 of 10) {
///             %0: f32 = load x[$i0, $k1]
///             …
///
/// `$i0` is loop 0, named `i`; `%0` value 0.
namespace codegen::schedule {

/// Returns the text of the schedule.
std::string print(const Schedule& schedule);

/// Returns the schedule that the text describes, or nothing, with the line and the reason in `error` ("line
/// 3: …"). Adds the names of dimensions in the text to `dimensions`.
std::optional<Schedule> parse_schedule(std::string_view text, std::string& error,
                                       std::set<std::string>* dimensions = nullptr);

}  // namespace codegen::schedule
