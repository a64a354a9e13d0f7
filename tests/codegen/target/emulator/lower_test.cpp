#include <doctest/doctest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include "../cpu/jit.h"
#include "codegen/target/emulator/emulator.h"
#include "emulated.h"
#include "runtime/emulator/emulator.h"

namespace {

/// The module lowered: kernel "k", whose entry is "k.emulated".
struct Lowered {
  std::unique_ptr<llvm::LLVMContext> context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> module;
  std::string text;

  explicit Lowered(const std::string& source) {
    llvm::SMDiagnostic error;
    module = llvm::parseAssemblyString(source, error, *context);
    REQUIRE_MESSAGE(module != nullptr, error.getMessage().str());
    codegen::target::emulator::lower_for_emulator(*module, std::vector<std::string>{"k"});
    llvm::raw_string_ostream stream(text);
    module->print(stream, nullptr);
    std::string problem;
    llvm::raw_string_ostream problems(problem);
    CHECK_MESSAGE(!llvm::verifyModule(*module, &problems), problem);
  }
  std::size_t count(const std::string& part) const {
    std::size_t found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  }
};

/// How often the body of a kernel over `ptr %p, i32 %i` announces anything, by each of the functions.
struct Calls {
  std::size_t access, access_if, bytes, local;
  bool operator==(const Calls&) const = default;
};
Calls calls(const std::string& body, const std::string& more = "") {
  const Lowered lowered("define void @k(ptr %p, i32 %i) {\n" + body + "\nret void\n}\n" + more);
  return {lowered.count("call void @tel_emulator_access("),
          lowered.count("call void @tel_emulator_access_if("),
          lowered.count("call void @tel_emulator_access_bytes("),
          lowered.count("call void @tel_emulator_access_local(")};
}

}  // namespace

TEST_CASE("loads, stores and atomic operations are announced, of every type and address space") {
  CHECK(calls("%x = load float, ptr %p store <4 x float> zeroinitializer, ptr %p, align 16") ==
        Calls{2, 0, 0, 0});
  CHECK(
      calls(
          "%a = cmpxchg ptr %p, i64 0, i64 1 acquire monotonic\n%b = atomicrmw add ptr %p, i32 1 monotonic\n"
          "store atomic i64 0, ptr %p release, align 8") == Calls{3, 0, 0, 0});
  CHECK(calls("%g = addrspacecast ptr %p to ptr addrspace(1)\n%x = load i64, ptr addrspace(1) %g") ==
        Calls{1, 0, 0, 0});
}

TEST_CASE("every active element of masked, gathering and scattering instructions is announced") {
  const std::string declarations =
      "declare <4 x float> @llvm.masked.load.v4f32.p0(ptr, <4 x i1>, <4 x float>)\n"
      "declare void @llvm.masked.scatter.v2i16.v2p0(<2 x i16>, <2 x ptr>, <2 x i1>)\n";
  CHECK(
      calls(
          "%m = insertelement <4 x i1> zeroinitializer, i1 true, i32 %i\n"
          "%x = call <4 x float> @llvm.masked.load.v4f32.p0(ptr align 16 %p, <4 x i1> %m, <4 x float> undef)",
          declarations) == Calls{0, 4, 0, 0});
  CHECK(calls("%a = insertelement <2 x ptr> poison, ptr %p, i32 0\n%b = insertelement <2 x ptr> %a, ptr %p, "
              "i32 1\n"
              "call void @llvm.masked.scatter.v2i16.v2p0(<2 x i16> zeroinitializer, <2 x ptr> align 2 %b, <2 "
              "x i1> "
              "splat (i1 true))",
              declarations) == Calls{0, 2, 0, 0});
}

TEST_CASE("copies and fills of memory are announced with their size") {
  CHECK(calls("call void @llvm.memset.p0.i64(ptr align 4 %p, i8 0, i64 64, i1 false)\n%q = getelementptr i8, "
              "ptr %p, "
              "i32 %i\ncall void @llvm.memcpy.p0.p0.i32(ptr %p, ptr %q, i32 %i, i1 false)") ==
        Calls{0, 0, 3, 0});
}

TEST_CASE("variables and constant tables are not announced, unless an index may be wrong") {
  const std::string table = "@table = internal constant [4 x float] zeroinitializer\n";
  CHECK(calls("%v = alloca [4 x float]\nstore [4 x float] zeroinitializer, ptr %v\n"
              "%q = getelementptr [4 x float], ptr %v, i32 0, i32 3\n%x = load float, ptr %q") ==
        Calls{0, 0, 0, 0});
  CHECK(calls("%v = alloca [4 x float]\n%q = getelementptr [4 x float], ptr %v, i32 0, i32 %i\n%x = load "
              "float, ptr "
              "%q") == Calls{0, 0, 0, 1});
  CHECK(calls("%v = alloca [4 x float]\n%q = getelementptr [4 x float], ptr %v, i32 0, i32 4\n%x = load "
              "float, ptr "
              "%q") == Calls{0, 0, 0, 1});
  CHECK(calls("%q = getelementptr [4 x float], ptr @table, i32 0, i32 %i\n%x = load float, ptr %q", table) ==
        Calls{0, 0, 0, 1});
  CHECK(calls("%x = load float, ptr @table", table) == Calls{0, 0, 0, 0});
  CHECK(calls("%v = alloca i32\n%c = icmp eq i32 %i, 0\n%q = select i1 %c, ptr %v, ptr %p\n%x = load i32, "
              "ptr %q") == Calls{1, 0, 0, 0});
}

TEST_CASE("sites say file, line, kind, size and alignment") {
  const Lowered lowered(R"(
define void @k(ptr %p, i32 %i) !dbg !4 {
  %x = load <2 x half>, ptr %p, align 4, !dbg !6
  store i8 1, ptr %p
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "mlp.tel", directory: "/")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "k", file: !1, line: 1, unit: !0, type: !5, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !{})
!6 = !DILocation(line: 12, column: 3, scope: !4)
)");
  CHECK(lowered.count("c\"mlp.tel\\00\"") == 1);
  CHECK(lowered.count("{ ptr @table, i32 12, i32 0, i32 4, i32 4 }") == 1);
  CHECK(lowered.count("{ ptr null, i32 0, i32 1, i32 1, i32 1 }") == 1);
  CHECK(lowered.count("!dbg") == 0);
}

TEST_CASE("device operations become calls of the runtime") {
  const Lowered lowered(R"(
define void @k(ptr %p, i32 %i) {
  %t = call i32 @tel.device.thread()
  %c = icmp eq i32 %t, 3
  %any = call i1 @tel.device.any(i1 %c)
  call void @tel.device.barrier(i32 0, i32 64)
  %m = call { i32, i32 } @tel.device.load_matrix_2(ptr %p)
  %x = extractvalue { i32, i32 } %m, 1
  %s = call i32 @tel.device.shuffle(i32 %x, i32 %t)
  %y = select i1 %any, i32 %s, i32 0
  store i32 %y, ptr %p
  ret void
}
declare i32 @tel.device.thread()
declare i1 @tel.device.any(i1)
declare void @tel.device.barrier(i32, i32)
declare { i32, i32 } @tel.device.load_matrix_2(ptr)
declare i32 @tel.device.shuffle(i32, i32)
)");
  CHECK(lowered.count("tel.device") == 0);
  CHECK(lowered.count("call i32 @tel_device_thread()") == 1);
  CHECK(lowered.count("call zeroext i1 @tel_device_any(i1 zeroext %c, ptr ") == 1);
  INFO(lowered.text);
  CHECK(lowered.count("call void @tel_device_barrier(i32 0, i32 64, ptr ") == 1);
  CHECK(lowered.count("call void @tel_device_load_matrix_2(ptr %p, ptr %") == 1);
  CHECK(lowered.count("alloca { i32, i32 }") == 1);
  CHECK(lowered.count("call i32 @tel_device_shuffle(i32 %x, i32 %t, ptr ") == 1);
}

namespace {

/// The lowered kernel in this process.
struct Compiled {
  std::unique_ptr<llvm::orc::LLJIT> jit;
  void (*entry)(const std::int64_t*, const std::int32_t*) = nullptr;

  explicit Compiled(Lowered lowered) {
    const auto machine = test::machine();
    lowered.module->setTargetTriple(machine->getTargetTriple());
    lowered.module->setDataLayout(machine->createDataLayout());
    jit = llvm::cantFail(llvm::orc::LLJITBuilder().create());
    llvm::orc::SymbolMap symbols;
    for (const auto& [name, function] : test::emulator_symbols())
      symbols[jit->mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                                             llvm::JITSymbolFlags::Exported};
    llvm::cantFail(jit->getMainJITDylib().define(llvm::orc::absoluteSymbols(symbols)));
    llvm::cantFail(
        jit->addIRModule(llvm::orc::ThreadSafeModule(std::move(lowered.module), std::move(lowered.context))));
    entry = llvm::cantFail(jit->lookup("k.emulated")).toPtr<decltype(entry)>();
  }

  /// One grid over 'x' and 'y'.
  std::string run(std::vector<float>& x, std::vector<float>& y, std::int64_t blocks) const {
    using namespace runtime::emulator;
    const runtime::Kernel kernel{"k", 2, 64, 1024, entry};
    const Buffer buffers[] = {
        {argument, 0, "x", reinterpret_cast<char*>(x.data()), static_cast<std::int64_t>(x.size() * 4)},
        {result, 0, "y", reinterpret_cast<char*>(y.data()), static_cast<std::int64_t>(y.size() * 4)}};
    const std::int32_t positions[] = {1, 2};
    tel_error error{};
    Session* session = open({&kernel, 1, nullptr, 0, buffers, 2, 0, 2, "m::f", &error});
    if (launch(*session, 0, blocks, positions) == TEL_OK) finish(*session);
    close(session);
    return error.text;
  }
};

/// y[64 b + i] = x[64 b + 63 - i], through shared memory; `index` is where thread i reads.
std::string reverse(const std::string& index, const std::string& barrier) {
  return R"(
declare i32 @tel.device.thread()
declare i32 @tel.device.block()
declare ptr @tel.device.shared()
declare i1 @tel.device.any(i1)
declare void @tel.device.barrier(i32, i32)
declare { i32, i32 } @tel.device.load_matrix_2(ptr)
define void @k(ptr %words, i32 %px, i32 %py) {
  %i = call i32 @tel.device.thread()
  %b = call i32 @tel.device.block()
  %xp = getelementptr i64, ptr %words, i32 %px
  %xa = load i64, ptr %xp
  %x = inttoptr i64 %xa to ptr
  %yp = getelementptr i64, ptr %words, i32 %py
  %ya = load i64, ptr %yp
  %y = inttoptr i64 %ya to ptr
  %first = mul i32 %b, 64
  %at = add i32 %first, %i
  %from = getelementptr float, ptr %x, i32 %at
  %value = load float, ptr %from
  %shared = call ptr @tel.device.shared()
  %to = getelementptr float, ptr %shared, i32 %i
  store float %value, ptr %to
  )" + barrier +
         R"(
  %other = )" +
         index + R"(
  %back = getelementptr float, ptr %shared, i32 %other
  %reversed = load float, ptr %back
  %row = and i32 %i, 7
  %offset = mul i32 %row, 16
  %matrix = getelementptr i8, ptr %shared, i32 %offset
  %two = call { i32, i32 } @tel.device.load_matrix_2(ptr %matrix)
  %one = extractvalue { i32, i32 } %two, 1
  %bits = bitcast float %reversed to i32
  %is = icmp eq i32 %bits, %one
  %any = call i1 @tel.device.any(i1 %is)
  %kept = select i1 %any, float %reversed, float -1.0
  %result = getelementptr float, ptr %y, i32 %at
  store float %kept, ptr %result
  ret void
})";
}

}  // namespace

TEST_CASE("a lowered kernel runs, and its faults are found") {
  // The first half of each block's values are equal, so that the second warp, which gets them both ways,
  // keeps them, and the first does not.
  std::vector<float> x(64 * 3), y(64 * 3);
  const auto kept = [](std::size_t i) {
    const std::size_t block = i / 64;
    return 7.0f + static_cast<float>(block);
  };
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = i % 64 < 32 ? kept(i) : 1.0f;
  const Compiled good(Lowered(reverse("sub i32 63, %i", "call void @tel.device.barrier(i32 0, i32 64)")));
  CHECK(good.run(x, y, 3) == "");
  for (std::size_t i = 0; i < y.size(); ++i) CHECK(y[i] == (i % 64 < 32 ? -1.0f : kept(i)));
  CHECK(good.run(x, y, 4) ==
        "emulator: k, block 3, thread 0: reads 4 bytes outside of the kernel's memory: 0 past the end of "
        "argument "
        "'x' (768 bytes)");
  const Compiled unordered(Lowered(reverse("and i32 %i, 31", "")));
  CHECK(unordered.run(x, y, 3) ==
        "emulator: k, block 0, thread 32: reads 4 bytes at byte 0 of shared memory, a race: thread 0 wrote "
        "there and "
        "nothing orders the two");
}
