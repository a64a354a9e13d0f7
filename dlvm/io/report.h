#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dlvm/io/tensor_files.h"

/// Summaries of results, as `telc run` and `dlopt --run` print them.
namespace dlvm {

/// Returns a line for each tensor: name, type, and the elements where they are few, else their range, mean
/// and what is not finite.
std::string summary(const NamedTensors& results);

/// Returns the same for programs: a JSON object with `results` (name, type, shape, min, max, mean,
/// not_finite, and `values` where they are few; a number that is not finite is a string), `seconds` and
/// `median_seconds` if there are any.
std::string summary_json(std::string_view entry, std::string_view device, const NamedTensors& results,
                         const std::vector<double>& seconds);

/// Returns the middle number, or the mean of the two in the middle; 0 if there are none.
double median(std::vector<double> numbers);

}  // namespace dlvm
