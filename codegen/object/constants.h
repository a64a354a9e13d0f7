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

namespace codegen::object {

namespace detail {
/// Converts to `T` and to nothing else.
template <typename T>
struct Exactly {
  template <std::same_as<T> U>
  operator U() const;
};
/// Converts to any type.
struct Anything {
  template <typename U>
  operator U() const;
};
}  // namespace detail

/// Holds if the members of struct `S` have exactly the types `Members`, in this order.
template <typename S, typename... Members>
concept has_members = requires { S{detail::Exactly<Members>{}...}; } &&
                      !requires { S{detail::Exactly<Members>{}..., detail::Anything{}}; };

/// The members of a constant struct of type `S`, one of the structs in runtime/abi.h. Construction compiles
/// only with the members that `S` has, so the tables cannot differ from the structs that the runtime reads.
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

  /// Return the number as a constant. It must be representable in the type.
  Constant<std::int32_t> i32(std::int64_t value) const;
  Constant<std::int64_t> i64(std::int64_t value) const;
  Constant<std::uint64_t> u64(std::uint64_t value) const;
  /// Returns the null pointer as a constant of pointer type `T`.
  template <typename T>
  Constant<T> null() const {
    static_assert(std::is_pointer_v<T>);
    return {null_pointer()};
  }
  template <typename S>
  Constant<S> structure(const Members<S>& members) const {
    return {structure(members.values())};
  }
  /// Returns a pointer to a constant array, or null if there are no elements.
  template <typename T>
  Constant<const T*> array(const std::vector<Constant<T>>& elements) {
    std::vector<llvm::Constant*> values;
    for (const Constant<T>& element : elements) values.push_back(element.value);
    return {array(values)};
  }
  /// Returns a pointer to a global that holds the constant.
  template <typename T>
  Constant<const T*> global(Constant<T> value) {
    return {global(value.value)};
  }
  /// Returns a pointer to a copy of the bytes, aligned to `alignment`.
  Constant<const void*> bytes(llvm::StringRef data, unsigned alignment);
  /// Returns a pointer to a NUL-terminated text. Equal texts share one global.
  Constant<const char*> text(const std::string& text);
  /// Returns the number of elements.
  template <typename T>
  Constant<std::int64_t> count(const std::vector<T>& elements) const {
    return i64(static_cast<std::int64_t>(elements.size()));
  }

  /// Returns the extent over the dimensions of `names`, in this order. Its value is null if the extent
  /// uses another name or its program needs too large a stack.
  Constant<runtime::Extent> extent(const dlvm::Extent& extent, const std::vector<std::string>& names);

 private:
  llvm::Constant* null_pointer() const;
  llvm::Constant* structure(const std::vector<llvm::Constant*>& members) const;
  llvm::Constant* array(const std::vector<llvm::Constant*>& elements);
  llvm::Constant* global(llvm::Constant* value);

  llvm::Module& module_;
  std::map<std::string, llvm::Constant*> texts_;
};

}  // namespace codegen::object
