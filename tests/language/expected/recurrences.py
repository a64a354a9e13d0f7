"""Recurrent blocks: loops over the steps, written out."""
import jax.numpy as np

from cases import case, draws
from networks import trained


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


@case("recurrent_memory")
def _(name):
    def compute(i, w):
        x, n = i["x"], 4
        h, c = np.broadcast_to(w["h0"], (x.shape[1], n)), np.broadcast_to(w["c0"], (x.shape[1], n))
        steps = []
        for t in range(len(x)):
            gates = np.concatenate([x[t], h], 1) @ w["W"] + w["b"]
            f, a, u, o = np.split(gates, 4, 1)
            c = sigmoid(f) * c + sigmoid(a) * np.tanh(u)
            h = sigmoid(o) * np.tanh(c)
            steps.append(h)
        steps = np.stack(steps)
        return {"y": 2 * steps, "last": h, "L": np.mean(steps**2) + np.sum(c) / x.shape[1]}
    draw = draws(name)
    yield from trained(name, compute, ["L"], {"x": draw.normal(size=(7, 2, 3))},
                       {"W": draw.normal(size=(7, 16)), "b": draw.normal(size=16), "h0": draw.normal(size=4),
                        "c0": draw.normal(size=4)})


@case("recurrent_gates")
def _(name):
    def compute(i, w):
        x, n, rows = i["x"], 5, []
        for row in range(x.shape[1]):
            h = np.zeros(n)
            for t in range(int(i["lengths"][row])):
                gates = sigmoid(np.concatenate([x[t, row], h]) @ w["W"] + w["b"])
                z, r = gates[:n], gates[n:]
                h = (1 - z) * h + z * np.tanh(np.concatenate([x[t, row], r * h]) @ w["U"])
            rows.append(h)
        y = np.stack(rows)
        return {"y": y, "L": np.mean(y**2)}
    draw = draws(name)
    lengths = np.array([4, 0, 2, 1], "int64")
    yield from trained(name, compute, ["L"], {"lengths": lengths, "x": draw.normal(size=(4, 4, 3))},
                       {"W": draw.normal(size=(8, 10)), "b": draw.normal(size=10), "U": draw.normal(size=(8, 5))})


@case("recurrent_lags")
def _(name):
    def compute(i, w):
        x = i["x"]
        before = lambda all, t, lag, first: all[t - lag] if t >= lag else first.get(lag - t, np.zeros(3))
        h, k = [], []
        for t in range(len(x)):
            xs = x[t] + 0.5 * before(x, t, 2, {1: -np.ones(3)})
            first = {1: w["s"], 2: np.full(3, 0.25)}
            h.append(np.tanh(w["a"] * before(h, t, 1, first) + w["b"] @ before(h, t, 2, first) + xs))
            k.append(0.5 * before(k, t, 1, {1: np.array([1.0, 2, 3])}) + before(h, t, 3, first) + t)
        return {"y": np.stack(h), "z": k[-1], "w": x[::-1], "L": np.sum(np.stack(k)**2) + np.sum(h[-1] * x[-1])}
    draw = draws(name)
    yield from trained(name, compute, ["L"], {"x": draw.normal(size=(7, 3))},
                       {"a": draw.normal(size=3), "b": draw.normal(size=(3, 3)), "s": draw.normal(size=3)})


@case("recurrent_both_ways")
def _(name):
    def compute(i, w):
        e = i["x"] @ w["W"].T
        f, g, forwards, backwards, seen = np.zeros(4), np.zeros(4), [], [], []
        for t in range(len(e)):
            f = np.tanh(e[t] + w["U"] @ f)
            forwards.append(f)
        for t in reversed(range(len(e))):
            seen.insert(0, g)
            g = np.tanh(e[t] + w["V"] @ g)
            backwards.insert(0, g)
        y = np.concatenate([np.stack(forwards), np.stack(backwards)], 1) @ w["O"].T
        return {"y": y, "seen": np.stack(seen), "ends": np.concatenate([f, g]), "L": np.sum(y**2) + np.sum(g * f)}
    draw = draws(name)
    yield from trained(name, compute, ["L"], {"x": draw.normal(size=(5, 3))},
                       {"W": draw.normal(size=(4, 3)), "U": draw.normal(size=(4, 4)), "V": draw.normal(size=(4, 4)),
                        "O": draw.normal(size=(2, 8))})


@case("recurrent_nested")
def _(name):
    def compute(i, w):
        top, s, zs, tops = np.zeros(3), np.zeros(3), [], []
        for r in range(len(i["bias"])):
            h, row = 0.5 * top, []
            for x in i["x"][r]:
                h = np.tanh(w["W"] @ x + w["U"] @ h + i["bias"][r] + 0.1 * top)
                row.append(h)
            row, s_before = np.stack(row), s
            top, s = h, np.sum(row, 0)
            zs.append(row + r)
            tops.append(h * s + np.sum(s_before + 1.5 * s_before))
        return {"z": np.stack(zs), "tops": np.stack(tops), "end": top, "L": np.sum(top) + np.sum(np.stack(tops)**2)}
    draw = draws(name)
    yield from trained(name, compute, ["L"], {"x": draw.normal(size=(3, 4, 3)), "bias": draw.normal(size=(3, 3))},
                       {"W": 0.5 * draw.normal(size=(3, 3)), "U": 0.5 * draw.normal(size=(3, 3))})
