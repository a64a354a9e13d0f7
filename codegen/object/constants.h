#pragma once

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>

#include <concepts>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "codegen/object/constant.h"
#include "dlvm/ir/extent.h"
#include "runtime/abi.h"

namespace codegen {

namespace detail {
/// Converts to `T` and to nothing else.
template <typename T>
struct Exactly {
  template <std::same_as<T> U>
  operator U() const;
};
struct Anything {
  template <typename U>
  operator U() const;
};
}  // namespace detail

/// Whether the members of struct `S` have exactly the types `Members`, in this order.
template <typename S, typename... Members>
concept has_members = requires { S{detail::Exactly<Members>{}...}; } &&
                      !requires { S{detail::Exactly<Members>{}..., detail::Anything{}}; };

/// The members of a constant struct of type `S`, one of those in runtime/abi.h. It compiles for the members
/// that `S` has and for no others, so the tables cannot differ from the structs that the runtime reads.
template <typename S>
class Members {
 public:
  template <typename... T>
  Members(Constant<T>... members) : values_{members.value...} {
    static_assert(has_members<S, T...>, "the struct has other members");
  }
  const std::vector<llvm::Constant*>& values() const { return values_; }

 private:
  std::vector<llvm::Constant*> values_;
};

/// Makes constants of an LLVM module in the layout of C. All globals are internal.
class ConstantWriter {
 public:
  explicit ConstantWriter(llvm::Module& module) : module_(module) {}

  Constant<std::int32_t> i32(std::int64_t value) const;
  Constant<std::int64_t> i64(std::int64_t value) const;
  /// The null pointer, as a constant of pointer type `T`.
  template <typename T>
  Constant<T> null() const {
    static_assert(std::is_pointer_v<T>);
    return {null_pointer()};
  }
  template <typename S>
  Constant<S> structure(const Members<S>& members) const {
    return {structure(members.values())};
  }
  /// A pointer to a constant array; null where there are no elements.
  template <typename T>
  Constant<const T*> array(const std::vector<Constant<T>>& elements) {
    std::vector<llvm::Constant*> values;
    for (const Constant<T>& element : elements) values.push_back(element.value);
    return {array(values)};
  }
  /// A pointer to a constant.
  template <typename T>
  Constant<const T*> global(Constant<T> value) {
    return {global(value.value)};
  }
  /// A pointer to bytes at a multiple of `alignment`.
  Constant<const void*> bytes(llvm::StringRef data, unsigned alignment);
  /// A pointer to a NUL-terminated text; equal texts are one.
  Constant<const char*> text(const std::string& text);
  /// The number of elements.
  template <typename T>
  Constant<std::int64_t> count(const std::vector<T>& elements) const {
    return i64(static_cast<std::int64_t>(elements.size()));
  }

  /// Returns the extent over the dimensions of `names`, in this order. Its value is null where the extent uses
  /// another name or its program needs too large a stack.
  Constant<runtime::Extent> extent(const dlvm::Extent& extent, const std::vector<std::string>& names);

 private:
  llvm::Constant* null_pointer() const;
  llvm::Constant* structure(const std::vector<llvm::Constant*>& members) const;
  llvm::Constant* array(const std::vector<llvm::Constant*>& elements);
  llvm::Constant* global(llvm::Constant* value);

  llvm::Module& module_;
  std::map<std::string, llvm::Constant*> texts_;
};

}  // namespace codegen
