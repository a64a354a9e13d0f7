"""Integers and roundings at their edges, special functions, activations, reductions, scans."""
import jax
import jax.numpy as np
import numpy
import scipy.special

from cases import case, draws, forward, seeded, softmax


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
