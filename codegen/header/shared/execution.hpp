namespace tel::inline v1 {

/// Where a call's work is done, and where its memory is: by itself, where the parameters lie, else what the
/// environment's TEL_DEVICE says, else the calling thread.
class Execution {
 public:
  constexpr Execution() noexcept : c_{} {}
  constexpr explicit Execution(const tel_execution& c) noexcept : c_(c) {}
  const tel_execution* c() const noexcept { return c_.size == 0 ? nullptr : &c_; }
  constexpr bool on_gpu() const noexcept { return c_.kind == TEL_CUDA; }
  /// The same, in which calls return when all is in the stream of the GPU.
  constexpr Execution later() const noexcept {
    Execution other = *this;
    other.c_.later = 1;
    return other;
  }

 private:
  tel_execution c_;
};

/// All on the calling thread.
inline constexpr Execution serial{{sizeof(tel_execution), TEL_SERIAL, 0, nullptr, 0, 0}};

/// On an NVIDIA GPU, in a CUstream of the caller's or the default one.
constexpr Execution cuda(std::int32_t device = 0, void* stream = nullptr) noexcept {
  return Execution{{sizeof(tel_execution), TEL_CUDA, device, stream, 0, 0}};
}

/// The code for GPUs, run and checked by the processor; an order other than 0 shuffles blocks and threads.
constexpr Execution emulator(std::uint64_t order = 0) noexcept {
  return Execution{{sizeof(tel_execution), TEL_EMULATOR, 0, nullptr, order, 0}};
}

/// Until all that is in the execution's stream is done.
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

/// The reason where there is no driver, or no object of the program was compiled for GPUs.
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

/// The GPUs that calls can compute on; none where that is the reason.
inline std::vector<Device> devices() {
  auto found = try_devices();
  return found ? std::move(*found) : std::vector<Device>();
}

}  // namespace tel::inline v1
