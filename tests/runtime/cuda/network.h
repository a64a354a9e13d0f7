#pragma once

#include "runtime/abi.h"
#include "tests/runtime/cuda/stand_in.h"

/// A network written by hand, for the processor and for devices: y[N x 2] = x[N x 2] * scale + w[2] + c[2],
/// sum of y, token = seed + N. Derivatives: dw[2] = N, dv[2] (float64) = 2 N. label[N] is checked against 0
/// … 9.
namespace network {

struct Arguments {
  size_t size = sizeof(Arguments);
  const float* x = nullptr;
  int64_t x_extents[2] = {};
  const int32_t* label = nullptr;
  int64_t label_extents[1] = {};
  float scale = 0;
  const float* parameters = nullptr;
  const float* constants = nullptr;
  float* gradients = nullptr;
  float* y = nullptr;
  int64_t y_extents[2] = {};
  float sum = 0;
  uint64_t token = 0;
  void* workspace = nullptr;
  size_t workspace_size = 0;
  const tel_options* options = nullptr;
};

/// For the processor alone; for devices of architecture 75 and up (cubin of sm_90, PTX of sm_75).
extern const runtime::Entry plain, entry;
/// For devices; the derivatives are computed only if the first label is not 0.
extern const runtime::Entry reading;
/// The same with a state in the place of the parameters: its next values are dw and dv.
extern const runtime::Entry updating;
/// The network whose parameters have the next values dw and dv.
extern const runtime::Entry training;

/// The same network with other programs for devices, and the kernels of all.
runtime::Entry with_programs(const runtime::Devices* devices);
std::vector<stand_in::Kernel> image_kernels();
std::vector<runtime::Kernel> device_kernels();
/// The slot and the literal that the kernels of `entry` need.
extern const runtime::Slot slots[1];
extern const runtime::Literal literals[1];

/// Grids of one call of `entry`.
inline constexpr int64_t grid_count = 4;

}  // namespace network
