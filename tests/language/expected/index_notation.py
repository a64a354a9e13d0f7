"""Index notation: einsum, convolutions, windows, gathers and loops in its place."""
import itertools

import jax
import jax.numpy as np
import numpy

from cases import case, draws, trained


def conv(x, k, strides=(1, 1), dilation=(1, 1), groups=1):
    return jax.lax.conv_general_dilated(x, k, strides, "VALID", rhs_dilation=dilation, feature_group_count=groups)


@case("index_products")
def _(name):
    def compute(i, w):
        A, B, S, x, q, k, v = w["A"], w["B"], w["S"], i["x"], i["q"], i["k"], i["w"]
        scores = np.einsum("nhid,nhjd->nhij", q, k) / 3**0.5
        C, chain = A @ B, x @ A @ B
        return {"C": C, "Ct": 1 - C.T / 2, "gram": A @ A.T, "rows": x @ A, "bilinear": np.einsum("ni,ij,nj->n", x, S, x),
                "chain": chain, "outer": np.outer(A[:, 0], B[0]), "scores": scores,
                "dots": np.einsum("nhid,nhid->nhi", q, k[:, :, [4, 3, 2, 1, 0, 4]]),
                "weighted": np.einsum("n,ni,nk->ik", v, x, x), "trace": np.trace(S), "diagonal": np.diag(S) * A[:, 1],
                "total": A.sum() * (A**2).sum(), "apart": A.sum(1) * B.sum(),
                "L": np.mean(scores**2) + np.einsum("ij,nj,ni->", C, chain, x) + np.trace(S)}
    draw = draws(name)
    inputs = {"x": draw.normal(size=(3, 4)), "q": draw.normal(size=(3, 2, 6, 3)), "k": draw.normal(size=(3, 2, 5, 3)),
              "w": draw.normal(size=3)}
    weights = {"A": draw.normal(size=(4, 3)), "B": draw.normal(size=(3, 5)), "S": draw.normal(size=(4, 4))}
    yield from trained(name, compute, ["L"], inputs, weights)


@case("index_convolutions")
def _(name):
    def compute(i, p):
        x, z, last, w, k, g, t, s = i["x"], i["z"], i["last"], i["w"], p["k"], p["g"], p["t"], p["s"]
        row = lambda taps, signal, dilation=1: conv(signal[:, None, None], taps[None, None, None], dilation=(1, dilation))[:, 0, 0]
        plain, strided, dilated = conv(x, k), conv(x, k, (2, 3)), conv(x, k, dilation=(2, 3))
        depthwise = conv(x, g[:, None], groups=4)
        grouped = np.stack([sum(x[:, 2 * c, u:u + 5, None, 0] * s[c, :, u] for u in range(3)) for c in range(2)], 1)
        reversed_, wave = row(t[::-1], z), row(t, z, 2)
        squared = w * row(t, z**2)
        both = row(t, (i["nine"] * i["ten"][:9])[None])[0, ::2]
        L1 = np.mean(plain**2) + np.mean(strided * dilated[:, :, :1, ::2]) + np.mean(depthwise**3)
        L1 += np.mean(reversed_ * wave[:, :1] + squared) + np.mean(grouped**2)
        return {"plain": plain, "strided": strided, "dilated": dilated,
                "shifted": conv(x[:, :, 1:5, 2:8], k, (1, 2))[:, :, :2, :3], "depthwise": depthwise,
                "grouped": grouped.transpose(0, 1, 3, 2), "reversed": reversed_, "wave": wave,
                "channels_last": conv(last.transpose(0, 3, 1, 2), k).transpose(0, 2, 3, 1), "squared": squared, "both": both,
                "L1": L1}
    draw = draws(name)
    inputs = {"x": draw.normal(size=(2, 4, 7, 9)), "z": draw.normal(size=(2, 8)), "last": draw.normal(size=(2, 7, 9, 4)),
              "w": draw.normal(size=6), "nine": draw.normal(size=9), "ten": draw.normal(size=10)}
    weights = {"k": draw.normal(size=(6, 4, 3, 2)), "g": draw.normal(size=(4, 3, 3)), "t": draw.normal(size=3),
               "s": draw.normal(size=(2, 2, 3))}
    yield from trained(name, compute, ["L1"], inputs, weights)


def windows(x, taps, strides):
    """The windows of the last two axes, one after another along axis 0."""
    rows, columns = ((n - t) // s + 1 for n, t, s in zip(x.shape[-2:], taps, strides))
    return np.stack([x[..., u:u + strides[0] * rows:strides[0], v:v + strides[1] * columns:strides[1]][..., :rows, :columns]
                     for u, v in itertools.product(range(taps[0]), range(taps[1]))])


@case("index_windows")
def _(name):
    def compute(i, w):
        x, z = w["x"], i["z"]
        along = lambda v, taps, step=1: np.stack([v[step * u:len(v) - step * (taps - 1 - u)] for u in range(taps)])
        largest, average = windows(x, (2, 2), (2, 2)).max(0), windows(x, (3, 3), (1, 3)).mean(0)
        smallest = windows(x**2, (3, 1), (1, 1)).min((0, 2, 4))
        pairs = along(z, 2)
        return {"largest": largest, "average": average, "smallest": smallest, "products": along(z, 3).prod(0),
                "sums": (abs(pairs) + 1).sum(0)[::2], "spread": along(z, 3, 2).max(0), "inner": pairs.sum(0)**2,
                "ranged": z[1:-1] + z[2:],
                "L": np.sum(largest * average[:, :, 1:5, :1]) + np.mean(smallest)}
    draw = draws(name)
    yield from trained(name, compute, ["L"], {"z": draw.normal(size=9)}, {"x": draw.normal(size=(2, 3, 8, 9))})


@case("index_gathers")
def _(name):
    def compute(i, p):
        E, w, M, t, s, q = p["E"], p["w"], p["M"], i["t"], i["s"], i["p"]
        embedding, picked = E[t % 5], q[np.arange(len(t)), t % 5]
        twice, ring = np.repeat(w, 2), np.roll(w, -1) - 2 * w + np.roll(w, 1)
        hankel, toeplitz = (np.stack([np.stack([w[f(a, b)] for b in range(n)]) for a in range(3)])
                            for n, f in ((4, lambda a, b: a + b), (3, lambda a, b: a - b + 2)))
        diagonals = np.stack([M[a, a:a + 2] for a in range(3)])
        every = w[1::2]
        L = np.sum(embedding**2 * picked[:, None]) + np.sum(hankel[:, :3] * np.diag(toeplitz)[:, None]) + \
            np.sum(hankel[:, 3] * np.diag(toeplitz)) + np.sum(ring**2)
        L += np.sum(diagonals * np.stack([twice[:3], twice[1:4]], 1)) + np.tril(M).sum() * every[0]
        return {"embedding": embedding, "picked": picked, "pairs": M[t % 4][:, s % 4], "twice": twice, "ring": ring,
                "backwards": w[::-1], "every": every, "every_back": w[::-2], "lower": np.tril(M), "diagonals": diagonals,
                "toeplitz": toeplitz, "hankel": hankel, "powers": E.T**2 * w[1:], "L": L}
    draw = draws(name)
    inputs = {"t": draw.integers(-20, 20, 7).astype("int32"), "s": draw.integers(-9, 9, 3).astype("int8"),
              "p": draw.normal(size=(7, 5))}
    weights = {"E": draw.normal(size=(5, 3)), "w": draw.normal(size=6), "M": draw.normal(size=(4, 4))}
    yield from trained(name, compute, ["L"], inputs, weights)


@case("index_stencils")
def _(name):
    def compute(i, p):
        u, v, a = i["u"], i["v"], p["a"]
        halves, n = a[:4] * a[4:], len(u)
        laplace = v[:-2, 1:-1] + v[2:, 1:-1] + v[1:-1, :-2] + v[1:-1, 2:] - 4 * v[1:-1, 1:-1]
        return {"slope": np.diff(u) / 2, "central": np.diff(u, 2), "laplace": laplace, "halves": halves,
                "reversed": u[::-1] / n, "moments": np.stack([np.sum((u * np.arange(n))**d) for d in range(3)]),
                "energy": np.sum(np.diff(a)**2) + np.mean(halves) + v.sum() * a[0]}
    draw = draws(name)
    yield from trained(name, compute, ["energy"], {"u": draw.normal(size=6), "v": draw.normal(size=(5, 4))},
                       {"a": draw.normal(size=8)})


@case("index_values")
def _(name):
    def compute(i, p):
        x, w, c = i["x"], p["w"], numpy.asarray(i["c"])
        n, rows = numpy.arange(len(x)), numpy.arange(len(x))[:, None]
        leaky = lambda a: np.maximum(a, 0.1 * a)
        called = np.where(x > w, np.exp(-x), leaky(w - x)) + jax.nn.sigmoid(w)
        softened, centred = jax.nn.softmax(x), x - x.mean(1, keepdims=True)
        variances, whole, factors = (centred**2).mean(1), np.sum(x * w), np.prod(1 + w)
        return {"eye": np.eye(3), "hilbert": 1 / (np.arange(3)[:, None] + np.arange(4) + 1), "number": n + c.astype(float),
                "counts": (c * n).astype("int32"), "clipped": np.clip(x, -1, 1), "called": called, "softened": softened,
                "centred": centred, "variances": variances, "shared": x @ w + w.sum() * w.max(), "whole": whole,
                "greatest": np.max(x - w), "some": (x > w).any(1), "every": (x < 1.5).all(1), "factors": factors,
                "counted": np.asarray(4.0 * len(x)), "filled": np.full((2, 3), 0.5),
                "positions": np.sin(rows / 100**(2 * (np.arange(4) / 4)) + x * 0), "looked": np.asarray([0.0, 4, 8]),
                "L": np.sum(called**2) + whole + factors + np.sum(softened * w) + np.mean(variances)}
    draw = draws(name)
    yield from trained(name, compute, ["L"], {"x": draw.normal(size=(5, 4)), "c": draw.integers(-9, 9, 5).astype("int32")},
                       {"w": draw.uniform(0.1, 1, 4)})


@case("index_choices")
def _(name):
    def compute(i, p):
        x, w, c = i["x"], p["w"], numpy.asarray(i["c"])
        a = numpy.arange(6)
        halved = np.where(a > 2, x, w[a // 2])
        turned = np.where(x > 0, np.roll(x, -1, axis=1), w[(a + c[:, None]**2) % 6])
        nested = np.where(a > 3, w[a // 3], np.where(a > 1, w[(a + 2) % 3], w))
        summed = np.where(a > 1, x[:, a // 2], w * c[:, None].astype(float)).sum(1)
        called = np.where(x > 0, 3 * x, x)
        return {"halved": halved, "turned": turned, "nested": nested, "summed": summed, "called": called,
                "L": np.sum(halved**2 + turned * w) + np.sum(nested**2) + np.sum(summed) + np.sum(called * w)}
    draw = draws(name)
    yield from trained(name, compute, ["L"], {"x": draw.normal(size=(3, 6)), "c": draw.integers(-9, 9, 3).astype("int32")},
                       {"w": draw.uniform(0.1, 1, 6)})
