"""The limits, measured. On a GPU: a copy, a loop of fused multiply-adds on registers, loops of matrix instructions, and
the fastest large product that PyTorch makes; kernels are PTX, loaded by the driver; `peaks.py` prints it. On the
processor: the two loops of `../measure.hpp`, compiled for this machine."""
import ctypes
import os
import statistics
import subprocess
import tempfile
import time

ACCUMULATORS = 16
THREADS = 256
BLOCKS_A_PROCESSOR = 8


def _kernel(name, registers, start, step, accumulators):
    body = "\n".join(f"  {line}" for line in start)
    loop = "\n".join(f"  {line}" for line in step)
    total = "\n".join(f"  add.f32 %f0, %f0, %f{i};" for i in range(1, accumulators))  # so that none is left out
    return f""".visible .entry {name}(.param .u64 out, .param .u32 count)
{{
  .reg .pred %more;
  .reg .u64 %to;
  .reg .u32 %left, %thread;
{registers}
  ld.param.u64 %to, [out];
  ld.param.u32 %left, [count];
  mov.u32 %thread, %tid.x;
{body}
again:
{loop}
  sub.u32 %left, %left, 1;
  setp.ne.u32 %more, %left, 0;
  @%more bra again;
{total}
  setp.eq.f32 %more, %f0, 0f7F800000;
  @%more st.global.f32 [%to], %f0;
  ret;
}}
"""


def fma_kernel():
    """Per turn and thread: 4 times ACCUMULATORS fused multiply-adds."""
    registers = f"  .reg .f32 %f<{ACCUMULATORS}>, %x, %y;"
    start = ["cvt.rn.f32.u32 %x, %thread;", "mul.f32 %y, %x, 0f38D1B717;",  # 1e-4
             "fma.rn.f32 %x, %x, 0f33D6BF95, 0f3F7FFF58;"]  # 1e-7 x + 0.99999
    start += [f"add.f32 %f{i}, %y, 0f3F{i:02X}0000;" for i in range(ACCUMULATORS)]
    step = [f"fma.rn.f32 %f{i}, %f{i}, %x, %y;" for _ in range(4) for i in range(ACCUMULATORS)]
    return _kernel("peak_fma", registers, start, step, ACCUMULATORS)


def mma_kernel(name, shape, type_, a, b):
    """Per turn and warp: 8 products with accumulators of their own, of `a` and `b` registers."""
    registers = f"  .reg .f32 %f<32>, %x;\n  .reg .b32 %a<{a}>, %b<{b}>;"
    start = ["cvt.rn.f32.u32 %x, %thread;", "mul.f32 %x, %x, 0f38D1B717;"]
    # Two halves of bfloat16, or one tf32: small numbers that differ from thread to thread.
    start += [f"mad.lo.u32 %a{i}, %thread, {65537 * (i + 1)}, {0x3C003C00};" for i in range(a)]
    start += [f"mad.lo.u32 %b{i}, %thread, {65537 * (i + 3)}, {0x3B803B80};" for i in range(b)]
    start += [f"add.f32 %f{i}, %x, 0f3F{i:02X}0000;" for i in range(32)]
    step = []
    for i in range(0, 32, 4):
        c = ", ".join(f"%f{i + j}" for j in range(4))
        left, right = (", ".join(f"%{x}{j}" for j in range(n)) for x, n in (("a", a), ("b", b)))
        step.append(f"mma.sync.aligned.{shape}.row.col.f32.{type_}.{type_}.f32 "
                    f"{{{c}}}, {{{left}}}, {{{right}}}, {{{c}}};")
    return _kernel(name, registers, start, step, 32)


def ptx():
    return (".version 7.0\n.target sm_80\n.address_size 64\n\n" + fma_kernel() +
            mma_kernel("peak_bf16", "m16n8k16", "bf16", 4, 2) + mma_kernel("peak_tf32", "m16n8k8", "tf32", 4, 2))


# Operations per turn of a thread.
KERNELS = {"fma": ("peak_fma", 2 * 4 * ACCUMULATORS), "bfloat16": ("peak_bf16", 8 * 2 * 16 * 8 * 16 / 32),
           "tf32": ("peak_tf32", 8 * 2 * 16 * 8 * 8 / 32)}


class Loops:
    """The kernels, loaded into PyTorch's context."""

    def __init__(self, memory):
        self.memory = memory
        memory.torch.zeros(1, device="cuda")
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.module = ctypes.c_void_p()
        self._check(self.cuda.cuModuleLoadData(ctypes.byref(self.module), ptx().encode()))
        self.out = memory.zeros("float32", (16,))
        self.blocks = BLOCKS_A_PROCESSOR * memory.torch.cuda.get_device_properties(0).multi_processor_count

    def rate(self, name, operations, count=20000):
        """Operations a second: the median of nine launches."""
        function = ctypes.c_void_p()
        self._check(self.cuda.cuModuleGetFunction(ctypes.byref(function), self.module, name.encode()))
        out, turns = ctypes.c_uint64(self.out.pointer), ctypes.c_uint32(count)
        parameters = (ctypes.c_void_p * 2)(ctypes.addressof(out), ctypes.addressof(turns))

        def launch():
            self._check(self.cuda.cuLaunchKernel(function, self.blocks, 1, 1, THREADS, 1, 1, 0, None, parameters, None))

        return operations * count * self.blocks * THREADS / median_seconds(launch, self.memory)

    @staticmethod
    def _check(code):
        if code:
            raise RuntimeError(f"the driver gives {code}")


def median_seconds(run, memory, warm=2, times=9):
    seconds = []
    for turn in range(warm + times):
        memory.synchronize()
        begin = time.perf_counter()
        run()
        memory.synchronize()
        if turn >= warm:
            seconds.append(time.perf_counter() - begin)
    return statistics.median(seconds)


def product_rate(memory, type_, tf32, n=8192):
    torch = memory.torch
    torch.backends.cuda.matmul.allow_tf32 = tf32
    a, b = memory.random(type_, (n, n), 1, 1).value, memory.random(type_, (n, n), 1, 2).value
    c = torch.empty_like(a)
    return 2.0 * n**3 / median_seconds(lambda: torch.matmul(a, b, out=c), memory)


def copy_rate(memory, bytes_):
    one, other = memory.random("float32", (bytes_ // 4,), 1, 3), memory.zeros("float32", (bytes_ // 4,))
    return 2.0 * bytes_ / median_seconds(lambda: memory.copy(other, one), memory)


def processor_rates(threads):
    """The rates of one core, by loops that the machine's C++ compiler makes. `threads` cores have so many times the
    arithmetic; the copy is that of one core, since cores share their memory."""
    here = os.path.dirname(os.path.abspath(__file__))
    with tempfile.TemporaryDirectory() as folder:
        library = os.path.join(folder, "peaks.so")
        subprocess.run(["c++", "-std=c++20", "-O2", "-march=native", "-ffp-contract=fast", "-shared", "-fPIC",
                        os.path.join(here, "processor_peaks.cpp"), "-o", library], check=True)
        loops = ctypes.CDLL(library)
    rates = {}
    for name, times in (("fma", threads), ("copy", 1)):
        loop = loops["peak_" + name]
        loop.restype = ctypes.c_double
        rates[name] = times * loop()
    return rates


def measure(memory, device, threads=1):
    """Bytes a second of a copy (read and written), operations a second by the type of a case. What cannot be measured
    is left out, with the reason in `problems`."""
    if device == "cpu":
        return processor_rates(threads), {}
    rates, problems = {"copy": copy_rate(memory, 4 << 30 if device == "cuda" else 1 << 20)}, {}
    if device != "cuda":
        return rates, problems
    measured = {}

    def attempt(name, measurement):
        try:
            measured[name] = measurement()
        except Exception as error:  # a limit that is missing leaves a gap in the table
            problems[name] = f"{type(error).__name__}: {error}"
        finally:
            memory.free()

    try:
        loops = Loops(memory)
        for name, (kernel, operations) in KERNELS.items():
            attempt(name, lambda: loops.rate(kernel, operations))
    except Exception as error:
        problems["loops"] = f"{type(error).__name__}: {error}"
    attempt("bfloat16 product", lambda: product_rate(memory, "bfloat16", False))
    attempt("tf32 product", lambda: product_rate(memory, "float32", True))
    rates.update(measured)
    return rates, problems


def arithmetic_rate(rates, kind):
    """The fastest way seen to compute a product of that accuracy: float32 also by three products of TF32."""
    tf32 = [rates[name] for name in ("tf32", "tf32 product") if name in rates]
    ways = {"float32": [rates[n] for n in ("fma",) if n in rates] + [rate / 3 for rate in tf32], "tf32": tf32,
            "bfloat16": [rates[n] for n in ("bfloat16", "bfloat16 product") if n in rates]}[kind]
    return max(ways) if ways else None


if __name__ == "__main__":
    print(ptx())
