"""Recurrent layers over whole sequences, in one direction and in both."""
import torch

from library import program

GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
FREE = (5, 2, 3)  # [T x N x 3], whose first two extents the call binds
SETTINGS = ((1, 1, 24), (2, 1, 12), (3, 2, 4), (2, 3, 4), (6, 1, 4), (4, 3, 2), (12, 2, 1), (24, 1, 1), (1, 8, 3), FREE)


def weights(p, kind, name, net, inputs, size, parts):
    """Declares an instance; the parameters of the layer of PyTorch that has its numbers."""
    n = GATES[kind] * size
    shapes = {"W": (inputs, n), "U": (size, n), "b": (n,)} | ({"c": (n,)} if kind == "GRU" else {})
    own = p.net(name, f"{net}({inputs}, {size})",
                **{f"{part}cell__{each}": shape for part in parts for each, shape in shapes.items()})
    result = {}
    for part, suffix in zip(parts, ("l0", "l0_reverse")):
        W, U, b = (own[f"{part}cell__{each}"] for each in "WUb")
        result |= {f"weight_ih_{suffix}": W.T, f"weight_hh_{suffix}": U.T, f"bias_ih_{suffix}": b,
                   f"bias_hh_{suffix}": own.get(f"{part}cell__c", torch.zeros_like(b))}
    return result


def computed(kind, values, x, first=None):
    """What the layer of PyTorch computes with these parameters."""
    inputs, size = x.shape[-1], values["weight_hh_l0"].shape[1]
    layer = getattr(torch.nn, kind)(inputs, size, bidirectional="weight_ih_l0_reverse" in values).double()
    return torch.func.functional_call(layer, values, (x,) if first is None else (x, first))


def layers(p, kind):
    p.largest = 8
    x = p.input("x", "[24]", p.draw(24))
    z = p.input("z", "[T x N x 3]", p.draw(*FREE))
    for i, (t, n, inputs) in enumerate(SETTINGS):
        size = p.random.choice([k for k in (1, 2, 3, 4, 5) if k != inputs])
        sizes = (t, inputs) if n == 1 and i % 2 else (t, n, inputs)  # PyTorch takes a single sequence, too
        rows, value = ("z", z) if sizes == FREE else (f"x as [{' x '.join(map(str, sizes))}]", x.reshape(sizes))
        w = weights(p, kind, f"c{i}", kind, inputs, size, [""])
        p.output(f"y{i}", f"c{i}({rows})", computed(kind, w, value)[0])
        both = weights(p, kind, f"d{i}", f"Bidirectional{kind}", inputs, size, ["forward__", "backward__"])
        p.output(f"z{i}", f"d{i}({rows})", computed(kind, both, value)[0])
        if i not in (2, 7):
            continue
        state = [p.input(f"{name}{i}", f"[{' x '.join(map(str, (*sizes[1:-1], size)))}]", p.draw(*sizes[1:-1], size))
                 for name in ("hm" if kind == "LSTM" else "h")]
        first = [each.unsqueeze(0) for each in state]
        y, last = computed(kind, w, value, tuple(first) if kind == "LSTM" else first[0])
        if kind == "LSTM":
            p.output(f"u{i}, v{i}", f"c{i}({rows}, h{i}, m{i})", (y, last[1][0]))
        else:
            p.output(f"u{i}", f"c{i}({rows}, h{i})", y)


@program("Plain recurrent layers, in one direction and in both.", "recurrent")
def recurrent_layers(p):
    layers(p, "RNN")


@program("Layers of gated units, in one direction and in both.", "recurrent")
def gated_layers(p):
    layers(p, "GRU")


@program("Layers of long short-term memories, in one direction and in both.", "recurrent")
def memory_layers(p):
    layers(p, "LSTM")
