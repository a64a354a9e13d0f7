// The tables' constants have the members of the structs in runtime/abi.h, no more, no fewer and no others.
#include "codegen/object/constants.h"

#include <doctest/doctest.h>
#include <llvm/IR/DataLayout.h>

using codegen::object::has_members;
using runtime::Extent;

namespace {

using Code = const std::int64_t*;
static_assert(has_members<Extent, Code, std::int64_t>);
static_assert(!has_members<Extent, Code>);
static_assert(!has_members<Extent, Code, std::int64_t, std::int64_t>);
static_assert(!has_members<Extent, Code, std::int32_t>);
static_assert(!has_members<Extent, std::int64_t, Code>);
static_assert(has_members<runtime::Slot, std::int64_t, const Extent*, std::int32_t>);
static_assert(!has_members<runtime::Slot, std::int64_t, const runtime::Slot*, std::int32_t>);
static_assert(has_members<runtime::IndexSite, runtime::Tensor, Extent, Extent, std::int32_t>);

/// A struct as `Slot` would be with a member more.
struct LongerSlot {
  std::int64_t count;
  const Extent* sizes;
  std::int32_t of_cores = 0;
  std::int32_t more = 0;
};
static_assert(!has_members<LongerSlot, std::int64_t, const Extent*, std::int32_t>);

}  // namespace

TEST_CASE("a constant lies in memory as the struct does") {
  llvm::LLVMContext context;
  llvm::Module module("tables", context);
  module.setDataLayout("e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128");
  codegen::object::ConstantWriter write(module);
  const auto binding = write.structure<runtime::Binding>({write.i32(1), write.i32(2)});
  const auto site = write.structure<runtime::Site>(
      {write.text("x.tel"), write.i32(1), write.i32(2), write.i32(3), write.i32(4)});
  const auto kernel =
      write.structure<runtime::Kernel>({write.text("k"), write.i32(1), write.i32(2), write.i64(3),
                                        write.null<void (*)(const std::int64_t*, const std::int32_t*)>()});
  const auto size = [&](llvm::Constant* constant) {
    return module.getDataLayout().getTypeAllocSize(constant->getType()).getFixedValue();
  };
  CHECK(size(binding.value) == sizeof(runtime::Binding));
  CHECK(size(site.value) == sizeof(runtime::Site));
  CHECK(size(kernel.value) == sizeof(runtime::Kernel));
}
