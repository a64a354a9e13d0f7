// The stand-in as the driver of the runtime in this process.
#include "runtime/cuda/process.h"
#include "tests/runtime/cuda/stand_in.h"

namespace stand_in {

void reset(std::vector<DeviceModel> devices) {
  runtime::cuda::close_process();
  start(std::move(devices));
}

void install() { runtime::cuda::process.driver = table(); }

}  // namespace stand_in
