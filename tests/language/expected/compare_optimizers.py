"""Holds `step` to PyTorch, in double precision: ten random settings of each optimizer, over several steps.

    python3 compare_optimizers.py TELC [DEVICE...]      (needs numpy and torch; the tests do not need it)

DEVICE is that of `telc run`: cpu, interpreter or emulator. Lion, which PyTorch lacks, is written out here.
"""
import pathlib
import subprocess
import sys
import tempfile

import numpy
import torch

from safetensors_files import read, write

STEPS = 4
TOLERANCE = 1e-10
SOURCE = """module network
type float64
x:      in[N x 3]
target: in[N x 2]
rate:   in
W: param[3x2] = 0
b: param[2]   = 0
s: param      = 1
L: loss = mse(s * tanh(x • W + b), target)
optimize with {}
"""


class Lion(torch.optim.Optimizer):
    def __init__(self, parameters, lr, betas, weight_decay):
        super().__init__(parameters, dict(lr=lr, betas=betas, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            beta1, beta2 = group["betas"]
            for p in group["params"]:
                m = self.state[p].setdefault("m", torch.zeros_like(p))
                change = torch.sign(beta1 * m + (1 - beta1) * p.grad)
                p -= group["lr"] * (change + group["weight_decay"] * p)
                m.copy_(beta2 * m + (1 - beta2) * p.grad)


def settings(draw):
    """The hyper-parameters of each optimizer as TEL and as PyTorch have them."""
    rate, decay = draw.uniform(0.001, 0.1), draw.choice([0, draw.uniform(0.001, 0.1)])
    beta1, beta2, epsilon = draw.uniform(0.5, 0.95), draw.uniform(0.8, 0.999), 10 ** draw.uniform(-9, -4)
    nesterov = bool(draw.integers(2))
    return {
        "sgd": (rate, dict(decay=decay), torch.optim.SGD, dict(weight_decay=decay)),
        "momentum": (rate, dict(beta=beta1, decay=decay, nesterov=str(nesterov).lower()), torch.optim.SGD,
                     dict(momentum=beta1, weight_decay=decay, nesterov=nesterov)),
        "adam": (rate, dict(beta1=beta1, beta2=beta2, epsilon=epsilon, decay=decay), torch.optim.Adam,
                 dict(betas=(beta1, beta2), eps=epsilon, weight_decay=decay)),
        "adamw": (rate, dict(beta1=beta1, beta2=beta2, epsilon=epsilon, decay=decay), torch.optim.AdamW,
                  dict(betas=(beta1, beta2), eps=epsilon, weight_decay=decay)),
        "rmsprop": (rate, dict(alpha=beta2, epsilon=epsilon, decay=decay), torch.optim.RMSprop,
                    dict(alpha=beta2, eps=epsilon, weight_decay=decay)),
        "adagrad": (rate, dict(epsilon=epsilon, decay=decay), torch.optim.Adagrad,
                    dict(eps=epsilon, weight_decay=decay)),
        "lion": (rate, dict(beta1=beta1, beta2=beta2, decay=decay), Lion,
                 dict(betas=(beta1, beta2), weight_decay=decay)),
    }


def by_telc(telc, device, folder, source, rate, weights, batches):
    program, weights_file, out = folder / "network.tel", folder / "weights.safetensors", folder / "out.safetensors"
    program.write_text(source)
    states = {}
    for x, target in batches:
        for name, value in (("x", x), ("target", target), ("rate", numpy.asarray(rate))):
            numpy.save(folder / f"{name}.npy", value)
        write(weights_file, weights | states)
        inputs = [word for name in ("x", "target", "rate") for word in ("--in", f"{name}={folder / name}.npy")]
        subprocess.run([telc, "run", program, "step", *inputs, "--weights", weights_file, "--out", out, "--device",
                        device], check=True, stdout=subprocess.DEVNULL)
        after = {k[5:]: v for k, v in read(out).items() if k.startswith("next.")}
        states = {k: v for k, v in after.items() if k not in weights}
        weights = {k: after[k] for k in weights}
    return weights


def by_torch(optimizer, arguments, rate, clip, weights, batches):
    w = {k: torch.tensor(v, requires_grad=True) for k, v in weights.items()}
    algorithm = optimizer(w.values(), lr=rate, **arguments)
    for x, target in batches:
        algorithm.zero_grad()
        y = w["s"] * torch.tanh(torch.tensor(x) @ w["W"] + w["b"])
        torch.mean((y - torch.tensor(target)) ** 2).backward()
        norm = torch.sqrt(sum((p.grad**2).sum() for p in w.values()))
        if clip and norm > clip:
            for p in w.values():
                p.grad *= clip / norm
        algorithm.step()
    return {k: v.detach().numpy() for k, v in w.items()}


def main(telc, devices):
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(10):
            draw = numpy.random.default_rng(number)
            for name, (rate, arguments, optimizer, others) in settings(draw).items():
                weights = {"W": draw.normal(size=(3, 2)), "b": draw.normal(size=2), "s": draw.normal(size=())}
                weights = {k: numpy.asarray(v) for k, v in weights.items()}
                batches = [(draw.normal(size=(6, 3)), draw.normal(size=(6, 2))) for _ in range(STEPS)]
                clip = float(draw.choice([0, 0.05, 0.5]))
                text = ", ".join(f"{k}: {v}" for k, v in (arguments | {"clip": clip}).items())
                source = SOURCE.format(f"{name}(rate: rate, {text})")
                expected = by_torch(optimizer, others, rate, clip, weights, batches)
                for device in devices:
                    actual = by_telc(telc, device, pathlib.Path(folder), source, rate, weights, batches)
                    error = max(float(abs(actual[k] - expected[k]).max()) for k in weights)
                    worst = max(worst, error)
                    if not error < TOLERANCE:
                        print(f"{name}({text}) on {device}: off by {error}")
    print(f"the largest difference is {worst:.2g}")
    return 0 if worst < TOLERANCE else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:] or ["cpu"]))
