#include "codegen/target/gpu/tables.h"

#include <llvm/Support/MemoryBufferRef.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "codegen/object/constants.h"
#include "codegen/target/gpu/compress.h"
#include "runtime/abi.h"

namespace codegen::target::gpu {
using object::Constant;
using object::ConstantWriter;
using object::DeviceTables;

namespace {

class Tables {
 public:
  Tables(llvm::Module& host, const std::vector<ProgramTables>& all) : host_(host), write_(host), all_(all) {
    for (const ProgramTables& one : all) code_.push_back(code(one));
  }

  Constant<const runtime::Devices*> devices(const std::string& entry) {
    std::vector<Constant<runtime::DeviceProgram>> programs;
    bool gpu = false, emulator = false;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      programs.push_back(program(all_[i], code_[i], all_[i].entries.at(entry)));
      gpu = gpu || !all_[i].images.empty();
      emulator = emulator || all_[i].is_emulated;
    }
    using Call = int32_t (*)(runtime::Call&);
    using Workspace = int32_t (*)(const runtime::Call&, bool, int64_t&);
    using Combine = int32_t (*)(const runtime::Combination&);
    return write_.global(write_.structure<runtime::Devices>(
        {write_.count(programs), write_.array(programs), function<Call>(gpu, "tel_cuda_call"),
         function<Call>(emulator, "tel_emulator_call"), function<Workspace>(gpu, "tel_cuda_workspace"),
         function<Call>(gpu || emulator, "tel_choose_device"), function<Call>(gpu, "tel_cuda_wait"),
         function<Combine>(gpu, "tel_cuda_combine")}));
  }

 private:
  /// The runtime's function of that name, as a pointer of type `F`; null where it is not wanted.
  template <typename F>
  Constant<F> function(bool is_wanted, const char* name) {
    if (!is_wanted) return write_.null<F>();
    llvm::LLVMContext& context = host_.getContext();
    auto* type =
        llvm::FunctionType::get(llvm::Type::getInt32Ty(context), {llvm::PointerType::get(context, 0)}, false);
    return {llvm::cast<llvm::Constant>(host_.getOrInsertFunction(name, type).getCallee())};
  }

  /// Returns the table of kernels and images.
  Constant<const runtime::DeviceCode*> code(const ProgramTables& from) {
    using Emulated = void (*)(const int64_t*, const int32_t*);
    std::vector<Constant<runtime::Kernel>> all;
    std::vector<Constant<runtime::Image>> images;
    for (std::size_t i = 0; i < from.kernels->all.size(); ++i) {
      const Kernel& kernel = from.kernels->all[i];
      const auto emulated =
          !from.is_emulated ? write_.null<Emulated>() : Constant<Emulated>{from.emulated[i]};
      all.push_back(write_.structure<runtime::Kernel>(
          {write_.text(kernel.name), write_.i32(static_cast<std::int64_t>(kernel.arguments)),
           write_.i32(kernel.threads), write_.i64(kernel.shared), emulated}));
    }
    for (const Image& image : from.images) images.push_back(this->image(image, *from.kernels));
    return write_.global(
        write_.structure<runtime::DeviceCode>({write_.count(all), write_.count(images), write_.array(all),
                                               write_.array(images), write_.i64(from.toolkit)}));
  }

  /// The part of an image that is loaded beside it.
  struct Beside {
    Constant<const runtime::Image*> image;
    Constant<std::int64_t> count;
    Constant<const std::int32_t*> kernels;
  };

  Constant<runtime::Image> image(const Image& image, const Kernels& kernels) {
    const Beside nothing{write_.null<const runtime::Image*>(), write_.i64(0),
                         write_.null<const std::int32_t*>()};
    if (!image.beside) return part(image, image.bytes, nothing);
    std::vector<Constant<std::int32_t>> numbers;
    for (std::size_t i = 0; i < kernels.all.size(); ++i)
      if (image.beside->kernels.contains(kernels.all[i].name))
        numbers.push_back(write_.i32(static_cast<std::int64_t>(i)));
    const auto beside = write_.global(part(image, image.beside->bytes, nothing));
    return part(image, image.bytes, {beside, write_.count(numbers), write_.array(numbers)});
  }

  Constant<runtime::Image> part(const Image& image, const std::string& code, const Beside& beside) {
    // PTX is a text that ends in NUL.
    const std::string_view whole(code.c_str(), code.size() + (image.is_ptx ? 1 : 0));
    const std::string packed = compress(whole);
    const bool is_packed = packed.size() < whole.size();
    return write_.structure<runtime::Image>(
        {write_.i32(image.is_ptx ? runtime::image_ptx : runtime::image_cubin),
         write_.i32(image.architecture.number), write_.i32(image.architecture.specific),
         write_.bytes(is_packed ? std::string_view(packed) : whole, 64),
         write_.i64(static_cast<std::int64_t>(whole.size())),
         write_.i64(is_packed ? static_cast<std::int64_t>(packed.size()) : 0), beside.image, beside.count,
         beside.kernels});
  }

  Constant<runtime::DeviceProgram> program(const ProgramTables& tables,
                                           Constant<const runtime::DeviceCode*> code,
                                           const EntryProgram& program) {
    std::vector<Constant<runtime::Slot>> slots;
    std::vector<Constant<runtime::Literal>> data;
    for (const auto& slot : program.scheduled->slots) {
      std::vector<Constant<runtime::Extent>> sizes;
      for (const auto& size : slot) sizes.push_back(write_.extent(size, program.dimensions));
      slots.push_back(
          write_.structure<runtime::Slot>({write_.count(sizes), write_.array(sizes), write_.i32(0)}));
    }
    for (const dlvm::Tensor* literal : literals(program.scheduled->program)) {
      const llvm::StringRef value(reinterpret_cast<const char*>(literal->data()), literal->byte_count());
      data.push_back(write_.structure<runtime::Literal>(
          {write_.bytes(value, 64), write_.i64(static_cast<std::int64_t>(value.size()))}));
    }
    const GraphFunction& graph = program.graph;
    std::vector<Constant<std::int32_t>> aliases;
    for (const std::uint32_t word : graph.aliases) aliases.push_back(write_.i32(word));
    return write_.structure<runtime::DeviceProgram>(
        {write_.i32(tables.architecture), code, Constant<tel_enqueue>{program.enqueue}, write_.count(slots),
         write_.count(data), write_.array(slots), write_.array(data),
         write_.i32(reads_conditions(program.scheduled->program) ? 1 : 0),
         graph.function != nullptr ? Constant<tel_enqueue>{graph.function} : write_.null<tel_enqueue>(),
         write_.i64(graph.handle_count), write_.count(aliases), write_.array(aliases)});
  }

  llvm::Module& host_;
  ConstantWriter write_;
  const std::vector<ProgramTables>& all_;
  std::vector<Constant<const runtime::DeviceCode*>> code_;  ///< the code of each of `all_`
};

}  // namespace

DeviceTables add_tables(llvm::Module& host, const std::vector<ProgramTables>& tables) {
  Tables write(host, tables);
  DeviceTables result;
  for (const auto& [name, program] : tables.front().entries) result[name] = write.devices(name);
  return result;
}

void add_contents(llvm::Module& host, const ObjectContents& contents) {
  llvm::embedBufferInModule(host, llvm::MemoryBufferRef(write_contents(contents), "contents"),
                            contents_section);
}

}  // namespace codegen::target::gpu
