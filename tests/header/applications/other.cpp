// A second file of the same program, which includes both headers in the other order.
#include "mixed.hpp"
#include "mlp.hpp"

float sum_of_parameters(const mlp::Parameters& parameters) {
  float sum = 0;
  for (const float value : parameters.flat()) sum += value;
  return sum;
}
