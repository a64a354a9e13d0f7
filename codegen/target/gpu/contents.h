#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What an object holds for devices, said in the object itself: text in a section that no program loads and
/// the linker leaves out.
namespace codegen::target::gpu {

/// A kernel as machine code of one chip, as the assembler reports it.
struct KernelCode {
  std::string architecture;    ///< sm_80
  std::int64_t registers = 0;  ///< of a thread
  std::int64_t spilled = 0;    ///< bytes of a thread, stores and loads
  std::int64_t stack = 0;      ///< bytes of a thread
};

struct KernelContents {
  std::string name;
  std::int64_t threads = 0;  ///< of a block
  std::int64_t shared = 0;   ///< bytes of shared memory of a block
  std::vector<KernelCode> code;
};

struct ImageContents {
  std::string architecture;
  bool is_ptx = false;
  std::int64_t bytes = 0;
};

struct Contents {
  std::string module;
  std::vector<std::string> entries;
  bool emulator = false;  ///< the kernels are there for the emulator, too
  std::vector<ImageContents> images;
  std::vector<KernelContents> kernels;
};

inline constexpr const char* contents_section = ".tel.devices";

/// The section's text. Names are words without white space.
std::string write(const Contents& contents);

/// All networks of a section, one text after the other. False, and why, where the text is no such text: it
/// may come from anywhere.
bool read(std::string_view section, std::vector<Contents>& networks, std::string& why);

/// A table for people, and JSON for programs.
std::string report(const std::vector<Contents>& networks);
std::string report_json(const std::vector<Contents>& networks);

}  // namespace codegen::target::gpu
