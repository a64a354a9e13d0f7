"""Where tensors of the benchmark lie: in arrays of Python's own (to try its logic on the emulator, with nothing
installed), or in PyTorch's memory on the GPU, where other software computes on the same bytes.

Both have the same functions. A tensor has `pointer`, `type` (as in manifests), `shape` and `bytes`; random ones hold
numbers between -scale and scale, rounded to the type."""
import array
import ctypes
import math
import random
import struct

BYTES = {"float32": 4, "bfloat16": 2, "float16": 2, "float64": 8, "int32": 4, "int64": 8, "bool": 1}
LETTERS = {"float32": "f", "float16": "e", "float64": "d", "int32": "i", "int64": "q"}  # of the module struct
ALIGNMENT = 64


class Plain:
    """Python's own arrays."""

    name = "plain"

    class Tensor:
        def __init__(self, type_, shape):
            self.type, self.shape, self.count = type_, tuple(shape), math.prod(shape)
            self.bytes = self.count * BYTES[type_]
            self._memory = ctypes.create_string_buffer(self.bytes + ALIGNMENT)
            self.pointer = -(-ctypes.addressof(self._memory) // ALIGNMENT) * ALIGNMENT

    def zeros(self, type_, shape):
        return self.Tensor(type_, shape)

    def random(self, type_, shape, scale, seed):
        draw = random.Random(seed)
        return self._of(type_, shape, [draw.uniform(-scale, scale) for _ in range(math.prod(shape))])

    def integers(self, type_, shape, below, seed):
        draw = random.Random(seed)
        return self._of(type_, shape, [draw.randrange(below) for _ in range(math.prod(shape))])

    def part(self, whole, offset, type_, shape):
        """A view of some bytes of another tensor."""
        made = self.Tensor(type_, (0,))
        made.shape, made.count, made._memory = tuple(shape), math.prod(shape), whole._memory
        made.bytes = made.count * BYTES[type_]
        made.pointer = whole.pointer + offset
        return made

    def copy(self, to, source):
        ctypes.memmove(to.pointer, source.pointer, source.bytes)

    def values(self, tensor):
        data = ctypes.string_at(tensor.pointer, tensor.bytes)
        if tensor.type == "bfloat16":
            halves = array.array("H", data)
            return [struct.unpack("<f", struct.pack("<I", half << 16))[0] for half in halves]
        return list(struct.unpack(f"<{tensor.count}{LETTERS[tensor.type]}", data))

    def differences(self, actual, expected):
        """The root mean squares of actual - expected and of expected."""
        one, other = self.values(actual), self.values(expected)
        return (math.sqrt(sum((x - y) ** 2 for x, y in zip(one, other)) / len(other)),
                math.sqrt(sum(y * y for y in other) / len(other)))

    def poison(self, tensor):
        ctypes.memset(tensor.pointer, 0xFF, tensor.bytes)

    def synchronize(self):
        pass

    def free(self):
        pass

    def _of(self, type_, shape, values):
        made = self.Tensor(type_, shape)
        if type_ == "bfloat16":
            words = array.array("I", array.array("f", values).tobytes())
            data = array.array("H", [(word + 0x7FFF + (word >> 16 & 1)) >> 16 for word in words])
        else:
            data = struct.pack(f"<{len(values)}{LETTERS[type_]}", *values)
        ctypes.memmove(made.pointer, bytes(data), made.bytes)
        return made


class Torch:
    """PyTorch's memory; `device` is `cuda`, or `cpu` to try it without a GPU."""

    def __init__(self, device):
        import torch

        self.torch, self.device, self.name = torch, device, f"PyTorch {torch.__version__}, {device}"
        self.types = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16,
                      "float64": torch.float64, "int32": torch.int32, "int64": torch.int64, "bool": torch.bool}

    class Tensor:
        def __init__(self, value, type_, shape):
            self.value, self.type, self.shape = value, type_, tuple(shape)
            self.pointer, self.bytes = value.data_ptr(), value.numel() * value.element_size()

    def zeros(self, type_, shape):
        # Blocks of parameters are aligned to 64 bytes, which on the processor PyTorch does not promise.
        value = self.torch.zeros(shape, dtype=self.types[type_], device=self.device)
        if value.data_ptr() % ALIGNMENT:
            wide = self.torch.zeros(value.numel() + ALIGNMENT, dtype=value.dtype, device=self.device)
            skip = -wide.data_ptr() % ALIGNMENT // value.element_size()
            value = wide[skip:skip + value.numel()].view(shape)
        return self.Tensor(value, type_, shape)

    def random(self, type_, shape, scale, seed):
        made = self.zeros(type_, shape)
        generator = self.torch.Generator(self.device).manual_seed(seed)
        drawn = self.torch.rand(shape, generator=generator, device=self.device)
        made.value.copy_((2 * drawn - 1) * scale)
        return made

    def integers(self, type_, shape, below, seed):
        made = self.zeros(type_, shape)
        generator = self.torch.Generator(self.device).manual_seed(seed)
        made.value.copy_(self.torch.randint(0, below, shape, generator=generator, device=self.device))
        return made

    def part(self, whole, offset, type_, shape):
        bytes_ = math.prod(shape) * BYTES[type_]
        value = whole.value.view(self.torch.uint8).flatten()[offset:offset + bytes_]
        return self.Tensor(value.view(self.types[type_]).view(shape), type_, shape)

    def copy(self, to, source):
        to.value.copy_(source.value)

    def differences(self, actual, expected):
        """Both are tensors of PyTorch here, or of this class."""
        one, other = (getattr(t, "value", t).double() for t in (actual, expected))
        return (one - other).square().mean().sqrt().item(), other.square().mean().sqrt().item()

    def poison(self, tensor):
        tensor.value.view(self.torch.uint8).fill_(0xFF)

    def synchronize(self):
        if self.device == "cuda":
            self.torch.cuda.synchronize()

    def free(self):
        if self.device == "cuda":
            self.torch.cuda.empty_cache()
