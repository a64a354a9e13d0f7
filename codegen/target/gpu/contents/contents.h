#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// A description of everything that an object contains for devices, inside the object itself. It is text in a
/// section that no program loads and that the linker leaves out.
namespace codegen::target::gpu {

/// The resources of one kernel in the machine code of one architecture, as the assembler reports them.
struct KernelCode {
  std::string architecture;    ///< sm_80
  std::int64_t registers = 0;  ///< registers of a thread
  std::int64_t spilled = 0;    ///< bytes of a thread, stores and loads
  std::int64_t stack = 0;      ///< bytes of a thread
};

/// One kernel of an object.
struct KernelContents {
  std::string name;
  std::int64_t threads = 0;  ///< the threads of a block
  std::int64_t shared = 0;   ///< bytes of shared memory of a block
  std::vector<KernelCode> code;
};

/// One image of an object.
struct ImageContents {
  std::string architecture;
  bool is_ptx = false;
  std::int64_t bytes = 0;
};

/// The device contents of one network.
struct Contents {
  std::string module;
  std::vector<std::string> entries;
  bool emulator = false;  ///< the object contains the kernels for the emulator, too
  std::vector<ImageContents> images;
  std::vector<KernelContents> kernels;
};

inline constexpr const char* contents_section = ".tel.devices";

/// Returns the section's text. Names must not contain white space.
std::string write(const Contents& contents);

/// Reads all networks of a section, whose texts follow one another. Returns false and the reason in `why` if
/// the text is not of this form; it may be any text.
bool read(std::string_view section, std::vector<Contents>& networks, std::string& why);

/// Return the contents as a table for people and as JSON for programs.
std::string report(const std::vector<Contents>& networks);
std::string report_json(const std::vector<Contents>& networks);

}  // namespace codegen::target::gpu
