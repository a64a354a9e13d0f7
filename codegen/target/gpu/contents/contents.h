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
  std::string architecture;    ///< its name: sm_80
  std::int64_t registers = 0;  ///< the registers of one thread
  std::int64_t spilled = 0;    ///< the bytes that one thread stores and loads for lack of registers
  std::int64_t stack = 0;      ///< the bytes of one thread's stack
};

/// One kernel of an object.
struct KernelContents {
  std::string name;
  std::int64_t threads = 0;  ///< the number of threads in a block
  std::int64_t shared = 0;   ///< the bytes of a block's shared memory
  std::vector<KernelCode> code;
};

/// One image of an object.
struct ImageContents {
  std::string architecture;
  bool is_ptx = false;
  std::int64_t bytes = 0;
};

/// The device contents of one network.
struct ObjectContents {
  std::string module;
  std::vector<std::string> entries;
  bool emulator = false;  ///< whether the object also contains kernels for the emulator
  std::vector<ImageContents> images;
  std::vector<KernelContents> kernels;
};

/// The name of the section in an object.
inline constexpr const char* contents_section = ".tel.devices";

/// Returns the text of one network in the section. Names must not contain white space.
std::string write_contents(const ObjectContents& contents);

/// Reads all networks of a section, whose texts follow one another. Returns false and the reason in `why` if
/// the text is not of this form; it may be any text.
bool read_contents(std::string_view section, std::vector<ObjectContents>& networks, std::string& why);

/// Return the contents as a table for people and as JSON for programs.
std::string report(const std::vector<ObjectContents>& networks);
std::string report_json(const std::vector<ObjectContents>& networks);

}  // namespace codegen::target::gpu
