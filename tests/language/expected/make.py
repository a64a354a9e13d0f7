"""Computes NAME.ENTRY.safetensors for programs of tests/language with NumPy and JAX, in double precision and without
any part of telc: `in.x`, `weight.W` are what the entry point gets, `out.y`, `out.gradient.W` what it must return.

    python3 make.py [NAME...]      (needs numpy, jax, scipy; the tests need only the files)
"""
import json
import pathlib
import struct
import sys

import jax
import jax.numpy as np
import numpy
import scipy.special

jax.config.update("jax_enable_x64", True)
FOLDER = pathlib.Path(__file__).parent
NAMES = {"float64": "F64", "float32": "F32", "float16": "F16", "int64": "I64", "int32": "I32", "int16": "I16",
         "int8": "I8", "uint8": "U8", "bool": "BOOL"}


def write(path, tensors):
    header, body = {}, b""
    for name, value in tensors.items():
        value = numpy.asarray(value)
        data = numpy.ascontiguousarray(value).tobytes()
        header[name] = {"dtype": NAMES[str(value.dtype)], "shape": list(value.shape),
                        "data_offsets": [len(body), len(body) + len(data)]}
        body += data
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)


def stored(value):
    """What the program gets: floats rounded to float32 first."""
    value = numpy.asarray(value)
    return value.astype(numpy.float32) if value.dtype == numpy.float64 else value


def exact(tensors):
    return {k: np.asarray(v, np.float64) if v.dtype == numpy.float32 else np.asarray(v) for k, v in tensors.items()}


class Case:
    """One call of one entry point. `compute(inputs, weights)` gives the results by name."""

    def __init__(self, name, entry, inputs, weights, results):
        self.path = FOLDER / f"{name}.{entry}.safetensors"
        self.tensors = {f"in.{k}": v for k, v in inputs.items()}
        self.tensors.update({f"weight.{k}": v for k, v in weights.items()})
        self.tensors.update({f"out.{k}": v for k, v in results.items()})


cases = {}


def case(name):
    def add(make):
        cases[name] = make
        return make
    return add


def draws(name):
    return numpy.random.default_rng(list(name.encode()))


def forward(name, compute, inputs=None, weights=None):
    inputs, weights = ({k: stored(v) for k, v in (d or {}).items()} for d in (inputs, weights))
    with numpy.errstate(all="ignore"):
        yield Case(name, "forward", inputs, weights, compute(exact(inputs), exact(weights)))


def trained(name, compute, losses, inputs, weights):
    """`gradient`: the derivatives of the sum of the losses, and what it keeps."""
    inputs, weights = ({k: stored(v) for k, v in d.items()} for d in (inputs, weights))
    total = lambda w: sum(compute(exact(inputs), w)[loss] for loss in losses)
    results = dict(compute(exact(inputs), exact(weights)))
    results.update({f"gradient.{k}": v for k, v in jax.grad(total)(exact(weights)).items()})
    yield Case(name, "gradient", inputs, weights, results)


def seeded(name, compute, inputs, weights, kept=()):
    """`gradient` of a module without a loss, with random cotangents."""
    inputs, weights = ({k: stored(v) for k, v in d.items()} for d in (inputs, weights))
    results = compute(exact(inputs), exact(weights))
    draw = draws(name + "cotangents")
    cotangents = {k: stored(draw.normal(size=v.shape)) for k, v in results.items() if v.dtype == np.float64}
    total = lambda w: sum((compute(exact(inputs), w)[k] * c.astype(float)).sum() for k, c in cotangents.items())
    results = dict(results)
    results.update({f"gradient.{k}": v for k, v in jax.grad(total)(exact(weights)).items()})
    inputs.update({f"cotangent.{k}": v for k, v in cotangents.items()})
    yield Case(name, "gradient", inputs, weights, results)


def softmax(x, axis=-1):
    return jax.nn.softmax(x, axis=axis)


def cross_entropy(logits, label):
    return -np.mean(np.take_along_axis(jax.nn.log_softmax(logits), np.asarray(label)[..., None], -1))


# ---------------------------------------------------------------------------------------------- binding

@case("binding_of_powers")
def _(name):
    def compute(i, w):
        x, p = i["x"], w["p"]
        return {"a": -(p**2), "b": p**(2**0.5), "c": 1 / p, "d": -(1 / p**2) * x, "e": 2**(-(p**2)), "f": p**2 - x,
                "g": p + x + x}
    yield from forward(name, compute, {"x": draws(name).normal(size=(5, 3))}, {"p": [0.5, 1.5, 2.0]})


@case("binding_of_products")
def _(name):
    def compute(i, w):
        x, A, b = i["x"], w["A"], w["b"]
        return {"a": -(x @ A) + b, "c": b * (x @ A), "d": (x @ A) * b, "e": (x * x) @ A.T, "f": x @ A @ A, "g": x @ A @ A}
    draw = draws(name)
    yield from forward(name, compute, {"x": draw.normal(size=(4, 3))},
                       {"A": draw.normal(size=(3, 3)), "b": [1.0, 2.0, -1.0]})


@case("binding_of_conversions")
def _(name):
    def compute(i, w):
        x, n, p = i["x"], i["i"], w["p"]
        return {"a": -np.trunc(x).astype(np.int32), "b": n.astype(float)**2, "c": x @ p, "d": 2 * n + x,
                "e": p.reshape(1, 2) + x}
    draw = draws(name)
    yield from forward(name, compute, {"x": 5 * draw.normal(size=(6, 2)),
                                       "i": draw.integers(-9, 9, (6, 2)).astype("int32")}, {"p": [[1.0], [2.0]]})


@case("binding_of_logic")
def _(name):
    def compute(i, w):
        a, b, n = (numpy.asarray(i[k]) for k in "abi")
        return {"c": (~a & b) | (a & ~b), "d": ~(a == b), "e": a | (b & ~a),
                "f": ((n + 1 < 2 * n) & (n % 2 == 0)) | b, "g": a, "h": ~((a | b) == (~a & ~b))}
    draw = draws(name)
    yield from forward(name, compute, {"a": draw.integers(0, 2, (8, 2)) > 0, "b": numpy.array([True, False]),
                                       "i": draw.integers(-5, 6, (8, 2)).astype("int32")})


@case("binding_of_if")
def _(name):
    def compute(i, w):
        x, p = i["x"], w["p"]
        f = np.where(np.where(p > 0, x > 0, x < 0), p, x)
        e = np.concatenate([np.where(x > 0, x, p), p * x], 1)
        return {"a": 1 + np.where(x > p, x, p + 2), "b": np.tanh(np.where(x > 0, x, p * x)),
                "c": x * np.where(p > 0, 2, np.where(x > 0, p, 3 - p)), "d": -np.where(x < 0, x, p), "e": e, "f": f}
    yield from forward(name, compute, {"x": draws(name).normal(size=(6, 3))}, {"p": [1.0, -1.0, 0.5]})


@case("binding_of_postfixes")
def _(name):
    def compute(i, w):
        x, p = i["x"], w["p"]
        return {"a": -(x[:, 0, :]**2), "b": x @ p.T[0], "c": p.T**2, "d": np.tanh(p)[1]**2 + p[0],
                "e": np.maximum(p, 0)[0, 1:] * 2, "f": x[:, 1][:, 0] + p[0][1], "g": 0 * p}
    draw = draws(name)
    yield from forward(name, compute, {"x": draw.normal(size=(3, 3, 2))}, {"p": draw.normal(size=(2, 3))})


# --------------------------------------------------------------------------------- shapes and indices

@case("broadcast_in_every_operator")
def _(name):
    def compute(i, w):
        x, n, p = (numpy.asarray(v) for v in (i["x"], i["i"], w["p"]))
        j = numpy.array([1, 2, -3], "int32")
        return {"a": x + p, "b": x - p, "c": (x**2 + 1)**p, "d": numpy.mod(x, p), "e": x < p, "f": x == p,
                "g": (x > 0) & (p > 1), "h": numpy.minimum(x, p) + numpy.maximum(p, x), "k": numpy.arctan2(x + 0.3, p),
                "l": numpy.floor(x / p), "m": n + j, "n": numpy.floor_divide(n, j) * numpy.mod(n, j),
                "o": numpy.where(x > 0, p, x), "q": numpy.where(p > 0.75, x, 0)}
    draw = draws(name)
    yield from forward(name, compute, {"x": draw.normal(size=(5, 1)), "i": draw.integers(-9, 9, (5, 1)).astype("int32")},
                       {"p": [0.5, 1.0, 2.0]})


@case("broadcast_of_batches")
def _(name):
    def compute(i, w):
        x, A, B, v = i["x"], w["A"], w["B"], w["v"]
        a = x @ A
        return {"a": a, "b": x @ B, "c": x @ v, "d": v @ A, "e": (A @ A[0:1].transpose(0, 2, 1)).reshape(1, 4, 2, 2),
                "L": np.mean(a**2)}
    draw = draws(name)
    yield from trained(name, compute, ["L"], {"x": draw.normal(size=(2, 1, 3, 2))},
                       {"A": draw.normal(size=(4, 2, 3)), "B": draw.normal(size=(2, 2)), "v": [1.0, -1.0]})


@case("slices_with_steps")
def _(name):
    def compute(i, w):
        x, p = i["x"], w["p"]
        y = x * p
        return {"a": y[:, 1:8:3], "b": y[:, ::-2], "c": y[:, 7:2:-1], "d": y[:, -2:-8:-3], "e": y[:, 8:0:-4],
                "f": p[::4] * p[1:4], "g": y[:, -3:], "h": y[:, :-7], "i": y[:, 2:3], "j": p[8:5:-1] * p[0:3],
                "k": y[::-1, ::-1], "l": x[:, ::2][:, ::2][:, ::2]}
    draw = draws(name)
    yield from seeded(name, compute, {"x": draw.normal(size=(3, 9))}, {"p": draw.normal(size=9)})


@case("slices_of_rank_5")
def _(name):
    def compute(i, w):
        x, p = i["x"], w["p"]
        y = x * p
        return {"a": y[:, 0, :, -1], "b": y[:, :, 1:3, 2, ::-1], "c": y[:, 1, 2, 3, 0], "d": p[-1, -2],
                "e": y[:, 0:1, ::-1, :, 1:2], "f": p[0, 0, 0, 0] * p[1, 2, 3, 1]}
    draw = draws(name)
    yield from seeded(name, compute, {"x": draw.normal(size=(2, 2, 3, 4, 2))}, {"p": draw.normal(size=(2, 3, 4, 2))})


@case("gather_along_each_axis")
def _(name):
    j, k = numpy.array([3, 0, 3]), numpy.array([[-1], [1]])

    def compute(i, w):
        x, n, p = i["x"], i["i"], w["p"]
        y = x * p
        return {"a": y[:, n % 4], "b": y[:, j], "c": y[:, :, k], "d": p[j], "e": p[:, k], "f": y[:, 0],
                "g": y[:, 0:2, ::-1][:, 1]}
    draw = draws(name)
    yield from seeded(name, compute, {"x": draw.normal(size=(2, 4, 3)),
                                      "i": draw.integers(-9, 9, (2, 2)).astype("int32")}, {"p": draw.normal(size=(4, 3))})


@case("gather_several_axes")
def _(name):
    a, b, r = numpy.array([0, 3, -1]), numpy.array([2, 0, -3]), numpy.array([[0], [1]])

    def compute(i, w):
        x, n, p = i["x"], i["n"], w["p"]
        return {"a": p[a, b], "b": x[:, a, b], "c": x[:, :, b, 1], "d": p[r, b], "e": np.sum(p[a, b] * p[a, -1]),
                "f": np.tanh(p[0] * x)}
    draw = draws(name)
    yield from seeded(name, compute, {"x": draw.normal(size=(2, 4, 3, 2)), "n": draw.integers(-9, 9, 2).astype("int32")},
                      {"p": draw.normal(size=(4, 3, 2))})


@case("repeated_indices")
def _(name):
    k = numpy.array([2, 2, 2, 0, -1, 2])

    def compute(i, w):
        n, E = i["i"], w["E"]
        return {"a": np.sum(E[k] * E[k]), "b": E[n] * E[2], "c": E[k, k % 3], "d": E[:, k % 3]}
    draw = draws(name)
    yield from seeded(name, compute, {"i": draw.integers(-5, 5, 7).astype("int32")}, {"E": draw.normal(size=(5, 3))})


@case("joined_along_axes")
def _(name):
    def compute(i, w):
        x, p, s, t, v = i["x"], w["p"], w["s"], w["t"], w["v"]
        join = np.concatenate
        return {"a": join([x, x * p]), "b": join([x, 2 * x, x * p], 1), "c": join([x, x * s, x * p], -1),
                "d": join([s[None], t[None], (s * t)[None], v, np.array([7.0])]), "e": join([p, p[1:], 2 * p]),
                "f": join([p, p[:, 0:1], p[:, ::-1]], 1), "g": s[None], "h": x, "i": p[0]}
    draw = draws(name)
    yield from seeded(name, compute, {"x": draw.normal(size=(2, 2, 3))},
                      {"p": draw.normal(size=(2, 3)), "s": 0.25, "t": -1.5, "v": [3.0]})


@case("transposes_of_every_kind")
def _(name):
    def compute(i, w):
        x, p, r = i["x"], w["p"], w["r"]
        y = x * p
        moved = {k: y.transpose(by) for k, by in {"a": (0, 2, 1), "b": (1, 0, 2), "c": (1, 2, 0), "d": (2, 0, 1),
                                                  "e": (2, 1, 0), "f": (0, 2, 1)}.items()}
        return {**moved, "g": r.transpose(4, 1, 0, 2, 3), "h": p @ p.T}
    draw = draws(name)
    yield from seeded(name, compute, {"x": draw.normal(size=(3, 2, 3))},
                      {"p": draw.normal(size=(2, 3)), "r": draw.normal(size=(1, 2, 3, 2, 2))})


@case("padding_of_every_kind")
def _(name):
    def compute(i, w):
        x, n, p = i["x"], i["i"], w["p"]
        return {"a": np.pad(x * p, ((1, 2), (0, 0), (0, 0))), "b": np.pad(x * p, ((0, 0), (3, 0), (1, 1))),
                "c": np.pad(n, ((0, 0), (0, 2))), "d": np.pad(p, ((1, 1), (0, 0))), "e": p[:, 0],
                "f": np.tanh(np.pad(x, ((0, 0), (1, 1), (0, 0))) + 1)}
    draw = draws(name)
    yield from seeded(name, compute, {"x": draw.normal(size=(2, 3, 2)), "i": draw.integers(-9, 9, (2, 2)).astype("int16")},
                      {"p": draw.normal(size=(3, 2))})


# ------------------------------------------------------------------------------- numbers and functions

@case("integer_edges")
def _(name):
    def compute(i, w):
        v = numpy.array([-128, -1, 0, 1, 127], "int8")
        l = numpy.array([-2**63, -1, 2**63 - 1], "int64")
        n = int(i["n"])
        wrap = lambda values, kind: numpy.array([(e + 2**(kind.itemsize * 8 - 1)) % 2**(kind.itemsize * 8)
                                                 - 2**(kind.itemsize * 8 - 1) for e in values], kind)
        a, b = [int(e) for e in v], [int(e) for e in l]
        byte, long = numpy.dtype("int8"), numpy.dtype("int64")
        return {"a": wrap([-e for e in a], byte), "b": wrap([abs(e) for e in a], byte),
                "c": wrap([e // n for e in a], byte), "d": wrap([-e for e in a], byte), "e": wrap([0] * 5, byte),
                "f": wrap([e**2 for e in a], byte), "g": wrap([1] * 5, byte), "h": wrap([e**7 for e in a], byte),
                "j": wrap([e * e for e in a], byte), "k": wrap([-1, -1, 0, 1, 1], byte),
                "m": wrap([e - 1 for e in b], long), "o": wrap([-e for e in b], long),
                "p": wrap([abs(e) for e in b], long), "q": wrap([e * e for e in b], long),
                "r": wrap([e * e for e in a], byte), "s": wrap([0] * 5, byte)}
    yield from forward(name, compute, {"n": numpy.int8(-3)})


@case("modulo_signs")
def _(name):
    def compute(i, w):
        x, p = numpy.asarray(i["x"]), numpy.asarray(w["p"])
        a, b = numpy.array([7.0, -7, 7, -7]), numpy.array([3.0, 3, -3, -3])
        m, n = a.astype("int32"), b.astype("int32")
        return {"c": numpy.mod(a, b), "d": numpy.floor(a / b), "e": numpy.mod(m, n), "f": numpy.floor_divide(m, n),
                "g": 0 * a, "h": numpy.mod(x, p), "k": numpy.mod(p, numpy.float64(numpy.float32(0.4))),
                "l": numpy.mod(p, -numpy.float64(numpy.float32(0.4))) + numpy.mod(x[0:1], 3)}
    draw = draws(name)
    yield from forward(name, compute, {"x": 3 * draw.normal(size=(4, 4))}, {"p": [0.3, -0.7, 1.9, -2.3]})


@case("rounding_halves")
def _(name):
    def compute(i, w):
        v = numpy.array([0.5, 1.5, 2.5, -0.5, -1.5, 0.49999997, 8388609, -1e30], "float32").astype(float)
        away = lambda x: numpy.sign(x) * numpy.floor(numpy.abs(x) + 0.5)
        x = numpy.asarray(i["x"])
        return {"a": away(v), "b": numpy.rint(v), "c": numpy.floor(v), "d": numpy.ceil(v), "e": v - numpy.floor(v),
                "f": away(x * 4) * w["p"],
                "g": numpy.array([0, 1, 2, 0, -1, 0, 8388609, -2**31], "int32")}
    yield from forward(name, compute, {"x": numpy.array([0.125, -0.125, 0.375, -0.3, 2.0])}, {"p": 1.0})


@case("integer_products")
def _(name):
    def compute(i, w):
        a, k = numpy.asarray(i["i"]), numpy.asarray(i["k"])
        j = numpy.array([[100, 1], [100, -1], [100, 2], [100, -128]], "int8")
        u = numpy.array([[255, 1], [2, 128]], "uint8")
        with numpy.errstate(all="ignore"):
            return {"a": a @ j, "b": k @ k, "c": u @ u, "d": numpy.cumsum(a, 1, dtype="int8"),
                    "e": numpy.prod(k), "f": u.T @ u}
    draw = draws(name)
    yield from forward(name, compute, {"i": draw.integers(-128, 128, (3, 4)).astype("int8"),
                                       "k": numpy.array([3037000500, -2**40, 12345], "int64")})


@case("functions_near_their_edges")
def _(name):
    s = scipy.special

    def compute(i, w):
        n = numpy
        v = n.array([1e-30, 1e-10, 0.999999, 1, 1.000001, 1e10], "float32").astype(float)
        x, p = n.asarray(i["x"]), n.asarray(w["p"])
        return {"a": n.log(v), "b": n.log1p(v), "c": n.expm1(-v), "d": n.arccosh(v), "e": n.arcsinh(v),
                "f": n.arctanh(p) + x[0:1], "g": n.arcsin(p) + n.arccos(p), "h": n.ones(6), "i": s.gammaln(v),
                "j": s.digamma(p), "k": s.erfc(v), "l": n.sin(v) + n.cos(v) + n.tan(v), "m": n.sinh(p) + n.cosh(p * 80),
                "n": n.arctan2(v, -v) + n.arctan2(-p[0], -1)}
    yield from forward(name, compute, {"x": [0.0]}, {"p": [1e-3, 0.5, 0.999, 0.25]})


@case("activations")
def _(name):
    s = scipy.special

    def compute(i, w):
        y = i["x"] * w["p"]
        elu = lambda x, alpha: np.where(x > 0, x, alpha * np.expm1(x))
        return {"a": np.maximum(y, 0), "b": np.where(y > 0, y, 0.01 * y), "c": np.where(y > 0, y, 0.2 * y),
                "d": elu(y, 1), "e": elu(y, 0.5), "f": 1.0507009873554805 * elu(y, 1.6732632423543772),
                "g": 0.5 * y * (1 + jax.scipy.special.erf(y / 2**0.5)),
                "h": 0.5 * y * (1 + np.tanh((2 / np.pi)**0.5 * (y + 0.044715 * y**3))), "i": y / (1 + np.exp(-y)),
                "j": 1 / (1 + np.exp(-y)), "k": np.log(1 + np.exp(y))}
    draw = draws(name)
    yield from seeded(name, compute, {"x": 3 * draw.normal(size=(5, 4))}, {"p": [1.0, -1.0, 2.0, 0.5]})


@case("lists_of_axes")
def _(name):
    def compute(i, w):
        y = i["x"] * w["p"]
        L = jax.scipy.special.logsumexp
        return {"a": y.sum((1, 3)), "b": y.mean((1, 3), keepdims=True), "c": y.max((0, 2, 3)),
                "d": y.sum(keepdims=True), "e": (y + 1).prod((2, 3)), "f": L(y, (1, 2)),
                "g": y.var((2, 3), keepdims=True), "h": y.min((0, 2)), "i": y.sum((0, 1, 3)), "k": y.sum((1, 2, 3)),
                "l": (y > 0).any((1, 2), keepdims=True).all((1, 3))}
    draw = draws(name)
    yield from seeded(name, compute, {"x": draw.normal(size=(3, 2, 3, 4))}, {"p": draw.normal(size=(3, 4))})


@case("scans_along_axes")
def _(name):
    def compute(i, w):
        p = w["p"]
        y = i["x"] * p
        return {"a": np.cumsum(y, 2), "b": np.cumsum(y, 0), "c": np.cumsum(y, 1),
                "d": np.cumsum(y[:, :, ::-1], 2)[:, :, ::-1], "e": np.cumsum(i["i"], 0, dtype=np.int16),
                "f": np.cumsum(np.cumsum(p, 0), 1)}
    draw = draws(name)
    yield from seeded(name, compute, {"x": draw.normal(size=(3, 2, 5)),
                                      "i": draw.integers(-30000, 30000, (3, 4)).astype("int16")},
                      {"p": draw.normal(size=(2, 5))})


@case("softmax_along_axes")
def _(name):
    def compute(i, w):
        p = w["p"]
        y = i["x"] * p
        return {"a": softmax(y, 0), "b": softmax(y, 1), "c": softmax(y), "d": jax.nn.log_softmax(y, 1),
                "e": jax.nn.log_softmax(y, 0), "f": np.sum(softmax(p, 0) * p),
                "g": np.sqrt(np.sum(y * y, 1)) + np.sqrt(np.sum((y + 1)**2, 1))}
    draw = draws(name)
    yield from seeded(name, compute, {"x": draw.normal(size=(2, 3, 4))}, {"p": draw.normal(size=(3, 4))})


# ------------------------------------------------------------------------------------------ gradients

@case("gradients_of_shape_operations")
def _(name):
    def compute(i, w):
        x, p, q = i["x"], w["p"], w["q"]
        a = np.concatenate([p[::-1], p[1:4], p]) * 2
        b = np.pad(q, ((1, 0), (0, 2))).T.reshape(15)
        c = np.broadcast_to(q[0:1], (4, 3)) * np.concatenate([q, q])
        d = np.stack([p, p[::-1]], 1)
        return {"L": np.sum(a * b) + np.sum(c**2) + np.sum(d @ d.T) + np.sum(q[:, ::-1] * q) + np.mean((x * p)**2)}
    draw = draws(name)
    yield from trained(name, compute, ["L"], {"x": draw.normal(size=(4, 6))},
                       {"p": draw.normal(size=6), "q": draw.normal(size=(2, 3))})


@case("gradients_of_extrema")
def _(name):
    def compute(i, w):
        x, p, q = i["x"], w["p"], w["q"]
        L = jax.scipy.special.logsumexp
        return {"a": np.sum(np.max(x * p, 0) * p) + np.max(q),
                "b": np.sum(np.min(q, 1)**2) + np.sum(np.max(q) * q), "c": np.sum(np.prod(q, 0)) + np.prod(q),
                "d": np.sum(np.cumsum(q, 0) * np.cumsum(q, 1)), "e": L(q * 3) + np.sum(L(q, 0)**2),
                "f": np.var(q) + np.sum(np.var(q, 1, ddof=1))}
    draw = draws(name)
    yield from trained(name, compute, list("abcdef"), {"x": draw.normal(size=(4, 5))},
                       {"p": [0.3, -1.2, 2, 0.1, -0.7], "q": draw.normal(size=(3, 2))})


@case("gradients_of_powers")
def _(name):
    def compute(i, w):
        x, b, e = i["x"], w["b"], w["e"]
        y = (x**2 + b)**e
        z = b**3 + b**-2 + b**0.5 + 2**e + b**2.0
        return {"y": y, "z": z, "L": np.mean(y) + np.sum(z) + np.sum(b**(e**b))}
    yield from trained(name, compute, ["L"], {"x": draws(name).normal(size=(4, 3))},
                       {"b": [0.5, 1.0, 2.5], "e": [2.0, 1.5, 0.3]})


# ------------------------------------------------------------------------------------------- networks

@case("perceptron")
def _(name):
    def compute(i, w):
        logits = np.maximum(i["x"] @ w["W1"] + w["b1"], 0) @ w["W2"] + w["b2"]
        return {"L": cross_entropy(logits, i["label"]), "y": softmax(logits)}
    draw = draws(name)
    yield from trained(name, compute, ["L"], {"x": draw.normal(size=(7, 12)), "label": draw.integers(0, 5, 7).astype("int32")},
                       {"W1": draw.normal(size=(12, 8)), "b1": draw.normal(size=8), "W2": draw.normal(size=(8, 5)),
                        "b2": draw.normal(size=5)})


@case("layer_normalization")
def _(name):
    def compute(i, w):
        x = i["x"]
        y = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5) * w["scale"] + w["shift"]
        return {"y": y, "L": np.mean(y**2 * x)}
    draw = draws(name)
    yield from trained(name, compute, ["L"], {"x": draw.normal(size=(5, 7))},
                       {"scale": draw.normal(size=7), "shift": draw.normal(size=7)})


@case("attention_of_many_heads")
def _(name):
    def compute(i, w):
        x = i["x"]
        n, t, d = x.shape
        split = lambda a: a.reshape(n, t, 2, d // 2).transpose(0, 2, 1, 3)
        q, k, v = (split(x @ w[name]) for name in "QKV")
        scores = np.where(np.tril(np.ones((t, t))) == 0, -np.inf, q @ k.transpose(0, 1, 3, 2) / (d / 2)**0.5)
        y = (softmax(scores) @ v).transpose(0, 2, 1, 3).reshape(n, t, d) @ w["O"] + x
        return {"y": y, "L": np.mean(y**2)}
    draw = draws(name)
    yield from trained(name, compute, ["L"], {"x": draw.normal(size=(3, 5, 8))},
                       {k: 0.5 * draw.normal(size=(8, 8)) for k in "QKVO"})


@case("transformer_block")
def _(name):
    def compute(i, w):
        x = i["x"]
        rows = lambda a, g, b: ((a - a.mean(-1, keepdims=True)) / np.sqrt(a.var(-1, keepdims=True) + 1e-5)) * g + b
        a = rows(x, w["g1"], w["b1"])
        scores = (a @ w["Q"]) @ (a @ w["K"]).transpose(0, 2, 1) / 6**0.5
        h = x + softmax(scores) @ (a @ w["V"])
        y = h + jax.nn.gelu(rows(h, w["g2"], w["b2"]) @ w["U"], approximate=False) @ w["D"]
        return {"y": y, "L": np.mean(y * x)}
    draw = draws(name)
    weights = {k: 0.5 * draw.normal(size=(6, 6)) for k in "QKV"}
    weights |= {"U": 0.5 * draw.normal(size=(6, 12)), "D": 0.5 * draw.normal(size=(12, 6))}
    weights |= {k: draw.normal(size=6) for k in ("g1", "g2", "b1", "b2")}
    yield from trained(name, compute, ["L"], {"x": draw.normal(size=(2, 4, 6))}, weights)


@case("convolution_of_pictures")
def _(name):
    def compute(i, w):
        h = jax.lax.conv(i["x"], w["k"], (1, 1), "VALID") + w["b"]
        pooled = np.maximum(h, 0).reshape(-1, 4, 2, 2, 2, 2).max((3, 5))
        return {"y": pooled, "L": np.mean(pooled**2)}
    draw = draws(name)
    yield from trained(name, compute, ["L"], {"x": draw.normal(size=(3, 2, 6, 6))},
                       {"k": draw.normal(size=(4, 2, 3, 3)), "b": draw.normal(size=(4, 1, 1))})


@case("strided_convolution")
def _(name):
    def compute(i, w):
        y = jax.lax.conv_general_dilated(i["x"], w["w"], (2,), [(1, 1)])
        return {"y": y, "L": np.mean(np.tanh(y))}
    draw = draws(name)
    yield from trained(name, compute, ["L"], {"x": draw.normal(size=(2, 3, 11))}, {"w": draw.normal(size=(4, 3, 3))})


@case("gated_unit")
def _(name):
    def compute(i, w):
        x, h = i["x"], i["h"]
        gates = 1 / (1 + np.exp(-(np.concatenate([x, h], 1) @ w["W"] + w["b"])))
        z, r = gates[:, :5], gates[:, 5:]
        y = (1 - z) * h + z * np.tanh(np.concatenate([x, r * h], 1) @ w["U"])
        return {"y": y, "L": np.mean(y**2)}
    draw = draws(name)
    yield from trained(name, compute, ["L"], {"x": draw.normal(size=(6, 3)), "h": draw.normal(size=(6, 5))},
                       {"W": draw.normal(size=(8, 10)), "U": draw.normal(size=(8, 5)), "b": draw.normal(size=10)})


@case("losses_of_regression")
def _(name):
    def compute(i, w):
        a, b = i["a"] * w["p"], i["b"]
        huber = lambda d, delta: np.mean(np.where(abs(d) <= delta, 0.5 * d * d, delta * (abs(d) - 0.5 * delta)))
        return {"L": np.mean((a - b)**2), "M": np.mean(abs(a - b)), "H": huber(a - b, 1), "K": huber(a - b, 3),
                "J": huber(a - b, 0.1)}
    draw = draws(name)
    yield from trained(name, compute, list("LMHKJ"), {"a": draw.normal(size=(5, 4)), "b": draw.normal(size=(5, 4))},
                       {"p": [0.1, 1.0, 5.0, -20.0]})


@case("label_smoothing")
def _(name):
    def compute(i, w):
        logits = i["x"] @ w["W"]
        soft = 0.9 * jax.nn.one_hot(i["label"], 4, dtype=np.float64) + 0.1 / 4
        return {"L": -np.mean(np.sum(soft * jax.nn.log_softmax(logits), 1)), "M": 0 * np.sum(logits)}
    draw = draws(name)
    yield from trained(name, compute, ["L", "M"], {"x": draw.normal(size=(6, 5)), "label": draw.integers(0, 4, 6).astype("int32")},
                       {"W": draw.normal(size=(5, 4))})


@case("contrastive_loss")
def _(name):
    def compute(i, w):
        unit = lambda x: x / np.sqrt(np.sum(x**2, -1, keepdims=True) + 1e-3)
        scores = unit(i["a"] @ w["W"]) @ unit(i["b"] @ w["W"]).T / np.exp(w["t"])
        labels = np.arange(scores.shape[0])
        return {"s": scores, "L": cross_entropy(scores, labels) + cross_entropy(scores.T, labels)}
    draw = draws(name)
    yield from trained(name, compute, ["L"], {"a": draw.normal(size=(6, 5)), "b": draw.normal(size=(6, 5))},
                       {"W": draw.normal(size=(5, 4)), "t": 0.5})


@case("variational_autoencoder")
def _(name):
    def compute(i, w):
        x = i["x"]
        code = x @ w["W"]
        centre, logs = code[:, :2], code[:, 2:]
        logits = (centre + np.exp(0.5 * logs) * i["noise"]) @ w["V"]
        sigmoid = lambda v: 1 / (1 + np.exp(-v))
        t, q = sigmoid(x), sigmoid(logits)
        return {"y": q, "fit": -np.mean(t * np.log(q) + (1 - t) * np.log(1 - q)),
                "divergence": -0.5 * np.mean(np.sum(1 + logs - centre**2 - np.exp(logs), 1))}
    draw = draws(name)
    yield from trained(name, compute, ["fit", "divergence"], {"x": draw.normal(size=(5, 6)), "noise": draw.normal(size=(5, 2))},
                       {"W": 0.5 * draw.normal(size=(6, 4)), "V": 0.5 * draw.normal(size=(2, 6))})


@case("gaussian_mixture")
def _(name):
    def compute(i, w):
        z = (i["x"][:, None] - w["centre"]) * np.exp(-w["spread"])
        parts = jax.nn.log_softmax(w["weight"]) - np.sum(0.5 * z**2 + w["spread"], 2)
        return {"L": -np.mean(jax.scipy.special.logsumexp(parts, 1)), "y": softmax(parts)}
    draw = draws(name)
    yield from trained(name, compute, ["L"], {"x": draw.normal(size=(6, 2))},
                       {"weight": [0.1, 0.2, -0.3], "centre": draw.normal(size=(3, 2)), "spread": 0.3 * draw.normal(size=(3, 2))})


# -------------------------------------------------------------------------------------- random numbers

def philox(key, counter, block):
    """Philox 4x32-10, from Salmon et al., Parallel random numbers: as easy as 1, 2, 3, SC 2011."""
    mask = 0xffffffff
    c = [block & mask, block >> 32, counter & mask, counter >> 32]
    k = [key & mask, key >> 32]
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(b >> 32) ^ c[1] ^ k[0], b & mask, (a >> 32) ^ c[3] ^ k[1], a & mask]
        k = [(k[0] + 0x9E3779B9) & mask, (k[1] + 0xBB67AE85) & mask]
    return c


def uniform(name, counter, count, seed=0, kind="float32"):
    key = 0xcbf29ce484222325
    for byte in name.encode():
        key = (key ^ byte) * 0x100000001b3 % 2**64
    key ^= seed
    words = numpy.array([philox(key, counter, block) for block in range(count)], "uint64").ravel()
    if kind == "float64":
        return ((words[0::2] | words[1::2] << numpy.uint64(32)) >> numpy.uint64(11))[:count] * 2.0**-53
    bits = {"float32": 24, "float16": 11, "bfloat16": 8}[kind]
    return (words >> numpy.uint64(32 - bits))[:count].astype(float) * 2.0**-bits


def normal(name, shape, kind="float32"):
    count = int(numpy.prod(shape))
    u, v = uniform(name, 0, count, kind=kind), uniform(name, 1, count, kind=kind)
    return (numpy.sqrt(-2 * numpy.log(1 - u)) * numpy.cos(2 * numpy.pi * v)).reshape(shape)


@case("initial_values")
def _(name):
    total = (2 + uniform("a", 0, 40)).sum() + (10 + 0.5 * normal("e", (33,))).sum()
    total += (6 / 8)**0.5 * (2 * uniform("h", 0, 15) - 1).sum() + (2 / 5)**0.5 * normal("i", (45,)).sum()
    total += (6 / 14)**0.5 * (2 * uniform("j", 0, 7) - 1).sum() + 10 / 3
    total += uniform("l", 0, 1)[0] + (numpy.sin(numpy.arange(3)) + 1).sum()
    doubles = (2 * uniform("b", 0, 9, kind="float64") - 1).sum() + normal("f", (7,), "float64").sum()
    results = {"y": numpy.array(total), "z": numpy.array(doubles), "bounded": numpy.array(True)}
    yield Case(name, "forward", {}, {}, results)


if __name__ == "__main__":
    for name, make in cases.items():
        if len(sys.argv) > 1 and name not in sys.argv[1:]:
            continue
        for each in make(name):
            write(each.path, each.tensors)
            print(each.path.name)
