"""The cases: which network at which size, how much arithmetic it must do, and how near results must come."""
import dataclasses
import typing

import formulas


@dataclasses.dataclass
class Case:
    """`objects` are files without their type; `build` says how telc makes them: (network, -D options)."""
    name: str                # as in the table, without the element type
    network: str             # file in networks/
    options: dict            # `-D`
    entry: str
    sizes: dict              # named dimensions of the call
    formula: typing.Callable
    operations: float        # of the products, additions and multiplications each for themselves
    wrt: tuple = ()          # empty: no derivatives
    seed: bool = False       # of the output, given by the caller
    kinks: bool = False      # relu: rounding may move an element to the other side
    small: bool = False      # the time is that of a call, not of the chip
    types: tuple = ("float32", "bfloat16")
    classes: int = 10

    @property
    def group(self):
        """The cases that one mean is taken of: a network, or what its name begins with."""
        return {"softmax": "rowwise", "layer_norm": "rowwise", "gelu_chain": "rowwise",
                "cross_entropy": "rowwise"}.get(self.network, self.network)

    def object_name(self, kind):
        options = "".join(f"_{key}{value}" for key, value in self.options.items())
        return f"{self.network}{options}_{kind}"


TOLERANCE = {"float32": 2e-5, "tf32": 2e-3, "bfloat16": 3e-2}
KINKS = {"float32": 1e-2, "tf32": 5e-2, "bfloat16": 2e-1}


def tolerance(case, kind):
    return (KINKS if case.kinks and case.wrt else TOLERANCE)[kind]


def element_type(kind):
    return "float32" if kind == "tf32" else kind


def gemms(shapes):
    for m, n, k in shapes:
        yield Case(f"gemm {m}x{n}x{k} F", "gemm", {"k": k, "n": n}, "forward", {"M": m}, formulas.gemm,
                   2.0 * m * n * k, small=m == 1, types=("float32", "tf32", "bfloat16"))


def rowwise(rows, columns):
    shape, options, sizes = f"{rows}x{columns}", {"n": columns}, {"N": rows}
    for network, formula, wrt in (("softmax", formulas.softmax, ("x",)),
                                  ("layer_norm", formulas.layer_norm, ("x", "gain", "shift")),
                                  ("gelu_chain", formulas.gelu_chain, ("a", "b", "c"))):
        yield Case(f"{network} {shape} F", network, options, "forward", sizes, formula, 0)
        yield Case(f"{network} {shape} G", network, options, "backward", sizes, formula, 0, wrt, seed=True)
    yield Case(f"cross_entropy {shape} G", "cross_entropy", options, "backward", sizes, formulas.cross_entropy, 0,
               ("x",), classes=columns)


def perceptrons(batches, width, rows, narrow, many):
    for n in batches:
        products, weights = 2.0 * n * (784 * 256 + 256 * 10), ("W1", "b1", "W2", "b2")
        yield Case(f"mlp-small [{n}] F", "mlp_small", {}, "forward", {"N": n}, formulas.mlp_small, products, small=True)
        yield Case(f"mlp-small [{n}] G", "mlp_small", {}, "gradient", {"N": n}, formulas.mlp_small_loss,
                   3 * products - 2.0 * n * 784 * 256, weights, kinks=True, small=True)
    tiny = formulas.mean_square(formulas.mlp_tiny)
    layers = [kind + layer for layer in "123" for kind in "Wb"]
    yield Case("mlp-tiny [1] F", "mlp_tiny", {}, "forward", {"N": 1}, formulas.mlp_tiny, 2.0 * 5376, small=True)
    yield Case("mlp-tiny [1] G", "mlp_tiny", {}, "gradient", {"N": 1}, tiny, 2.0 * (3 * 5376 - 1024), tuple(layers),
               small=True)
    products = 2.0 * rows * width * width
    yield Case(f"mlp-wide {width} [{rows}] F", "mlp_wide", {"n": width}, "forward", {"N": rows}, formulas.mlp_wide,
               3 * products)
    yield Case(f"mlp-wide {width} [{rows}] G", "mlp_wide", {"n": width}, "gradient", {"N": rows},
               formulas.mean_square(formulas.mlp_wide), 8 * products, tuple(layers), kinks=True)
    for w in narrow:
        products, all_layers = 2.0 * many * w * w, tuple(layers + ["W4", "b4"])
        yield Case(f"mlp-fused {w} [{many}] F", "mlp_fused", {"n": w}, "forward", {"N": many}, formulas.mlp_fused,
                   4 * products)
        yield Case(f"mlp-fused {w} [{many}] G", "mlp_fused", {"n": w}, "gradient", {"N": many},
                   formulas.mean_square(formulas.mlp_fused), 11 * products, all_layers)


def transformers(batch, heads, d, tokens, encoders):
    for t in tokens:
        products = 4.0 * batch * heads * t * t * d
        options, sizes = {"heads": heads, "d": d}, {"N": batch, "T": t}
        yield Case(f"attention {batch}x{heads}x{t}x{d} F", "attention", options, "forward", sizes, formulas.attention,
                   products)
        yield Case(f"attention {batch}x{heads}x{t}x{d} G", "attention", options, "backward", sizes,
                   formulas.attention, 3 * products, ("q", "k", "v"), seed=True)
    for n, t, width, parts in encoders:
        products = 2.0 * n * t * width * width * 12 + 4.0 * n * t * t * width
        weights = tuple("Q K V O bq bk bv bo U bu D bd g1 s1 g2 s2".split())
        options, sizes = {"d": width, "heads": parts}, {"N": n, "T": t}

        def encode(o, tensors, parts=parts):
            return formulas.encoder(o, tensors, parts)

        def loss(o, tensors, parts=parts):
            return (formulas.encoder(o, tensors, parts) * tensors["x"]).mean()

        yield Case(f"encoder {width} [{n}x{t}] F", "encoder", options, "forward", sizes, encode, products)
        yield Case(f"encoder {width} [{n}x{t}] G", "encoder", options, "gradient", sizes, loss, 3 * products, weights)


def gpts(batches, tokens, width, heads):
    for n in batches:
        blocks = 12.0 * width * width + 2.0 * tokens * width
        products = 2.0 * n * tokens * (6 * blocks + 65 * width)
        parts = ["attention_norm.gain", "attention_norm.shift", "forward.norm.gain", "forward.norm.shift"]
        for layer in ("attend.query", "attend.key", "attend.value", "attend.output", "forward.inner.up",
                      "forward.inner.down"):
            parts += [layer + ".W", layer + ".b"]
        weights = ["characters.W", "last_norm.gain", "last_norm.shift", "last.W", "last.b"]
        weights += [f"blocks.{i}.{part}" for i in range(6) for part in parts if part != "attend.key.b"]
        options, sizes = {"d": width, "heads": heads}, {"N": n, "T": tokens}
        yield Case(f"gpt {width} [{n}x{tokens}] F", "gpt", options, "forward", sizes,
                   formulas.softmax_of(lambda o, t: formulas.gpt(o, t, heads)), products, classes=65)
        yield Case(f"gpt {width} [{n}x{tokens}] G", "gpt", options, "gradient", sizes,
                   lambda o, t: formulas.gpt_loss(o, t, heads), 3 * products, tuple(weights), classes=65)


def lenets(batches):
    layers = tuple(f"{name}.{part}" for name in ("strokes", "shapes", "first", "second", "last") for part in "Wb")
    first = 2.0 * 28 * 28 * 25 * 6
    products = first + 2.0 * (100 * 150 * 16 + 400 * 120 + 120 * 84 + 84 * 10)
    for n in batches:
        yield Case(f"lenet [{n}] F", "lenet", {}, "forward", {"N": n}, formulas.softmax_of(formulas.lenet), n * products,
                   small=True)
        yield Case(f"lenet [{n}] G", "lenet", {}, "gradient", {"N": n}, formulas.cross_entropy_of(formulas.lenet),
                   n * (3 * products - first), layers, kinks=True, small=True)


def resnets(batch, size):
    names = ["stem"] + [f"block_{i}.{part}" for i in range(1, 9) for part in ("first", "second")]
    names += [f"block_{i}.shortcut" for i in (3, 5, 7)]
    weights = tuple(f"{name}.{part}" for name in names for part in ("W", "gain", "bias")) + ("last.W", "last.b")
    # 1.82e9 multiply-adds for 224 x 224 (He et al. 2015, table 1).
    products = 2.0 * 1.82e9 * batch * (size / 224) ** 2
    yield Case(f"resnet18 {size} [{batch}] F", "resnet18", {"size": size}, "forward", {"N": batch},
               formulas.softmax_of(formulas.resnet18), products, classes=1000)
    yield Case(f"resnet18 {size} [{batch}] G", "resnet18", {"size": size}, "gradient", {"N": batch},
               formulas.cross_entropy_of(formulas.resnet18), 3 * products, weights, kinks=True, classes=1000)


def lstms(width, steps, batches):
    for n in batches:
        products = 2.0 * steps * n * width * 4 * width * 2
        sizes, weights = {"T": steps, "N": n}, ("cell.W", "cell.U", "cell.b")
        yield Case(f"lstm {width} [{steps}x{n}] F", "lstm", {"n": width}, "forward", sizes, formulas.lstm, products)
        yield Case(f"lstm {width} [{steps}x{n}] G", "lstm", {"n": width}, "gradient", sizes,
                   formulas.mean_square(formulas.lstm), 3 * products, weights)


def pinns(width, points):
    layers = tuple(f"W{i}" for i in range(1, 7)) + tuple(f"b{i}" for i in range(1, 6))
    # Five tensors go through each of four square layers: the value, two first and two second derivatives.
    forward = 2.0 * points * width * width * 4 * 5
    yield Case(f"pinn 5x{width} [{points}] G", "pinn", {"n": width}, "gradient", {"N": points}, formulas.pinn_loss,
               3 * forward, layers)


def large():
    """Sizes that fill the chip."""
    yield from gemms([(4096, 4096, 4096), (8192, 8192, 8192), (65536, 256, 256), (16, 4096, 4096), (1, 4096, 4096)])
    yield from rowwise(65536, 1024)
    yield from rowwise(2048, 32768)
    yield from perceptrons((1, 32, 1024), 4096, 512, (64, 128), 1 << 20)
    yield from transformers(4, 16, 64, (2048,), [(16, 512, 768, 12)])
    yield from pinns(64, 1 << 16)


def tiny():
    """Sizes that show in seconds whether everything works."""
    yield from gemms([(17, 32, 40), (1, 32, 40)])
    yield from rowwise(5, 64)
    yield from perceptrons((3,), 32, 9, (16,), 33)
    yield from transformers(2, 2, 16, (9,), [(2, 7, 16, 2)])
    yield from pinns(16, 11)


def processor():
    """Sizes that a core or a few compute in up to a second."""
    yield from gemms([(n, n, n) for n in (64, 128, 256, 512, 1024, 2048)])
    yield from gemms([(16384, 128, 128), (128, 128, 16384), (16, 1024, 1024), (4, 1024, 1024), (1, 1024, 1024)])
    yield from rowwise(64, 512)
    yield from rowwise(4096, 1024)
    yield from perceptrons((1, 32, 1024), 2048, 256, (64,), 1 << 15)
    yield from transformers(1, 8, 64, (512, 2048), [(1, 128, 768, 12), (1, 512, 768, 12)])
    yield from gpts((1,), 256, 384, 6)
    yield from lenets((1, 128))
    yield from resnets(1, 224)
    yield from lstms(512, 1, (1,))
    yield from lstms(512, 128, (32,))
    yield from pinns(64, 1 << 10)


def quick():
    """A few of them, for a table in a few minutes."""
    yield from gemms([(256, 256, 256), (1024, 1024, 1024), (1, 1024, 1024)])
    yield from rowwise(4096, 1024)
    yield from perceptrons((32,), 1024, 256, (64,), 1 << 14)
    yield from transformers(1, 8, 64, (512,), [(1, 128, 768, 12)])
    yield from lenets((128,))
    yield from resnets(1, 64)
    yield from lstms(256, 32, (8,))
    yield from pinns(64, 1 << 10)


SETS = {"large": large, "tiny": tiny, "processor": processor, "quick": quick}
