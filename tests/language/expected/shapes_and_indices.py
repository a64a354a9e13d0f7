"""Broadcasts, slices, gathers, joins, transposes, padding."""
import jax.numpy as np
import numpy

from cases import case, draws, forward, seeded, trained


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


@case("packs_alone")
def _(name):
    def compute(i, w):
        x = i["x"]
        return {"a": np.full((2, 3), 4.0), "b": np.full(3, 5.0), "c": np.array(6.0), "d": x + 1,
                "e": np.arange(1.0, 7.0).reshape(2, 3)}
    yield from forward(name, compute, {"x": draws(name).normal(size=(2, 3))})


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


@case("bounds_from_end")
def _(name):
    def compute(i, w):
        x, k, m = i["x"], i["k"], 2
        P, last = len(k), x.shape[1]
        return {"a": x[:, -1] + x[:, last - P] + x[:, last - m] + x[:, last - (m + 1)],
                "b": x[:, last - P:].sum(1) + x[:, 8 - m:].sum(1), "c": x[:, 8 - P:].sum(1) * k.sum(),
                "d": x[:, 8 - P - 1] + x[:, 7 - P], "e": x[:, 8 - P - 1:].sum(1) + x[:, 0] + x[:, 1]}
    draw = draws(name)
    yield from forward(name, compute, {"x": draw.normal(size=(2, 8)), "k": draw.normal(size=3)})
