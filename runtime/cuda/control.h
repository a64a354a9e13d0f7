/// The kernel that decides conditions in a graph. It is PTX that the runtime keeps apart from the code of
/// networks: drivers without conditional nodes lack the function that it calls, so they would refuse the
/// whole image.
#pragma once

#include "runtime/cuda/process.h"

namespace runtime::cuda {

/// What one grid of the kernel `tel_control(int64_t* argument_buffer, Control)` does: exchanges, in order,
/// then decisions about one condition. It has one block of one thread.
struct Control {
  static constexpr int32_t limit = 4;

  int32_t argument_slot;  ///< of the condition; 0: it is true
  int32_t exchange_count;
  int32_t decision_count;
  int32_t reserved;
  struct {
    int32_t first, second;
  } exchanges[limit];  ///< words of the argument buffer
  struct {
    ConditionalHandle handle;
    int32_t when_false, when_true, after_error;
    int32_t reserved;
  } decisions[limit];
};

inline constexpr const char* control_kernel_name = "tel_control";

/// Sets `control` to the kernel, which is loaded on first use, or to null if the driver has no conditional
/// nodes or refuses the kernel; `device.control_refusal` then says why. Returns a status.
int32_t find_control(const Calls& calls, Device& device, Function& control);

/// Unloads the kernel; it ignores failures of the driver.
void unload_control(const Driver& driver, Device& device);

/// The text of the kernel.
extern const char control_ptx[];

}  // namespace runtime::cuda
