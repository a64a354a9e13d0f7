#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace dlvm {

enum class ElementType : std::uint8_t { boolean, i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64 };

enum class ElementClass : std::uint8_t { boolean, signed_integer, unsigned_integer, floating };

struct ElementTypeInfo {
  ElementType type;
  std::string_view name;      ///< the name in DLVM text
  std::string_view tel_name;  ///< the name in TEL source; empty if TEL lacks the type
  std::string_view cpp_name;  ///< the name in generated headers
  std::uint8_t bytes;         ///< the size of an element in memory; a bool has one byte
  ElementClass kind;
};

inline constexpr std::array element_types{
    ElementTypeInfo{ElementType::boolean, "bool", "bool", "bool", 1, ElementClass::boolean},
    ElementTypeInfo{ElementType::i8, "i8", "int8", "std::int8_t", 1, ElementClass::signed_integer},
    ElementTypeInfo{ElementType::i16, "i16", "int16", "std::int16_t", 2, ElementClass::signed_integer},
    ElementTypeInfo{ElementType::i32, "i32", "int32", "std::int32_t", 4, ElementClass::signed_integer},
    ElementTypeInfo{ElementType::i64, "i64", "int64", "std::int64_t", 8, ElementClass::signed_integer},
    ElementTypeInfo{ElementType::u8, "u8", "uint8", "std::uint8_t", 1, ElementClass::unsigned_integer},
    ElementTypeInfo{ElementType::u16, "u16", "", "std::uint16_t", 2, ElementClass::unsigned_integer},
    ElementTypeInfo{ElementType::u32, "u32", "", "std::uint32_t", 4, ElementClass::unsigned_integer},
    ElementTypeInfo{ElementType::u64, "u64", "", "std::uint64_t", 8, ElementClass::unsigned_integer},
    ElementTypeInfo{ElementType::f16, "f16", "float16", "tel::float16", 2, ElementClass::floating},
    ElementTypeInfo{ElementType::bf16, "bf16", "bfloat16", "tel::bfloat16", 2, ElementClass::floating},
    ElementTypeInfo{ElementType::f32, "f32", "float32", "float", 4, ElementClass::floating},
    ElementTypeInfo{ElementType::f64, "f64", "float64", "double", 8, ElementClass::floating},
};

constexpr const ElementTypeInfo& info(ElementType type) {
  return element_types[static_cast<std::size_t>(type)];
}
constexpr bool is_floating(ElementType type) { return info(type).kind == ElementClass::floating; }
constexpr bool is_boolean(ElementType type) { return type == ElementType::boolean; }
constexpr bool is_integer(ElementType type) { return !is_floating(type) && !is_boolean(type); }
constexpr bool is_signed(ElementType type) { return info(type).kind == ElementClass::signed_integer; }

/// The type of that DLVM name.
constexpr std::optional<ElementType> element_type_named(std::string_view name) {
  for (const auto& entry : element_types)
    if (entry.name == name) return entry.type;
  return std::nullopt;
}

/// The type of that TEL name.
constexpr std::optional<ElementType> element_type_in_tel(std::string_view name) {
  for (const auto& entry : element_types)
    if (!name.empty() && entry.tel_name == name) return entry.type;
  return std::nullopt;
}

}  // namespace dlvm
