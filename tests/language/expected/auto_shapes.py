"""Weights whose shapes the program does not write."""
import jax
import jax.numpy as np

from cases import case, cross_entropy, draws, seeded, trained


def normal(draw, shapes):
    return {name: draw.normal(size=shape) for name, shape in shapes.items()}


@case("auto_shapes")
def _(name):
    def compute(i, w):
        linear = lambda x, at: x @ w[at + ".W"] + w[at + ".b"]
        block = lambda x, at: x + linear(np.tanh(linear(x, at + ".up")), at + ".down")
        x = i["x"]
        code = np.tanh(x @ w["W"] + w["b"]) @ w["tied"]
        back = np.tanh(code[:, 0:2]) @ w["tied"].T
        g = block(block(linear(x, "first"), "tower.0"), "tower.1")
        c = jax.lax.conv_general_dilated(i["z"], w["K"], (1, 1), "VALID")
        e = c[:, :, 0, 0] @ w["M"]
        s = np.concatenate([2 * w["v"], w["v"][0:2]])
        q = np.where(x[:, 0:1] > 0, x @ w["p"], e)
        y = np.tanh(g @ back[0])
        return {"y": y, "e": e, "s": s, "q": q,
                "L": cross_entropy(linear(g, "second"), i["label"]) + np.mean((q - i["t"])**2) + np.mean(s * s)
                     + np.mean(y)}
    draw = draws(name)
    shapes = {"W": (6, 4), "b": 4, "tied": (4, 2), "first.W": (6, 4), "first.b": 4, "second.W": (4, 3), "second.b": 3,
              "K": (3, 2, 2, 2), "M": (3, 3), "v": 3, "p": (6, 3)}
    for at in ("tower.0", "tower.1"):
        shapes |= {at + ".up.W": (4, 8), at + ".up.b": 8, at + ".down.W": (8, 4), at + ".down.b": 4}
    inputs = {"x": draw.normal(size=(5, 6)), "z": draw.normal(size=(5, 2, 5, 5)), "t": draw.normal(size=(5, 3)),
              "label": draw.integers(0, 3, 5).astype("int32")}
    yield from trained(name, compute, ["L"], inputs, normal(draw, shapes))


@case("auto_shapes_in_steps")
def _(name):
    def compute(i, w):
        h, g = np.zeros(4), np.zeros(3)
        for x in i["i"]:
            h = np.tanh(x @ w["W"] + h @ w["U"] + w["b"])
            g = np.tanh(h @ w["V"] + g @ w["R"])
        return {"o": g @ w["O"]}
    draw = draws(name)
    shapes = {"W": (2, 4), "U": (4, 4), "V": (4, 3), "R": (3, 3), "b": 4, "O": (3, 5)}
    yield from seeded(name, compute, {"i": draw.normal(size=(6, 2))}, normal(draw, shapes))
