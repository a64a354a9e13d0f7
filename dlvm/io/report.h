#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dlvm/io/tensor_files.h"

/// What `telc run` and `dlopt --run` print of results.
namespace dlvm {

/// A line a tensor: name, type, and the elements where they are few, else their range, mean and what is not
/// finite.
std::string summary(const NamedTensors& results);

/// The same for programs: an object with `results` (name, type, shape, min, max, mean, not_finite, and
/// `values` where they are few; a number that is not finite is a string), `seconds` and `median_seconds`
/// where there are any.
std::string summary_json(std::string_view entry, std::string_view device, const NamedTensors& results,
                         const std::vector<double>& seconds);

/// The middle one, or the mean of the two; 0 of none.
double median(std::vector<double> numbers);

}  // namespace dlvm
