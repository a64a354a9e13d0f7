"""Other software on the same inputs. A peer's `build(case, kind, call)` gives a function that computes once, without
waiting, and returns results by name (`value`, or `gradient.W1` …); `finish` waits for what it returned. Whatever a
peer raises is its own row's entry and stops nothing else."""
import ctypes
import math


class TorchOps:
    """What formulas call, in PyTorch."""

    def __init__(self, torch, plain_attention=False):
        f = torch.nn.functional
        self.relu, self.tanh, self.gelu = f.relu, torch.tanh, f.gelu
        self._torch, self._f, self._plain = torch, f, plain_attention

    def softmax(self, x):
        return self._f.softmax(x, -1)

    def layer_norm(self, x, gain, shift):
        return self._f.layer_norm(x, x.shape[-1:], gain, shift, 1e-5)

    def cross_entropy(self, x, label):
        return self._f.cross_entropy(x, label.long())

    def permute(self, x):
        return x.transpose(1, 2)

    def convolve(self, x, weight, stride, padding):
        return self._f.conv2d(x, weight, stride=stride, padding=padding)

    def max_pool(self, x, size, stride, padding):
        return self._f.max_pool2d(x, size, stride, padding)

    def sinusoidal(self, tokens, d, like):
        torch = self._torch
        steps, columns = (torch.arange(n, dtype=like.dtype, device=like.device) for n in (tokens, d // 2))
        angle = steps[:, None] * 10000.0 ** (-2 * columns / d)
        return torch.stack((torch.sin(angle), torch.cos(angle)), -1).reshape(tokens, d)

    def lstm(self, x, weight, recurrent_weight, bias):
        start = x.new_zeros(1, x.shape[1], recurrent_weight.shape[0])
        weights = [weight.T.contiguous(), recurrent_weight.T.contiguous(), bias, self._torch.zeros_like(bias)]
        return self._torch.lstm(x, (start, start), weights, True, 1, 0.0, False, False, False)[0]

    def causal_attention(self, q, k, v):
        if self._plain:
            scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
            later = self._torch.ones_like(scores[0, 0], dtype=self._torch.bool).triu(1)
            return self.softmax(scores.masked_fill(later, float("-inf"))) @ v
        return self._f.scaled_dot_product_attention(q, k, v, is_causal=True)

    def attention(self, q, k, v):
        if self._plain:
            return self.softmax(q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])) @ v
        return self._f.scaled_dot_product_attention(q, k, v)


class JaxOps:
    """The same in JAX."""

    def __init__(self, jax):
        import jax.numpy as jnp

        self.relu, self.tanh, self._jax, self._jnp = jax.nn.relu, jnp.tanh, jax, jnp

    def gelu(self, x):
        return self._jax.nn.gelu(x, approximate=False)

    def softmax(self, x):
        return self._jax.nn.softmax(x, axis=-1)

    def layer_norm(self, x, gain, shift):
        centred = x - x.mean(-1, keepdims=True)
        return centred * self._jax.lax.rsqrt((centred * centred).mean(-1, keepdims=True) + 1e-5) * gain + shift

    def cross_entropy(self, x, label):
        picked = self._jnp.take_along_axis(self._jax.nn.log_softmax(x, axis=-1), label[:, None], axis=1)
        return -picked.mean()

    def permute(self, x):
        return x.swapaxes(1, 2)

    def convolve(self, x, weight, stride, padding):
        return self._jax.lax.conv_general_dilated(x, weight, (stride, stride), [(padding, padding)] * 2)

    def max_pool(self, x, size, stride, padding):
        edges = ((0, 0), (0, 0), (padding, padding), (padding, padding))
        return self._jax.lax.reduce_window(x, -self._jnp.inf, self._jax.lax.max, (1, 1, size, size),
                                           (1, 1, stride, stride), edges)

    def sinusoidal(self, tokens, d, like):
        jnp = self._jnp
        angle = jnp.arange(tokens, dtype=like.dtype)[:, None] * 10000.0 ** (-2 * jnp.arange(d // 2) / d)
        return jnp.stack((jnp.sin(angle), jnp.cos(angle)), -1).reshape(tokens, d).astype(like.dtype)

    def lstm(self, x, weight, recurrent_weight, bias):
        jnp, n = self._jnp, recurrent_weight.shape[0]
        sigmoid = self._jax.nn.sigmoid

        def step(carried, given):
            h, c = carried
            gates = given + h @ recurrent_weight
            i, f, g, out = (gates[:, k * n:(k + 1) * n] for k in range(4))
            c = sigmoid(f) * c + sigmoid(i) * jnp.tanh(g)
            h = sigmoid(out) * jnp.tanh(c)
            return (h, c), h

        start = jnp.zeros((x.shape[1], n), x.dtype)
        return self._jax.lax.scan(step, (start, start), x @ weight + bias)[1]

    def causal_attention(self, q, k, v):
        scores = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])
        seen = self._jnp.tril(self._jnp.ones(scores.shape[-2:], bool))
        return self.softmax(self._jnp.where(seen, scores, -self._jnp.inf)) @ v

    def attention(self, q, k, v):
        scores = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])
        return self.softmax(scores) @ v


def tensors(call):
    return {name: tensor.value for part in (call.inputs, call.parameters) for name, tensor in part.items()}


class TorchPeer:
    """PyTorch, eager or compiled (`mode` of torch.compile)."""

    def __init__(self, memory, name, mode=None):
        self.torch, self.memory, self.name, self.mode = memory.torch, memory, name, mode
        self.ops = TorchOps(self.torch)

    def build(self, case, kind, call):
        torch, t = self.torch, tensors(call)
        torch.backends.cuda.matmul.allow_tf32 = kind == "tf32"
        for name in case.wrt:
            t[name] = t[name].detach().requires_grad_()
        seed = next((v for name, v in t.items() if name.startswith("cotangent.")), None)
        given = {name: v for name, v in t.items() if not name.startswith("cotangent.")}
        formula = lambda values: case.formula(self.ops, values)
        if self.mode is not None:
            torch._dynamo.reset()
            formula = torch.compile(formula, mode=self.mode, dynamic=False)
        replays = self.mode == "reduce-overhead"

        def value():
            if replays:
                torch.compiler.cudagraph_mark_step_begin()
            with torch.no_grad():
                return {"value": formula(given)}

        def gradient():
            if replays:
                torch.compiler.cudagraph_mark_step_begin()
            results = torch.autograd.grad(formula(given), [given[name] for name in case.wrt], seed)
            return {"gradient." + name: result for name, result in zip(case.wrt, results)}

        return gradient if case.wrt else value

    def finish(self, results):
        self.memory.synchronize()

    def result(self, results, name):
        return results[name]


class JaxPeer:
    name = "JAX jit"

    def __init__(self, memory):
        import jax

        self.jax, self.memory, self.ops = jax, memory, JaxOps(jax)

    def build(self, case, kind, call):
        jax = self.jax
        jax.config.update("jax_default_matmul_precision", {"float32": "highest", "tf32": "tensorfloat32"}.get(kind))
        t = {name: self._array(v) for name, v in tensors(call).items()}
        seed = next((v for name, v in t.items() if name.startswith("cotangent.")), None)
        rest = {name: v for name, v in t.items() if name not in case.wrt and not name.startswith("cotangent.")}
        leaves = {name: t[name] for name in case.wrt}

        def value(leaves, rest):
            return case.formula(self.ops, {**leaves, **rest})

        def gradient(leaves, rest, seed):
            if seed is None:
                return jax.grad(value)(leaves, rest)
            return jax.vjp(lambda given: value(given, rest), leaves)[1](seed)[0]

        if case.wrt:
            compiled = jax.jit(gradient)
            return lambda: {"gradient." + name: v for name, v in compiled(leaves, rest, seed).items()}
        compiled = jax.jit(value)
        return lambda: {"value": compiled(leaves, rest)}

    def finish(self, results):
        self.jax.block_until_ready(results)

    def result(self, results, name):
        torch = self.memory.torch
        return torch.from_dlpack(results[name].astype("float32")).to(self.memory.device)

    def _array(self, tensor):
        return self.jax.dlpack.from_dlpack(tensor.detach().contiguous())


class CublasPeer:
    """Single products, by cublasGemmEx of the library that PyTorch has loaded."""

    name = "cuBLAS"
    types = {"float32": (0, 68), "tf32": (0, 77), "bfloat16": (14, 68)}  # cudaDataType, cublasComputeType

    def __init__(self, memory):
        self.memory = memory
        memory.torch.ones(16, 16, device=memory.device) @ memory.torch.ones(16, 16, device=memory.device)  # loads it
        for name in ("libcublas.so.13", "libcublas.so.12", "libcublas.so"):
            try:
                self.library = ctypes.CDLL(name)
                break
            except OSError as error:
                reason = error
        else:
            raise reason
        self.handle = ctypes.c_void_p()
        if code := self.library.cublasCreate_v2(ctypes.byref(self.handle)):
            raise RuntimeError(f"cublasCreate gives {code}")

    def build(self, case, kind, call):
        if case.network != "gemm":
            raise NotImplementedError("no single product")
        a, b = call.inputs["A"], call.inputs["B"]
        (m, k), n = a.shape, b.shape[1]
        c = self.memory.zeros(a.type, (m, n))
        one, zero = ctypes.c_float(1), ctypes.c_float(0)
        type_, compute = self.types[kind]
        # Its matrices are stored by columns: C transposed is B transposed times A transposed.
        pointer, integer = ctypes.c_void_p, ctypes.c_int
        arguments = (self.handle, integer(0), integer(0), integer(n), integer(m), integer(k), ctypes.byref(one),
                     pointer(b.pointer), integer(type_), integer(n), pointer(a.pointer), integer(type_), integer(k),
                     ctypes.byref(zero), pointer(c.pointer), integer(type_), integer(n), integer(compute), integer(-1))

        def run():
            if code := self.library.cublasGemmEx(*arguments):
                raise RuntimeError(f"cublasGemmEx gives {code}")
            return {"value": c.value}

        return run

    def finish(self, results):
        self.memory.synchronize()

    def result(self, results, name):
        return results[name]


def reference(case, memory, call):
    """In float64, by PyTorch: results by name."""
    torch = memory.torch
    t = {name: v.double() if v.is_floating_point() else v for name, v in tensors(call).items()}
    ops = TorchOps(torch, plain_attention=True)
    if not case.wrt:
        with torch.no_grad():
            return {"value": case.formula(ops, t)}
    leaves = [t[name].requires_grad_() for name in case.wrt]
    seed = next((v for name, v in t.items() if name.startswith("cotangent.")), None)
    results = torch.autograd.grad(case.formula(ops, t), leaves, seed)
    return {"gradient." + name: result for name, result in zip(case.wrt, results)}
