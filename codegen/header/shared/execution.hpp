namespace tel::inline v1 {

/// Computes on the calling thread.
inline constexpr Execution serial{{sizeof(tel_execution), TEL_SERIAL, 0, nullptr, 0, 0}};

/// Computes on an NVIDIA GPU, in a CUstream of the caller's or in the default stream.
constexpr Execution cuda(std::int32_t device = 0, void* stream = nullptr) noexcept {
  return Execution{{sizeof(tel_execution), TEL_CUDA, device, stream, 0, 0}};
}

/// Runs the code for GPUs on the processor, and checks its accesses. An order other than 0 is a seed that
/// shuffles blocks and threads.
constexpr Execution emulator(std::uint64_t order = 0) noexcept {
  return Execution{{sizeof(tel_execution), TEL_EMULATOR, 0, nullptr, order, 0}};
}

/// Waits until everything in the stream of the execution is done.
inline Result<void> try_wait(const Execution& execution) {
  tel_error error;
  if (tel_wait(execution.c(), &error) != TEL_OK) return error;
  return {};
}

/// A GPU of this machine.
struct Device {
  std::int32_t number;
  std::int32_t architecture;  ///< 90 for sm_90
  std::uint64_t memory;       ///< in bytes
  std::string name;
};

/// Lists the GPUs of this machine. It is an error if there is no driver, or if no object of the program was
/// compiled for GPUs.
inline Result<std::vector<Device>> try_devices() {
  std::int32_t count = 0;
  tel_error error;
  std::vector<Device> devices;
  if (tel_count_devices(&count, &error) != TEL_OK) return error;
  for (std::int32_t i = 0; i < count; ++i) {
    tel_device device{sizeof(tel_device), 0, 0, 0, {}};
    if (tel_describe_device(i, &device, &error) != TEL_OK) return error;
    devices.push_back({device.number, device.architecture, device.memory, device.name});
  }
  return devices;
}

/// Lists the GPUs that calls can compute on. The list is empty where `try_devices` returns an error.
inline std::vector<Device> devices() {
  auto found = try_devices();
  return found ? std::move(*found) : std::vector<Device>();
}

}  // namespace tel::inline v1
