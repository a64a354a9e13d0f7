namespace tel::inline v1 {

/// Computes on the calling thread.
inline constexpr Execution serial{{sizeof(tel_execution), TEL_SERIAL, 0, nullptr, 0, 0, 0, nullptr, nullptr}};

/// Computes on an NVIDIA GPU, in a CUstream of the caller's or in the default stream.
constexpr Execution cuda(std::int32_t device = 0, void* stream = nullptr) noexcept {
  return Execution{{sizeof(tel_execution), TEL_CUDA, device, stream, 0, 0, 0, nullptr, nullptr}};
}

/// Runs the code for GPUs on the processor, and checks its accesses. An order other than 0 is a seed that
/// shuffles blocks and threads.
constexpr Execution emulator(std::uint64_t order = 0) noexcept {
  return Execution{{sizeof(tel_execution), TEL_EMULATOR, 0, nullptr, order, 0, 0, nullptr, nullptr}};
}

/// Computes on so many threads: the calling one, and those of a pool that all networks of a program share. It
/// starts with the first call that has work for it. While another call has the pool, a call computes alone.
/// 0 means as many as the environment variable TEL_THREADS says, or else as there are processors. Results are
/// the same, bit by bit, whatever the number. The workspace that a call needs grows with it.
constexpr Execution threads(std::int32_t count = 0) noexcept {
  return Execution{{sizeof(tel_execution), TEL_THREADS, 0, nullptr, 0, 0, count, nullptr, nullptr}};
}

/// Computes on the threads of the program's own scheduler. `run(count, part)` calls part(i) once for each 0 <=
/// i < count <= threads, on any threads, and returns when all calls have returned; it must live as long as the
/// execution, and throw nothing.
template <typename Run>
Execution parallel_for(std::int32_t threads, Run& run) noexcept {
  struct Part {
    void operator()(std::int64_t i) const { body(data, i); }
    void (*body)(void* data, std::int64_t i);
    void* data;
  };
  const auto call = [](void* user, std::int64_t count, void (*body)(void*, std::int64_t), void* data) {
    (*static_cast<Run*>(user))(count, Part{body, data});
  };
  void* user = const_cast<void*>(static_cast<const void*>(&run));
  return Execution{{sizeof(tel_execution), TEL_PARALLEL_FOR, 0, nullptr, 0, 0, threads, call, user}};
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
