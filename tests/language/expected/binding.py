"""What binds to what: operators, conversions, powers, if, postfixes."""
import jax.numpy as np
import numpy

from cases import case, draws, forward


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
