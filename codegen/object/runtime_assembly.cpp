#include "codegen/object/runtime_assembly.h"

#include <fmt/format.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/Endian.h>

#include <bit>
#include <map>
#include <vector>

#include "codegen/object/runtime_object.h"

namespace codegen {
namespace {

using Object = llvm::object::ELFObjectFile<llvm::object::ELF64LE>;
using llvm::object::ELFSectionRef;
using llvm::object::ELFSymbolRef;
using llvm::object::RelocationRef;

constexpr llvm::StringRef libcall_prefix = "tel_libcall_";

struct Symbol {
  std::string name;  ///< empty where only relocations use it
  std::uint64_t section = 0, offset = 0, size = 0;
  std::uint8_t binding = 0, type = 0, visibility = 0;
  bool defined = false;
};

struct Relocation {
  std::uint64_t offset = 0;
  std::string type;
  std::size_t symbol = 0;
  std::int64_t addend = 0;
};

struct Section {
  llvm::StringRef name, bytes;
  std::uint64_t flags = 0, size = 0, alignment = 1;
  bool filled = true;  ///< false: zeros that the file does not hold
  std::vector<Relocation> relocations;
  std::vector<std::size_t> symbols;  ///< those defined here that have a name, by offset
  llvm::StringRef unwind;            ///< a function's instructions for `.eh_frame`
};

/// The runtime's object, taken apart.
struct Parts {
  std::map<std::uint64_t, Section> sections;
  std::vector<Symbol> symbols;
  std::map<std::string, std::size_t, std::less<>> defined;

  const Symbol* find(const std::string& name) const {
    const auto at = defined.find(name);
    return at == defined.end() ? nullptr : &symbols[at->second];
  }
};

llvm::Error mistake(const llvm::Twine& text) {
  return llvm::createStringError("the runtime's object: " + text);
}

llvm::Error read_symbols(const Object& object, Parts& parts) {
  const auto table = object.symbols();
  parts.symbols.emplace_back();
  for (const ELFSymbolRef symbol : table) {
    auto name = symbol.getName();
    auto flags = symbol.getFlags();
    if (!name) return name.takeError();
    if (!flags) return flags.takeError();
    Symbol one;
    one.binding = symbol.getBinding();
    one.type = symbol.getELFType();
    one.visibility = symbol.getOther() & 3;
    one.size = symbol.getSize();
    one.defined = (*flags & llvm::object::SymbolRef::SF_Undefined) == 0 && one.type != llvm::ELF::STT_FILE;
    const bool named = one.type != llvm::ELF::STT_SECTION && !name->starts_with(".L");
    if (named) name->consume_front(libcall_prefix), one.name = name->str();
    if (one.defined) {
      auto section = symbol.getSection();
      auto value = symbol.getValue();
      if (!section || !value) return mistake("a symbol without a place");
      one.section = (*section)->getIndex();
      one.offset = *value;
      if (named) parts.defined.emplace(one.name, parts.symbols.size());
      if (named) parts.sections[one.section].symbols.push_back(parts.symbols.size());
    }
    parts.symbols.push_back(std::move(one));
  }
  return llvm::Error::success();
}

llvm::Error read_relocations(const Object& object, const ELFSectionRef& from, Section& section) {
  for (const RelocationRef& relocation : from.relocations()) {
    llvm::SmallString<32> type;
    relocation.getTypeName(type);
    auto addend = llvm::object::ELFRelocationRef(relocation).getAddend();
    if (!addend) return addend.takeError();
    const auto* raw = object.getRela(relocation.getRawDataRefImpl());
    section.relocations.push_back({relocation.getOffset(), type.str().str(), raw->getSymbol(false), *addend});
  }
  return llvm::Error::success();
}

/// The functions' unwind instructions, from the records of `.eh_frame`: a length; 0 for what is common to
/// several functions (CIE), else the function (by a relocation), its size, an augmentation of no bytes,
/// instructions. All functions share the assembler's own CIE, which the compiler wrote as well.
llvm::Error read_unwind(Section& table, Parts& parts) {
  std::map<std::uint64_t, const Relocation*> functions;
  for (const Relocation& relocation : table.relocations) functions[relocation.offset] = &relocation;
  constexpr std::size_t function_at = 8, instructions_at = 17;
  for (std::size_t at = 0; at + 4 <= table.bytes.size();) {
    const std::size_t length = llvm::support::endian::read32le(table.bytes.data() + at) + 4;
    const llvm::StringRef record = table.bytes.substr(at, length);
    if (record.size() != length) return mistake("an unwind record is cut");
    const auto function = functions.find(at + function_at);
    at += length;
    if (length < instructions_at) continue;
    const bool common = llvm::support::endian::read32le(record.data() + 4) == 0;
    if (common && record.substr(function_at, 4) != llvm::StringRef("\1zR\0", 4))
      return mistake("unwind records of an unknown form");
    if (common) continue;
    if (function == functions.end()) return mistake("an unwind record without a function");
    const Symbol& symbol = parts.symbols[function->second->symbol];
    parts.sections[symbol.section].unwind = record.substr(instructions_at);
  }
  return llvm::Error::success();
}

/// Strings lie in one section for all functions: each becomes a section of its own, and what refers to it
/// by the section's symbol gets one of its own.
void split_strings(Parts& parts, std::uint64_t index) {
  const Section all = parts.sections[index];
  std::map<std::uint64_t, std::size_t> pieces;  // by offset: their symbols
  for (std::size_t at = 0; at < all.bytes.size();) {
    Section one = all;
    one.bytes = all.bytes.substr(at).take_front(all.bytes.find('\0', at) - at + 1);
    one.size = one.bytes.size();
    Symbol symbol;
    symbol.section = parts.sections.rbegin()->first + 1;
    symbol.defined = true;
    pieces[at] = parts.symbols.size();
    at += one.bytes.size();
    parts.sections.emplace(symbol.section, std::move(one));
    parts.symbols.push_back(std::move(symbol));
  }
  if (pieces.empty()) return;
  for (Symbol& symbol : parts.symbols) {
    if (!symbol.defined || symbol.section != index || symbol.type == llvm::ELF::STT_SECTION) continue;
    const auto piece = std::prev(pieces.upper_bound(symbol.offset));
    symbol.section = parts.symbols[piece->second].section;
    symbol.offset -= piece->first;
  }
  for (auto& [number, section] : parts.sections)
    for (Relocation& relocation : section.relocations) {
      const Symbol& symbol = parts.symbols[relocation.symbol];
      if (symbol.type != llvm::ELF::STT_SECTION || symbol.section != index ||
          relocation.type != "R_X86_64_64")
        continue;
      const auto piece = std::prev(pieces.upper_bound(static_cast<std::uint64_t>(relocation.addend)));
      relocation.symbol = piece->second;
      relocation.addend -= static_cast<std::int64_t>(piece->first);
    }
}

void split_strings(Parts& parts) {
  constexpr std::uint64_t strings = llvm::ELF::SHF_MERGE | llvm::ELF::SHF_STRINGS;
  std::vector<std::uint64_t> found;
  for (const auto& [index, section] : parts.sections)
    if ((section.flags & strings) == strings && section.symbols.empty()) found.push_back(index);
  for (const std::uint64_t index : found) split_strings(parts, index);
}

llvm::Expected<Parts> take_apart(const Object& object) {
  Parts parts;
  if (auto error = read_symbols(object, parts)) return error;
  std::uint64_t unwind = 0;
  for (const ELFSectionRef section : object.sections()) {
    auto name = section.getName();
    auto target = section.getRelocatedSection();
    if (!name || !target) return mistake("an unreadable section");
    if (*target != object.section_end()) {
      if (auto error = read_relocations(object, section, parts.sections[(*target)->getIndex()])) return error;
      continue;
    }
    Section& made = parts.sections[section.getIndex()];
    made.name = *name;
    made.flags = section.getFlags();
    made.size = section.getSize();
    made.alignment = section.getAlignment().value();
    made.filled = section.getType() != llvm::ELF::SHT_NOBITS;
    if (made.filled)
      if (auto error = section.getContents().moveInto(made.bytes)) return error;
    if (*name == ".eh_frame") unwind = section.getIndex();
  }
  if (unwind != 0)
    if (auto error = read_unwind(parts.sections[unwind], parts)) return error;
  split_strings(parts);
  return parts;
}

/// The sections that the names reach.
std::set<std::uint64_t> reached(const Parts& parts, const std::set<std::string>& wanted) {
  std::set<std::uint64_t> sections;
  std::vector<const Symbol*> open;
  for (const std::string& name : wanted) open.push_back(parts.find(name));
  while (!open.empty()) {
    const Symbol* symbol = open.back();
    open.pop_back();
    if (symbol != nullptr && !symbol->defined) symbol = parts.find(symbol->name);
    if (symbol == nullptr || !sections.insert(symbol->section).second) continue;
    for (const Relocation& relocation : parts.sections.at(symbol->section).relocations)
      open.push_back(&parts.symbols[relocation.symbol]);
  }
  return sections;
}

/// Writes sections as assembly.
class Writer {
 public:
  explicit Writer(const Parts& parts) : parts_(parts) {}

  void write(std::uint64_t index) {
    const Section& section = parts_.sections.at(index);
    append(".section {},\"{}\",@{}\n.p2align {}\n", output_name(section.name), flags(section),
           section.filled ? "progbits" : "nobits", std::countr_zero(section.alignment));
    append("{}:\n", label(index));
    if (!section.unwind.empty()) append(".cfi_startproc\n{}", escape(section.unwind));
    std::uint64_t at = 0;
    for (const std::size_t symbol : section.symbols) {
      bytes(section, at, parts_.symbols[symbol].offset);
      at = parts_.symbols[symbol].offset;
      declare(parts_.symbols[symbol]);
    }
    bytes(section, at, section.size);
    if (!section.unwind.empty()) text += ".cfi_endproc\n";
    for (const Relocation& relocation : section.relocations)
      append(".reloc {}+{}, {}, {}{:+}\n", label(index), relocation.offset, relocation.type,
             place(relocation.symbol), relocation.addend);
  }

  std::string text;

 private:
  template <typename... Arguments>
  void append(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text), format, std::forward<Arguments>(arguments)...);
  }

  static std::string label(std::uint64_t section) { return fmt::format(".Lruntime{}", section); }

  /// `.text` for `.text.tel_call`.
  static std::string output_name(llvm::StringRef name) {
    for (const char* known : {".data.rel.ro", ".text", ".rodata", ".data", ".bss", ".tdata", ".tbss"})
      if (name == known || name.starts_with(std::string(known) + ".")) return known;
    return name.str();
  }

  static std::string flags(const Section& section) {
    std::string letters;
    for (const auto& [flag, letter] : {std::pair{llvm::ELF::SHF_ALLOC, 'a'},
                                       {llvm::ELF::SHF_WRITE, 'w'},
                                       {llvm::ELF::SHF_EXECINSTR, 'x'},
                                       {llvm::ELF::SHF_TLS, 'T'}})
      if (section.flags & flag) letters += letter;
    return letters;
  }

  static std::string escape(llvm::StringRef instructions) {
    std::string line = ".cfi_escape ";
    for (const unsigned char byte : instructions) line += fmt::format("{},", byte);
    line.back() = '\n';
    return line;
  }

  void declare(const Symbol& symbol) {
    if (symbol.type == llvm::ELF::STT_FUNC) append(".type {},@function\n", symbol.name);
    if (symbol.type == llvm::ELF::STT_OBJECT) append(".type {},@object\n", symbol.name);
    // What programs share is named so; other weak symbols come from inline functions.
    const bool shared = symbol.binding == llvm::ELF::STB_WEAK && symbol.name.starts_with("tel.");
    if (shared) append(".weak {}\n", symbol.name);
    if (shared && symbol.visibility == llvm::ELF::STV_HIDDEN) append(".hidden {}\n", symbol.name);
    append(".size {0},{1}\n{0}:\n", symbol.name, symbol.size);
  }

  /// The bytes of a section from `begin` up to `end`.
  void bytes(const Section& section, std::uint64_t begin, std::uint64_t end) {
    if (begin == end) return;
    if (!section.filled) return append(".zero {}\n", end - begin);
    text += ".ascii \"";
    for (const char byte : section.bytes.slice(begin, end)) {
      const auto value = static_cast<unsigned char>(byte);
      if (value >= ' ' && value < 127 && value != '"' && value != '\\') {
        text += byte;
        continue;
      }
      text += '\\';
      for (const unsigned shift : {6u, 3u, 0u}) text += static_cast<char>('0' + (value >> shift & 7));
    }
    text += "\"\n";
  }

  std::string place(std::size_t index) const {
    const Symbol& symbol = parts_.symbols[index];
    if (!symbol.name.empty()) return symbol.name;
    return fmt::format("{}+{}", label(symbol.section), symbol.offset);
  }

  const Parts& parts_;
};

}  // namespace

llvm::Expected<std::string> runtime_assembly(const std::set<std::string>& wanted) {
  auto object = Object::create(llvm::MemoryBufferRef(runtime_object(), "runtime"));
  if (!object) return object.takeError();
  auto parts = take_apart(*object);
  if (!parts) return parts.takeError();
  Writer writer(*parts);
  for (const std::uint64_t section : reached(*parts, wanted)) writer.write(section);
  return std::move(writer.text);
}

}  // namespace codegen
