"""Nets: instances with parameters of their own, inside each other and in arrays."""
import jax.numpy as np

from cases import case, cross_entropy, draws, forward, softmax, trained


def normal(draw, shapes):
    return {name: draw.normal(size=shape) for name, shape in shapes.items()}


@case("nets")
def _(name):
    def compute(i, w):
        dense = lambda x, at: x @ w[at + ".W"] + w[at + ".b"]
        logits = dense(np.tanh(dense(i["x"], "first") * w["scale"]), "second")
        return {"y": softmax(logits), "z": dense(i["x"][:1], "first") + w["first.b"],
                "L": cross_entropy(logits, i["label"])}
    draw = draws(name)
    weights = normal(draw, {"first.W": (6, 5), "first.b": 5, "scale": (), "second.W": (5, 3), "second.b": 3})
    yield from trained(name, compute, ["L"],
                       {"x": draw.normal(size=(7, 6)), "label": draw.integers(0, 3, 7).astype("int32")}, weights)


@case("nets_in_nets")
def _(name):
    def compute(i, w):
        dense = lambda x, at: x @ w[at + ".W"] + w[at + ".b"]
        scale = lambda x, at: x * w[at + ".g"] * (1 + np.arange(4) / 2)
        inner = lambda x, at: np.logaddexp(dense(scale(x, at + ".scale"), at + ".up"), 0)
        block = lambda x, at: x + dense(inner(x, at), at + ".down") * w[at + ".scale.g"]
        h = block(block(i["x"], "a"), "b")
        y = dense(h, "last")
        z = inner(h, "b") + np.mean(w["a.up.b"]) + 0.5
        v = (y - w["last.b"]) @ w["last.W"].T
        return {"y": y, "z": z, "w": v, "v": scale(i["x"], "a.scale") @ w["b.up.W"],
                "L": np.mean(y**2) + np.mean(v * z[:, :1])}
    draw = draws(name)
    shapes = {"last.W": (4, 4), "last.b": 4}
    for at, hidden in (("a", 8), ("b", 3)):
        shapes |= {at + ".scale.g": 4, at + ".up.W": (4, hidden), at + ".up.b": hidden, at + ".down.W": (hidden, 4),
                   at + ".down.b": 4}
    yield from trained(name, compute, ["L"], {"x": draw.normal(size=(5, 4))}, normal(draw, shapes))


@case("nets_in_arrays")
def _(name):
    def compute(i, w):
        def block(x, at, shift):
            dense = lambda x, k, gain: gain * (x @ w[f"{at}.paths.{k}.W"])
            return np.tanh(dense(dense(x, 0, 2), 1, 2)) * w[at + ".g"] + dense(x, 1, 1) + shift
        y = z = i["x"]
        for k in range(3):
            y = block(y, f"blocks.{k}", np.array([0.5, 0.25, 0, 1]))
        for k in range(2):
            z = block(z, f"tower.blocks.{k}", np.arange(4) / 4)
        for k in range(2):
            z = 0.5 * (z @ w[f"denses.{k}.W"])
        y = y + w["blocks.1.g"]
        return {"y": y, "z": z, "w": w["tower.blocks.1.paths.0.W"] + w["denses.1.W"], "L": np.mean(y**2) + np.mean(z)}
    draw = draws(name)
    shapes = {}
    for at in ("blocks.0", "blocks.1", "blocks.2", "tower.blocks.0", "tower.blocks.1"):
        shapes |= {at + ".paths.0.W": (4, 4), at + ".paths.1.W": (4, 4), at + ".g": 4}
    shapes |= {"denses.0.W": (4, 4), "denses.1.W": (4, 4)}
    yield from trained(name, compute, ["L"], {"x": draw.normal(size=(6, 4))}, normal(draw, shapes))


@case("nets_of_any_rank")
def _(name):
    def compute(i, w):
        def layer(x):
            h = x @ w["affine.W"] + w["affine.b"]
            centred = h - h.mean(-1, keepdims=True)
            return centred / np.sqrt(h.var(-1, keepdims=True) + 0.001) * w["normal.g"] + w["normal.b"]
        def pool(x):
            e = np.exp(x * w["pool.t"])
            return (e / e.sum(-2, keepdims=True) * x).sum(-2)
        a, d = layer(i["x"]), pool(i["x"])
        return {"a": a, "b": layer(i["v"]), "c": layer(i["x"][:, 0]), "d": d, "e": pool(a)}
    draw = draws(name)
    yield from forward(name, compute, {"x": draw.normal(size=(5, 3, 4)), "v": draw.normal(size=4)},
                       normal(draw, {"affine.W": (4, 3), "affine.b": 3, "normal.g": 3, "normal.b": 3, "pool.t": ()}))
