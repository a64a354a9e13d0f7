"""Recurrent layers over whole sequences, in one direction and in both."""
import torch

from library import program

GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
FREE = (5, 2, 3)  # [T x N x 3], whose first two extents the call binds
SETTINGS = ((1, 1, 24), (2, 1, 12), (3, 2, 4), (2, 3, 4), (6, 1, 4), (4, 3, 2), (12, 2, 1), (24, 1, 1), (1, 8, 3), FREE)
BATCHES = ((2, 1, 12), (3, 2, 4), (2, 3, 4), (6, 1, 4), (4, 3, 2), (12, 2, 1), (4, 2, 3), (2, 4, 3), (2, 2, 6), (3, 8, 1))
BIDIRECTIONAL = {"RNN": "Bidirectional({})", "GRU": "Bidirectional({}, Layer: GRU)", "LSTM": "BidirectionalLSTM({})"}


def weights(p, kind, name, net, inputs, size, parts):
    """Declares an instance of the net, `GRU({})`; the parameters of the layer of PyTorch that has its numbers."""
    n = GATES[kind] * size
    shapes = {"W": (inputs, n), "U": (size, n), "b": (n,)} | ({"c": (n,)} if kind == "GRU" else {})
    own = p.net(name, net.format(f"{inputs}, {size}"),
                **{f"{part}cell__{each}": shape for part in parts for each, shape in shapes.items()})
    result = {}
    for part, suffix in zip(parts, ("l0", "l0_reverse")):
        W, U, b = (own[f"{part}cell__{each}"] for each in "WUb")
        result |= {f"weight_ih_{suffix}": W.T, f"weight_hh_{suffix}": U.T, f"bias_ih_{suffix}": b,
                   f"bias_hh_{suffix}": own.get(f"{part}cell__c", torch.zeros_like(b))}
    return result


def computed(kind, values, x, first=None, lengths=None):
    """What the layer of PyTorch computes with these parameters: the outputs of all steps, and the last states."""
    inputs, size = x.shape[-1], values["weight_hh_l0"].shape[1]
    layer = getattr(torch.nn, kind)(inputs, size, num_layers=1 + ("weight_ih_l1" in values),
                                    bidirectional="weight_ih_l0_reverse" in values).double()
    if lengths is not None:
        x = torch.nn.utils.rnn.pack_padded_sequence(x, torch.tensor(lengths), enforce_sorted=False)
    y, last = torch.func.functional_call(layer, values, (x,) if first is None else (x, first))
    if lengths is not None:
        y, _ = torch.nn.utils.rnn.pad_packed_sequence(y, total_length=max(lengths))
    return y, last


def layers(p, kind):
    p.largest = 8
    x = p.input("x", "[24]", p.draw(24))
    z = p.input("z", "[T x N x 3]", p.draw(*FREE))
    for i, (t, n, inputs) in enumerate(SETTINGS):
        size = p.random.choice([k for k in (1, 2, 3, 4, 5) if k != inputs])
        sizes = (t, inputs) if n == 1 and i % 2 else (t, n, inputs)  # PyTorch takes a single sequence, too
        rows, value = ("z", z) if sizes == FREE else (f"x as [{' x '.join(map(str, sizes))}]", x.reshape(sizes))
        w = weights(p, kind, f"c{i}", kind + "({})", inputs, size, [""])
        p.output(f"y{i}", f"c{i}({rows})", computed(kind, w, value)[0])
        both = weights(p, kind, f"d{i}", BIDIRECTIONAL[kind], inputs, size, ["forward__", "backward__"])
        p.output(f"z{i}", f"d{i}({rows})", computed(kind, both, value)[0])


def starts(p, kind, i, name, n, size, both):
    """Inputs that are the states before the first step, as text and as PyTorch has them."""
    names = [f"{name}h{i}"] + ([f"{name}m{i}"] if kind == "LSTM" else [])
    shape = (2, n, size) if both else (n, size)
    values = [p.input(each, f"[{' x '.join(map(str, shape))}]", p.draw(*shape)) for each in names]
    given = [value if both else value.unsqueeze(0) for value in values]
    return ", ".join(names), tuple(given) if kind == "LSTM" else given[0]


def compared(p, kind, i, net, w, both, value, rows, n, size, lengths):
    """Compares one of three ways to call a layer: with lengths and states to begin with, with lengths, with states."""
    way = (i + both) % 3
    behind = f", {lengths} as int32" if way < 2 else ""
    first, given = ("", None) if way == 1 else starts(p, kind, i, net, n, size, both)
    y, last = computed(kind, w, value, given, lengths if way < 2 else None)
    text = f"{net}{i}({rows}{', ' + first if first else ''}{behind})"
    if first and kind == "LSTM":
        p.output(f"{net}u{i}, {net}v{i}", text, (y, last[1] if both else last[1][0]))
    else:
        p.output(f"{net}u{i}", text, y)
    if way == 0:
        return
    _, last = computed(kind, w, value, None, lengths if way == 1 else None)
    h = last[0] if kind == "LSTM" else last
    p.output(f"{net}z{i}", f"{net}{i}.last({rows}{behind})", torch.cat(list(h), -1))


def settings(p):
    """The number of the setting, its input as text and as a value, and how long each sequence of the batch is."""
    p.once = True
    x = p.input("x", "[24]", p.draw(24))
    for i, (t, n, inputs) in enumerate(BATCHES):
        size = p.random.choice([k for k in (1, 2, 3, 4) if k != inputs])
        lengths = [p.random.randint(1, t) for _ in range(n)]
        lengths[p.random.randrange(n)] = t  # PyTorch has no step in which all sequences have ended
        yield i, f"x as [{t} x {n} x {inputs}]", x.reshape(t, n, inputs), n, inputs, size, lengths


def states(p, kind):
    for i, rows, value, n, inputs, size, lengths in settings(p):
        w = weights(p, kind, f"c{i}", kind + "({})", inputs, size, [""])
        compared(p, kind, i, "c", w, False, value, rows, n, size, lengths)
        both = weights(p, kind, f"d{i}", BIDIRECTIONAL[kind], inputs, size, ["forward__", "backward__"])
        compared(p, kind, i, "d", both, True, value, rows, n, size, lengths)


@program("Plain recurrent layers, in one direction and in both.", "recurrent")
def recurrent_layers(p):
    layers(p, "RNN")


@program("Layers of gated units, in one direction and in both.", "recurrent")
def gated_layers(p):
    layers(p, "GRU")


@program("Layers of long short-term memories, in one direction and in both.", "recurrent")
def memory_layers(p):
    layers(p, "LSTM")


@program("Plain recurrent layers over sequences of unequal lengths, which begin with states.", "recurrent")
def recurrent_lengths(p):
    states(p, "RNN")


@program("Layers of gated units over sequences of unequal lengths, which begin with states.", "recurrent")
def gated_lengths(p):
    states(p, "GRU")


@program("Layers of long short-term memories over sequences of unequal lengths, which begin with states.", "recurrent")
def memory_lengths(p):
    states(p, "LSTM")


@program("Bidirectional layers that are given LSTM, over whole sequences and over those of unequal lengths.", "recurrent")
def layers_given_to_bidirectional(p):
    for i, rows, value, n, inputs, size, lengths in settings(p):
        w = weights(p, "LSTM", f"d{i}", "Bidirectional({}, Layer: LSTM)", inputs, size, ["forward__", "backward__"])
        given = lengths if i % 2 else None
        behind = f", {lengths} as int32" if i % 2 else ""
        y, last = computed("LSTM", w, value, None, given)
        p.output(f"y{i}", f"d{i}({rows}{behind})", y)
        p.output(f"z{i}", f"d{i}.last({rows}{behind})", torch.cat(list(last[0]), -1))
